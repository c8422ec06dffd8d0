// User code that runs inside an operator, and acts on the pipeline.

import Weir

/// The objects that a case creates and acts on.
package struct Stage {
  package let publisher: AnyPublisher<String, Oops>
  package var send: (Token) -> Void = { _ in }
  package var complete: (Subscribers.Completion<Oops>) -> Void = { _ in }
  package var connect: () -> Void = {}
  /// Cancels the connections.
  package var disconnect: () -> Void = {}
  /// Advances the time; `nil` if the pipeline doesn't depend on time.
  package var advance: (() -> Void)?
}

/// One run: acts a limited number of times when user code is reached, and logs the order of all acts.
package final class Hook {
  package struct Logged {
    package let act: Act
    /// Whether user code performed it during another act.
    package let isNested: Bool
    /// Whether a subscriber was being attached then.
    package let isInAttachment: Bool
  }

  package private(set) var log: [Logged] = []
  package private(set) var fired = 0
  package private(set) var recorders: [Recorder] = []
  /// How many tokens of this run are alive.
  package internal(set) var liveTokens = 0

  package let place: Place?
  /// Whether a publisher that is not Weir's is between the subject and the operator.
  package let isForeign: Bool

  private let deed: Deed
  private let plan: Plan
  private let demand: Subscribers.Demand
  private var stage: Stage?
  private var calls = 0
  private var current = 0
  // The number of acts in progress. A value that is released outside of acts was not retained by the operator.
  private var depth = 0
  private var attachments = 0

  /// A hook without a place doesn't act.
  package init(
    _ place: Place?, _ deed: Deed, _ plan: Plan, demand: Subscribers.Demand, isForeign: Bool = false
  ) {
    self.place = place
    self.isForeign = isForeign
    self.deed = deed
    self.plan = plan
    self.demand = demand
  }

  package func token(_ number: Int) -> Token { Token(number, self) }

  package func error() -> Oops { Oops(held: token(8)) }

  // MARK: A run

  /// Performs a script and the actions of user code.
  package func run(_ script: [Act], on stage: Stage) {
    self.stage = stage
    for act in script {
      if case .value(let number) = act { current = number }
      perform(act)
    }
    // If an inner publisher doesn't complete, the operator retains the recorder, which is not a leak of the library.
    for recorder in recorders { recorder.cancel() }
    // Breaks the reference cycle between the hook and the pipeline.
    self.stage = nil
  }

  /// Discards the data of the previous run, for the next one.
  package func reset() {
    (log, recorders) = ([], [])
    (fired, calls) = (0, 0)
  }

  private func perform(_ act: Act) {
    log.append(Logged(act: act, isNested: depth > 0, isInAttachment: attachments > 0))
    // Retained until the act has returned, so that the operator releases earlier values only.
    var token: Token?
    if case .value(let number) = act { token = self.token(number) }
    depth += 1
    switch act {
    case .subscribe:
      let recorder = Recorder(demand, self)
      recorders.append(recorder)
      attachments += 1
      stage?.publisher.subscribe(recorder)
      attachments -= 1
    case .value: if let token { stage?.send(token) }
    case .finish: stage?.complete(.finished)
    case .fail: stage?.complete(.failure(error()))
    case .request(let demand): recorders.first?.request(demand)
    case .cancel: recorders.first?.cancel()
    case .connect: stage?.connect()
    case .disconnect: stage?.disconnect()
    case .advance: stage?.advance?()
    }
    depth -= 1
    withExtendedLifetime(token) {}
  }

  // MARK: User code

  /// Called when user code is reached inside the operator.
  package func reach(_ place: Place) {
    guard place == self.place, depth > 0 else { return }
    calls += 1
    guard calls > plan.skipped, fired < plan.count else { return }
    fired += 1
    switch deed {
    case .send: perform(.value(number))
    case .several:
      perform(.value(number))
      perform(.value(fired))
      perform(.value(number))
    case .finish: perform(.finish)
    case .fail: perform(.fail)
    case .cancel: perform(.cancel)
    case .request: perform(.request(.max(1)))
    case .subscribe: perform(.subscribe)
    case .connect: perform(.connect)
    }
  }

  private var number: Int {
    switch plan.number {
    case .same: current
    case .greater: current * 10 + fired
    case .less: -current
    }
  }
}
