// Asynchronous calls, for the values of two threads: of a closure whose result isn't `Sendable`, and of functions with and
// without an actor.

import Cases
import Weir
import WeirRx

/// A result that isn't `Sendable`.
private final class Box {
  let item: Item

  init(_ item: Item) { self.item = item }
}

private actor Keeper {
  private var last: Item?

  func keep(_ item: Item) -> Item {
    last = item
    return item
  }
}

private func pass(_ item: Item) async throws(Oops) -> Item {
  await Task.yield()
  return item
}

/// Describes the first fault of several rounds.
private func fault(
  of calls: (PassthroughSubject<Item, Oops>) -> AnyPublisher<Item, any Error>
) -> String? {
  let count = 500
  for _ in 0..<20 {
    let (subject, watch) = (PassthroughSubject<Item, Oops>(), Watch())
    let sink = calls(subject).sink(
      receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
    let isDone = onTwoThreads { (thread: Int) in
      for number in 0..<count { subject.send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    subject.send(completion: .finished)
    if let fault = withExtendedLifetime(sink, { watch.fault(expecting: 2 * count) }) { return fault }
  }
  return nil
}

var asyncCalls: [Case] {
  let keeper = Keeper()
  return [
    Case("async-map/boxes") {
      fault { subject in
        subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
          .asyncMap(maxPublishers: .max(4)) { (item: Item) async throws(Oops) -> sending Box in
            await Task.yield()
            let box = Box(item)
            return box
          }
          .map(\.item).mapError { $0 as any Error }.eraseToAnyPublisher()
      }
    },
    Case("async-map/functions") {
      fault { subject in
        subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
          .asyncMap(pass).mapError { $0 as any Error }
          .asyncMap(maxPublishers: .max(4)) { item in await keeper.keep(item) }.eraseToAnyPublisher()
      }
    },
  ]
}
