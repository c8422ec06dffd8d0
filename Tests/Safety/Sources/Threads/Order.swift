// What two threads send: the values that the subscriber has requested arrive, and those that a thread sends inside a
// delivery arrive behind those that another thread has sent before.

import Cases
import Weir

private typealias Source = PassthroughSubject<Item, Oops>
private typealias Items = AnyPublisher<Item, Oops>

// MARK: Demand for all values

/// Requests as many values as are sent, once.
private final class Asker: Subscriber {
  typealias Input = Item
  typealias Failure = Oops

  private let count: Int
  private let watch: Watch

  init(of count: Int, counting watch: Watch) {
    self.count = count
    self.watch = watch
  }

  func receive(subscription: any Subscription) { subscription.request(.max(count)) }

  func receive(_ input: Item) -> Subscribers.Demand {
    watch.enter()
    return .none
  }

  func receive(completion: Subscribers.Completion<Oops>) { watch.complete() }
}

/// Describes the first round in which a value is lost, although each upstream has demand for one value at a time.
private func faultOfDemand(_ make: @escaping (Source, Source) -> Items) -> String? {
  fault { helper, delay in
    let (a, b, watch) = (Source(), Source(), Watch())
    make(a, b).subscribe(Asker(of: 200, counting: watch))
    helper.run { for number in 0..<100 { a.send(Item(number)) } }
    pause(delay)
    for number in 0..<100 { b.send(Item(number)) }
    helper.wait()
    a.send(completion: .finished)
    b.send(completion: .finished)
    return watch.fault(expecting: 200)
  }
}

// MARK: Nested values

/// Describes a wrong order of a value that a second thread sends during a delivery, and of one that the subscriber
/// sends then.
private func faultOfNesting(_ send: @escaping @Sendable (Item) -> Void, through publisher: Items) -> String? {
  let helper = Helper()
  defer { helper.end() }
  var numbers: [Int] = []
  let sink = publisher.sink(receiveCompletion: { _ in }) { item in
    numbers.append(item.number)
    guard item.number == 0 else { return }
    helper.run { send(Item(1)) }
    helper.wait()
    send(Item(2))
  }
  send(Item(0))
  return withExtendedLifetime(sink) { numbers == [0, 1, 2] ? nil : "received \(numbers) instead of [0, 1, 2]" }
}

private func nested(_ subject: some Subject<Item, Oops>) -> String? {
  // Safety: a subject may be used on any thread.
  nonisolated(unsafe) let send = { (item: Item) in subject.send(item) }
  return faultOfNesting({ send($0) }, through: subject.filter { $0.number >= 0 }.eraseToAnyPublisher())
}

var order: [Case] {
  [
    Case("demand-for-all/merge") { faultOfDemand { $0.merge(with: $1).eraseToAnyPublisher() } },
    Case("demand-for-all/flatMap") { faultOfDemand { [$0, $1].publisher.flatMap { $0 }.eraseToAnyPublisher() } },
    Case("nested/passthrough") { nested(Source()) },
    Case("nested/current-value") { nested(CurrentValueSubject<Item, Oops>(Item(-1))) },
    Case("nested/careless") {
      let careless = CarelessPublisher()
      return faultOfNesting({ careless.send($0) }, through: careless.map { $0 }.eraseToAnyPublisher())
    },
  ]
}
