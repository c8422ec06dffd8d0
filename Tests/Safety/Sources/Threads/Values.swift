// Values that one thread sets, or buffers, while another thread reads or takes them.

import Cases
import Synchronization
import Weir

private let count = 50_000

// MARK: The latest value

/// Sets and reads a value on two threads.
private func fault(set: @escaping (Item) -> Void, get: @escaping () -> Item) -> String? {
  nonisolated(unsafe) let (set, get) = (set, get)
  let isOutOfRange = Atomic<Bool>(false)
  for _ in 0..<20 {
    let isDone = onTwoThreads { thread in
      for number in 0..<count {
        set(Item(number))
        if get().number >= count { isOutOfRange.store(true, ordering: .relaxed) }
      }
    }
    if !isDone { return "a thread is stuck" }
  }
  return isOutOfRange.load(ordering: .relaxed) ? "read a value that was never set" : nil
}

private final class Model: ObservableObject {
  @Published var item = Item(0)
}

private func faultOfSubject() -> String? {
  let subject = CurrentValueSubject<Item, Never>(Item(0))
  return fault(set: { subject.value = $0 }, get: { subject.value })
}

private func faultOfProperty() -> String? {
  let model = Model()
  return fault(set: { model.item = $0 }, get: { model.item })
}

// MARK: Buffers

/// Requests on the helper's thread, and remembers whether the values were in order.
private final class Stepper: Subscriber {
  typealias Input = Item
  typealias Failure = Oops

  private(set) var subscription: (any Subscription)?
  private var last = -1
  private(set) var fault: String?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Item) -> Subscribers.Demand {
    if input.number <= last { fault = "received \(input.number) after \(last)" }
    last = input.number
    return .none
  }

  func receive(completion: Subscribers.Completion<Oops>) {}
}

/// Sends on this thread, and takes on the helper's.
private func fault(whenFull: Publishers.BufferingStrategy<Oops>) -> String? {
  fault { helper, delay in
    let (source, subscriber) = (PassthroughSubject<Item, Oops>(), Stepper())
    source.buffer(size: 5, prefetch: .byRequest, whenFull: whenFull).subscribe(subscriber)
    guard let subscription = subscriber.subscription else { return "received no subscription" }
    helper.run { for _ in 0..<20 { subscription.request(.max(1)) } }
    pause(delay)
    for number in 0..<20 { source.send(Item(number)) }
    helper.wait()
    subscription.cancel()
    return subscriber.fault
  }
}

var values: [Case] {
  [
    Case("set-and-read/current-value") { faultOfSubject() },
    Case("set-and-read/published") { faultOfProperty() },
    Case("buffer-and-take/drop-oldest") { fault(whenFull: .dropOldest) },
    Case("buffer-and-take/drop-newest") { fault(whenFull: .dropNewest) },
  ]
}
