import Weir

/// A program with a number of parts, whose work is to grow in proportion to it.
struct Shape: Sendable {
  let name: String
  let run: @Sendable (Int) -> Void

  init(_ name: String, _ run: @escaping @Sendable (Int) -> Void) {
    self.name = name
    self.run = run
  }

  /// A program that visits its parts in an order: one shape for each order.
  static func inEachOrder(_ name: String, _ run: @escaping @Sendable ([Int]) -> Void) -> [Shape] {
    Order.allCases.map { order in Shape("\(name), \(order)") { run(order.numbers($0)) } }
  }
}

/// The order in which parts end.
enum Order: CaseIterable {
  case firstToLast, lastToFirst, random

  func numbers(_ count: Int) -> [Int] {
    switch self {
    case .firstToLast: return Array(0..<count)
    case .lastToFirst: return Array((0..<count).reversed())
    case .random:
      var generator = Xorshift()
      return (0..<count).shuffled(using: &generator)
    }
  }
}

/// The same numbers on every run.
private struct Xorshift: RandomNumberGenerator {
  private var state: UInt64 = 88_172_645_463_325_252

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

typealias Source = PassthroughSubject<Int, Never>

func sources(_ count: Int) -> [Source] { (0..<count).map { _ in Source() } }

/// Counts the values, and requests more as it is told.
final class Counter<Input>: Subscriber {
  typealias Failure = Never

  private let initial: Subscribers.Demand
  private let onValue: (Counter) -> Subscribers.Demand
  private(set) var subscription: (any Subscription)?
  private(set) var count = 0
  private(set) var isFinished = false

  init(_ initial: Subscribers.Demand, onValue: @escaping (Counter) -> Subscribers.Demand = { _ in .none }) {
    self.initial = initial
    self.onValue = onValue
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    request(initial)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    count += 1
    return onValue(self)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    isFinished = true
    subscription = nil
  }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none { subscription?.request(demand) }
  }

  func requestOneByOne(_ times: Int) {
    for _ in 0..<times { request(.max(1)) }
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

extension Publisher where Failure == Never {
  /// Subscribes a counter, which is returned.
  func count(
    _ initial: Subscribers.Demand = .unlimited,
    onValue: @escaping (Counter<Output>) -> Subscribers.Demand = { _ in .none }
  ) -> Counter<Output> {
    let counter = Counter<Output>(initial, onValue: onValue)
    subscribe(counter)
    return counter
  }
}
