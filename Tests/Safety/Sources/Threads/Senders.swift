// Two threads that send into the library's subjects, and into a publisher that doesn't serialize its deliveries.

import Cases
import Dispatch
import Synchronization
import Weir

private let count = 50_000

private typealias Items = AnyPublisher<Item, Oops>
private typealias Groups = AnyPublisher<[Item], Oops>

/// A stateful operator, whose output contains as many items as its input.
private struct Operation {
  let name: String
  let onSubject: @Sendable (PassthroughSubject<Item, Oops>) -> Groups
  let onCareless: @Sendable (CarelessPublisher) -> Groups

  init(
    _ name: String, onSubject: @escaping @Sendable (PassthroughSubject<Item, Oops>) -> Groups,
    onCareless: @escaping @Sendable (CarelessPublisher) -> Groups
  ) {
    self.name = name
    self.onSubject = onSubject
    self.onCareless = onCareless
  }
}

private func one(_ items: Items) -> Groups {
  items.map { [$0] }.eraseToAnyPublisher()
}

// Each operator is applied to the publisher itself. An erased publisher would hide the type from the library.
private let operations = [
  Operation(
    "collect", onSubject: { $0.collect(10).eraseToAnyPublisher() },
    onCareless: { $0.collect(10).eraseToAnyPublisher() }),
  Operation(
    "scan",
    onSubject: { source in
      one(source.scan(Item(0)) { (_: Item, new: Item) -> Item in Item(new.number) }.eraseToAnyPublisher())
    },
    onCareless: { source in
      one(source.scan(Item(0)) { (_: Item, new: Item) -> Item in Item(new.number) }.eraseToAnyPublisher())
    }),
  Operation(
    "removeDuplicates", onSubject: { one($0.removeDuplicates().eraseToAnyPublisher()) },
    onCareless: { one($0.removeDuplicates().eraseToAnyPublisher()) }),
]

/// Two threads that send different items to a sink, and a completion after them.
private struct Senders {
  let publisher: Groups
  var expected = 2 * count
  let send: @Sendable (Item) -> Void
  let complete: () -> Void

  /// Describes the fault in the sink's events.
  var fault: String? {
    let watch = Watch()
    let sink = publisher.sink(
      receiveCompletion: { _ in watch.complete() }, receiveValue: { items in watch.enter(items.count) })
    let isDone = onTwoThreads { [send] thread in
      for number in 0..<count { send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    complete()
    return withExtendedLifetime(sink) { watch.fault(expecting: expected) }
  }
}

/// Describes the first fault of several rounds.
///
/// Two threads do not collide in every round.
private func fault(rounds: Int = 20, _ round: () -> Senders) -> String? {
  for _ in 0..<rounds {
    if let fault = round().fault { return fault }
  }
  return nil
}

// MARK: The library's subjects

private func fault(of operation: (PassthroughSubject<Item, Oops>) -> Groups) -> String? {
  fault {
    let subject = PassthroughSubject<Item, Oops>()
    return Senders(publisher: operation(subject), send: { subject.send($0) }) { subject.send(completion: .finished) }
  }
}

private func faultOfCurrentValue() -> String? {
  fault {
    let subject = CurrentValueSubject<Item, Oops>(Item(-1))
    // The initial value is received too.
    return Senders(
      publisher: one(subject.eraseToAnyPublisher()), expected: 2 * count + 1, send: { subject.send($0) }
    ) { subject.send(completion: .finished) }
  }
}

var subjects: [Case] {
  [
    Case("subject/sink") { fault(of: { one($0.eraseToAnyPublisher()) }) },
    Case("current-value/sink") { faultOfCurrentValue() },
  ] + operations.map { operation in Case("subject/\(operation.name)") { fault(of: operation.onSubject) } }
}

// MARK: A publisher that breaks the rule of serial delivery

/// Delivers on the thread that sends, without a lock, and sends its subscription only when told to, if it is silent.
final class CarelessPublisher: Publisher, @unchecked Sendable {
  typealias Output = Item
  typealias Failure = Oops

  // Safety: set before the first thread starts.
  private var subscriber: AnySubscriber<Item, Oops>?

  private let isSilent: Bool

  init(isSilent: Bool = false) { self.isSilent = isSilent }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Oops {
    self.subscriber = AnySubscriber(subscriber)
    if !isSilent { subscribe() }
  }

  func subscribe() { subscriber?.receive(subscription: Subscriptions.empty) }

  func send(_ item: Item) { _ = subscriber?.receive(item) }

  func complete() { subscriber?.receive(completion: .finished) }
}

/// Sends to one of the library's own subscribers, without an operator between.
private func fault(_ attach: @escaping (CarelessPublisher, Watch) -> Any) -> String? {
  for _ in 0..<60 {
    let (publisher, watch) = (CarelessPublisher(), Watch())
    let kept = attach(publisher, watch)
    let isDone = onTwoThreads { thread in
      for number in 0..<count { publisher.send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    publisher.complete()
    let fault = withExtendedLifetime(kept) { watch.fault(expecting: 2 * count) }
    if let fault { return fault }
  }
  return nil
}

private func sink(_ watch: Watch) -> Subscribers.Sink<Item, Oops> {
  Subscribers.Sink(receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
}

private var carelessToSubscribers: [Case] {
  [
    Case("careless/sink") {
      fault { publisher, watch in
        publisher.sink(receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
      }
    },
    Case("careless/own-sink") {
      fault { publisher, watch in
        let sink = sink(watch)
        publisher.subscribe(sink)
        return sink
      }
    },
    Case("careless/erased-sink") {
      fault { publisher, watch in publisher.subscribe(AnySubscriber(sink(watch))) }
    },
    Case("careless/closures") {
      fault { publisher, watch in
        publisher.subscribe(
          AnySubscriber(
            receiveSubscription: { $0.request(.unlimited) },
            receiveValue: { _ in
              watch.enter()
              return .none
            }, receiveCompletion: { _ in watch.complete() }))
      }
    },
    Case("careless/subject") {
      fault { publisher, watch in
        let subject = PassthroughSubject<Item, Oops>()
        subject.subscribe(sink(watch))
        return publisher.subscribe(subject)
      }
    },
  ]
}

/// Operators that pass on what comes before the subscription, which comes in the middle of the values.
private var early: [Case] {
  let operations: [(String, @Sendable (CarelessPublisher) -> Groups)] = [
    (
      "tryScan",
      { source in
        one(
          source.tryScan(Item(0)) { (_: Item, new: Item) throws -> Item in Item(new.number) }
            .mapError { _ in Oops() }.eraseToAnyPublisher())
      }
    ),
    ("dropFirst", { one($0.dropFirst(0).eraseToAnyPublisher()) }),
    ("output(in:)", { one($0.output(in: 0...).eraseToAnyPublisher()) }),
  ]
  return operations.map { name, operation in
    Case("early/\(name)") {
      fault(rounds: 20) {
        let publisher = CarelessPublisher(isSilent: true)
        let send: @Sendable (Item) -> Void = { item in
          if item.number == count { publisher.subscribe() }
          publisher.send(item)
        }
        return Senders(publisher: operation(publisher), send: send) { publisher.complete() }
      }
    }
  }
}

var careless: [Case] {
  carelessToSubscribers + early
    + operations.map { operation in
      Case("careless/\(operation.name)") {
        fault(rounds: 30) {
          let publisher = CarelessPublisher()
          return Senders(publisher: operation.onCareless(publisher), send: { publisher.send($0) }) {
            publisher.complete()
          }
        }
      }
    }
}
