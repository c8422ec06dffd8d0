import Weir
import WeirTesting

/// The result of an operator with one upstream: a list of values and a completion for a list of values and a
/// completion.
///
/// It is called again with each further value, so its result for fewer values must be a prefix of that for more.
struct PullModel: @unchecked Sendable {  // Its closures capture no mutable state.
  typealias Answer = (values: [String], end: End?)

  let name: String
  /// The number of values that the operator takes from the upstream without demand.
  let ahead: Int
  /// Whether a failure overtakes buffered values.
  let failureOvertakes: Bool
  let list: @Sendable (_ values: [Int], _ end: End?) -> Answer
  let attach: (Upstream) -> any ModelSubscriber

  init<P: Publisher>(
    _ name: String, ahead: Int = 0, failureOvertakes: Bool = false, _ make: @escaping @Sendable (Upstream) -> P,
    list: @escaping @Sendable (_ values: [Int], _ end: End?) -> Answer
  ) {
    self.name = name
    self.ahead = ahead
    self.failureOvertakes = failureOvertakes
    self.list = list
    attach = { make($0).attachModelSubscriber() }
  }

  /// The expected events of each step.
  func expected(_ script: [ModelStep]) -> [[String]] {
    var state = State()
    return script.map { step in
      switch step {
      case .value(_, let value): if state.sentEnd == nil { state.waiting.append(value) }
      case .finish: state.sentEnd = state.sentEnd ?? .finished
      case .fail: state.sentEnd = state.sentEnd ?? .failed
      case .request(let count): state.demand += count
      case .requestUnlimited: state.demand = .unlimited
      case .cancel: state.isTerminated = true
      case .wait: break
      }
      return settle(&state)
    }
  }

  private struct State {
    var waiting: [Int] = []
    var sentEnd: End?
    var taken: [Int] = []
    var demand = Subscribers.Demand.none
    var emitted = 0
    var isTerminated = false
  }

  private func settle(_ state: inout State) -> [String] {
    var events: [String] = []
    while !state.isTerminated {
      let answer = list(state.taken, state.waiting.isEmpty ? state.sentEnd : nil)
      while state.demand > .none, state.emitted < answer.values.count {
        events.append(answer.values[state.emitted])
        state.emitted += 1
        if state.demand != .unlimited { state.demand -= 1 }
      }
      if let end = answer.end,
        state.emitted == answer.values.count || (failureOvertakes && end == .failed)
      {
        events.append(end.rawValue)
        state.isTerminated = true
      } else if !state.waiting.isEmpty, state.taken.count < ahead || state.demand > .none {
        state.taken.append(state.waiting.removeFirst())
      } else {
        break
      }
    }
    return events
  }

  /// The actual events of each step.
  func actual(_ script: [ModelStep]) -> [[String]] {
    let source = TestPublisher<Int, UpstreamFailure>(whenNotAsked: .buffer)
    let subscriber = attach(AnyPublisher(source))
    return script.map { step in
      let before = subscriber.received.count
      step.play([source], subscriber)
      return Array(subscriber.received.dropFirst(before)) + subscriber.breaches
    }
  }
}

/// A subscriber with any type of values.
protocol ModelSubscriber {
  /// The values and the completion.
  var received: [String] { get }
  var breaches: [String] { get }
  func request(_ demand: Subscribers.Demand)
  func cancel()
}

extension Publisher {
  func attachModelSubscriber(demanding demand: Subscribers.Demand = .none) -> any ModelSubscriber {
    let subscriber = TestSubscriber<Output, Failure>(demanding: demand)
    subscribe(subscriber)
    return subscriber
  }
}

extension TestSubscriber: ModelSubscriber {
  var received: [String] {
    events.compactMap { event in
      switch event {
      case .value(let value): "\(value)"
      case .completion: event.description
      default: nil
      }
    }
  }

  var breaches: [String] { violations.map(\.description) }
}
