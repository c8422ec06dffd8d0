// Successive upstreams: the first completes during its own delivery, and the next delivers on another thread while the
// subscriber is still in that delivery.

import Cases
import Dispatch
import Weir
import WeirDispatch
import WeirRx

private typealias Source = PassthroughSubject<Item, Oops>
private typealias Items = AnyPublisher<Item, Oops>

/// An operator whose second upstream follows the first when that completes, or fails.
private struct Succession {
  let name: String
  let end: Subscribers.Completion<Oops>
  let make: (_ first: Source, _ second: Items) -> Items

  init(
    _ name: String, after end: Subscribers.Completion<Oops>,
    _ make: @escaping (_ first: Source, _ second: Items) -> Items
  ) {
    self.name = name
    self.end = end
    self.make = make
  }
}

/// A publisher that is the first one at the first subscription, and the second one from then on.
private func turns(_ first: Source, _ second: Items) -> Items {
  var isFirst = true
  return Deferred {
    defer { isFirst = false }
    return isFirst ? first.eraseToAnyPublisher() : second
  }.eraseToAnyPublisher()
}

private let failure = Subscribers.Completion<Oops>.failure(Oops())

private var all: [Succession] {
  [
    Succession("append", after: .finished) { $0.append($1).eraseToAnyPublisher() },
    Succession("prepend", after: .finished) { $1.prepend($0).eraseToAnyPublisher() },
    Succession("repeated", after: .finished) { turns($0, $1).repeated(2).eraseToAnyPublisher() },
    Succession("catch", after: failure) { first, second in
      first.catch { (_: Oops) -> Items in second }.eraseToAnyPublisher()
    },
    Succession("retry", after: failure) { turns($0, $1).retry(1).eraseToAnyPublisher() },
  ]
}

/// Describes the first fault of several rounds.
///
/// Every wait is bounded, so a serialized delivery doesn't hang.
private func fault(of succession: Succession, isScanned: Bool) -> String? {
  for _ in 0..<10 {
    let first = Source()
    let queue = DispatchQueue(label: "second")
    let second = Just(Item(2)).receive(on: queue).setFailureType(to: Oops.self).eraseToAnyPublisher()
    var items = succession.make(first, second)
    if isScanned {
      items = items.scan(Item(0)) { (_: Item, new: Item) -> Item in Item(new.number) }.eraseToAnyPublisher()
    }
    let watch = Watch()
    let delivered = DispatchSemaphore(value: 0)
    let completed = DispatchSemaphore(value: 0)
    let sink = items.sink { _ in
      watch.complete()
      completed.signal()
    } receiveValue: { item in
      watch.enter {
        if item.number == 2 { return _ = delivered.signal() }
        first.send(completion: succession.end)
        // A serialized delivery doesn't arrive during this wait.
        _ = delivered.wait(timeout: .now() + .milliseconds(100))
      }
    }
    first.send(Item(1))
    if completed.wait(timeout: .now() + .seconds(1)) == .timedOut { return "no completion came" }
    if let fault = withExtendedLifetime(sink, { watch.fault(expecting: 2) }) { return fault }
  }
  return nil
}

var successions: [Case] {
  all.flatMap { succession in
    [
      Case("succession/\(succession.name)") { fault(of: succession, isScanned: false) },
      Case("succession/\(succession.name)-scan") { fault(of: succession, isScanned: true) },
    ]
  }
}
