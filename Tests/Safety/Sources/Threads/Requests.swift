// A subscriber that requests on another thread while it receives its subscription. The first upstream delivers and
// completes there, while the subscriber's own thread returns. One of the two threads attaches the next upstream.

import Cases
import Dispatch
import Synchronization
import Weir
import WeirRx

private typealias Items = AnyPublisher<Item, Oops>

/// A thread that immediately runs the work that it is given.
private final class Helper: @unchecked Sendable {
  private enum Phase {
    static let idle = 0
    static let given = 1
    static let running = 2
    static let terminated = 3
  }

  private let phase = Atomic<Int>(Phase.idle)

  // Safety: written while the phase is `idle`, and read by the helper after it has become `given`.
  private var work: () -> Void = {}

  init() {
    DispatchQueue(label: "helper").async { self.serve() }
  }

  /// Returns when the helper has started.
  func run(_ work: @escaping () -> Void) {
    self.work = work
    phase.store(Phase.given, ordering: .releasing)
    while phase.load(ordering: .acquiring) == Phase.given {}
  }

  func wait() {
    while phase.load(ordering: .acquiring) != Phase.idle {}
  }

  func end() { phase.store(Phase.terminated, ordering: .releasing) }

  private func serve() {
    while true {
      switch phase.load(ordering: .acquiring) {
      case Phase.terminated: return
      case Phase.given:
        let work = work
        phase.store(Phase.running, ordering: .releasing)
        work()
        phase.store(Phase.idle, ordering: .releasing)
      default: break
      }
    }
  }
}

/// Requests on the helper's thread, and counts what it receives.
private final class Distant: Subscriber {
  typealias Input = Item
  typealias Failure = Oops

  private(set) var received = 0
  private(set) var completions = 0
  private let helper: Helper
  private let delay: Int

  init(_ helper: Helper, delay: Int) {
    self.helper = helper
    self.delay = delay
  }

  func receive(subscription: any Subscription) {
    nonisolated(unsafe) let subscription = subscription
    helper.run { subscription.request(.unlimited) }
    // This thread returns at any time during the other thread's delivery.
    for _ in 0..<delay { pause() }
  }

  func receive(_ input: Item) -> Subscribers.Demand {
    received += 1
    return .none
  }

  func receive(completion: Subscribers.Completion<Oops>) { completions += 1 }
}

@inline(never)
private func pause() {}

private func fault(_ make: () -> Items) -> String? {
  let helper = Helper()
  defer { helper.end() }
  let clock = ContinuousClock()
  let end = clock.now + .seconds(1)
  var round = 0
  while clock.now < end {
    round += 1
    let subscriber = Distant(helper, delay: round % 2_000)
    make().subscribe(subscriber)
    helper.wait()
    if subscriber.received != 2 || subscriber.completions != 1 {
      return "round \(round): received \(subscriber.received) values and \(subscriber.completions) completions"
    }
  }
  return nil
}

private func record(_ number: Int, _ completion: Subscribers.Completion<Oops>) -> Items {
  Record<Item, Oops>(output: [Item(number)], completion: completion).eraseToAnyPublisher()
}

var requests: [Case] {
  [
    Case("request-elsewhere/append") {
      fault { record(1, .finished).append(record(2, .finished)).eraseToAnyPublisher() }
    },
    Case("request-elsewhere/catch") {
      fault { record(1, .failure(Oops())).catch { (_: Oops) -> Items in record(2, .finished) }.eraseToAnyPublisher() }
    },
    Case("request-elsewhere/repeated") { fault { record(1, .finished).repeated(2).eraseToAnyPublisher() } },
  ]
}
