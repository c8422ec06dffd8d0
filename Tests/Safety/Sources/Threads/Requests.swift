// A subscriber that requests on another thread while it receives its subscription. The first upstream delivers and
// completes there, while the subscriber's own thread returns. One of the two threads attaches the next upstream.

import Cases
import Weir
import WeirRx

private typealias Items = AnyPublisher<Item, Oops>

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
    pause(delay)
  }

  func receive(_ input: Item) -> Subscribers.Demand {
    received += 1
    return .none
  }

  func receive(completion: Subscribers.Completion<Oops>) { completions += 1 }
}

/// Describes the first fault of many subscriptions to what `make` returns.
private func fault(_ make: () -> Items) -> String? {
  fault { helper, delay in
    let subscriber = Distant(helper, delay: delay)
    make().subscribe(subscriber)
    helper.wait()
    if subscriber.received == 2, subscriber.completions == 1 { return nil }
    return "received \(subscriber.received) values and \(subscriber.completions) completions"
  }
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
