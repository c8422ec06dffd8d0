import Weir
import WeirTesting

/// The expected behavior of an operator for any demand, as a state machine over upstreams with demand.
struct DemandModel: @unchecked Sendable {  // Its closures capture no mutable state.
  let name: String
  let sources: Int

  /// Creates the model, which takes values from the upstreams, consumes the demand, and reports events and the
  /// completion.
  let rules: () -> (inout Game) -> Void
  let attach: ([Upstream]) -> any ModelSubscriber

  init<P: Publisher>(
    _ name: String, sources: Int = 1, _ make: @escaping @Sendable ([Upstream]) -> P,
    rules: @escaping @Sendable () -> (inout Game) -> Void
  ) {
    self.name = name
    self.sources = sources
    self.rules = rules
    attach = { make($0).attachModelSubscriber() }
  }

  /// An upstream in the model: pending values, and then the completion.
  struct Well {
    fileprivate(set) var waiting: [Int] = []
    fileprivate var sentEnd: End?

    /// The outstanding demand.
    var asked = Subscribers.Demand.none

    /// The next value, if it has been requested.
    mutating func take() -> Int? {
      if asked == .none || waiting.isEmpty { return nil }
      if asked != .unlimited { asked -= 1 }
      return waiting.removeFirst()
    }

    /// The completion, if no value precedes it.
    var end: End? { waiting.isEmpty ? sentEnd : nil }
  }

  /// The state of the model.
  struct Game {
    var wells: [Well]
    /// The outstanding demand of the downstream.
    var demand = Subscribers.Demand.none
    /// The demand that the downstream requested in this step.
    fileprivate(set) var more = Subscribers.Demand.none
    private(set) var isTerminated = false
    fileprivate var events: [String] = []

    fileprivate init(sources: Int) {
      wells = Array(repeating: Well(), count: sources)
    }

    mutating func emit(_ value: some Any) {
      if isTerminated { return }
      events.append("\(value)")
      if demand != .unlimited { demand -= 1 }
    }

    mutating func end(_ end: End?) {
      guard !isTerminated, let end else { return }
      events.append(end.rawValue)
      isTerminated = true
    }

    fileprivate mutating func cancel() { isTerminated = true }
  }

  /// The expected events of each step.
  func expected(_ script: [ModelStep]) -> [[String]] {
    var game = Game(sources: sources)
    let settle = rules()
    settle(&game)
    return script.map { step in
      game.events = []
      game.more = .none
      switch step {
      case .value(let source, let value):
        if game.wells[source].sentEnd == nil { game.wells[source].waiting.append(value) }
      case .finish(let source): game.wells[source].sentEnd = game.wells[source].sentEnd ?? .finished
      case .fail(let source): game.wells[source].sentEnd = game.wells[source].sentEnd ?? .failed
      case .request(let count): game.more = .max(count)
      case .requestUnlimited: game.more = .unlimited
      case .cancel: game.cancel()
      case .wait: break
      }
      game.demand += game.more
      if !game.isTerminated { settle(&game) }
      return game.events
    }
  }

  /// The actual events of each step.
  func actual(_ script: [ModelStep]) -> [[String]] {
    let sources = (0..<sources).map { _ in TestPublisher<Int, UpstreamFailure>(whenNotAsked: .buffer) }
    let subscriber = attach(sources.map { AnyPublisher($0) })
    return script.map { step in
      let before = subscriber.received.count
      step.play(sources, subscriber)
      return Array(subscriber.received.dropFirst(before)) + subscriber.breaches
    }
  }
}
