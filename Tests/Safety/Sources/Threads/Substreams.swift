// `create`, windows, groups and `share(replay:)`: one thread attaches or cancels while another sends.

import Cases
import Synchronization
import Weir
import WeirRx

private typealias Items = AnyPublisher<Item, Oops>

private let count = 20

/// Checks that a subscriber receives items in order, one at a time, and at most one completion.
private final class Checks: Sendable {
  private let watch = Watch()
  private let last = Atomic<Int>(-1)
  private let isOutOfOrder = Atomic<Bool>(false)

  func sink(_ publisher: Items) -> AnyCancellable {
    publisher.sink(
      receiveCompletion: { [self] _ in watch.complete() },
      receiveValue: { [self] item in watch.enter { receive(item.number) } })
  }

  private func receive(_ number: Int) {
    let before = last.exchange(number, ordering: .relaxed)
    if number <= before || watch.completions > 0 { isOutOfOrder.store(true, ordering: .relaxed) }
  }

  /// Describes what is wrong without a cancellation: then all `count` items and the completion arrive.
  var fault: String? { watch.fault(expecting: count) ?? faultOfPart }

  /// Describes what is wrong with a cancellation: then some of the items arrive.
  var faultOfPart: String? {
    isOutOfOrder.load(ordering: .acquiring) ? "received a value out of order" : watch.overlap
  }
}

/// Sends all items.
private func sendAll(_ send: (Item) -> Void) {
  for number in 0..<count { send(Item(number)) }
}

// MARK: Cancellations

/// Sends on the helper's thread, and cancels on this one.
private func faultOfCancellation(_ make: (_ source: PassthroughSubject<Item, Oops>) -> Items) -> String? {
  fault { helper, delay in
    let (source, checks) = (PassthroughSubject<Item, Oops>(), Checks())
    let subscription = checks.sink(make(source))
    helper.run {
      sendAll(source.send)
      source.send(completion: .finished)
    }
    pause(delay)
    subscription.cancel()
    helper.wait()
    return checks.faultOfPart
  }
}

/// Counts its cancellations.
private final class Resource: Cancellable, Sendable {
  private let cancellations = Atomic<Int>(0)

  func cancel() { cancellations.wrappingAdd(1, ordering: .relaxed) }

  var fault: String? {
    let count = cancellations.load(ordering: .acquiring)
    return count == 1 ? nil : "the resource was cancelled \(count) times"
  }
}

/// Sends on the helper's thread through an emitter, and cancels on this one.
private func faultOfEmitter(_ strategy: BackpressureStrategy<Oops>) -> String? {
  fault { helper, delay in
    let (checks, resource) = (Checks(), Resource())
    var emitter: Publishers.Create<Item, Oops>.Emitter?
    let items = Items.create(strategy) { new in
      emitter = new
      return resource
    }
    let subscription = checks.sink(items)
    guard let emitter = emitter.take() else { return "the closure did not run" }
    helper.run {
      sendAll(emitter.send)
      emitter.send(completion: .finished)
    }
    pause(delay)
    subscription.cancel()
    helper.wait()
    return checks.faultOfPart ?? resource.fault
  }
}

var cancellations: [Case] {
  [
    Case("cancel-elsewhere/create") { faultOfEmitter(.bufferAll) },
    Case("cancel-elsewhere/create-latest") { faultOfEmitter(.latest) },
    Case("cancel-elsewhere/window") {
      faultOfCancellation { source in source.window(count: 7).flatMap { $0 }.eraseToAnyPublisher() }
    },
    Case("cancel-elsewhere/groupBy") {
      faultOfCancellation { source in source.groupBy { $0.number / 7 }.flatMap { $0 }.eraseToAnyPublisher() }
    },
    Case("cancel-elsewhere/share-replay") {
      faultOfCancellation { source in source.share(replay: 3).eraseToAnyPublisher() }
    },
  ]
}

// MARK: Attachments

/// Sends on this thread, and attaches a subscriber on the helper's; `cancels` if the subscriber cancels immediately.
private func faultOfAttachment(
  cancels: Bool, _ make: (PassthroughSubject<Item, Oops>) -> AnyPublisher<Items, Oops>
) -> String? {
  fault { helper, delay in
    let (source, checks) = (PassthroughSubject<Item, Oops>(), Checks())
    var part: Items?
    let outer = make(source).sink(receiveCompletion: { _ in }, receiveValue: { part = $0 })
    source.send(Item(0))
    guard let items = part.take() else { return "there is no part" }
    var inner: AnyCancellable?
    helper.run {
      inner = checks.sink(items)
      if cancels { inner?.cancel() }
    }
    pause(delay)
    for number in 1..<count { source.send(Item(number)) }
    source.send(completion: .finished)
    helper.wait()
    return withExtendedLifetime((outer, inner)) { cancels ? checks.faultOfPart : checks.fault }
  }
}

private func oneWindow(_ source: PassthroughSubject<Item, Oops>) -> AnyPublisher<Items, Oops> {
  source.window(count: count).eraseToAnyPublisher()
}

private func oneGroup(_ source: PassthroughSubject<Item, Oops>) -> AnyPublisher<Items, Oops> {
  source.groupBy { _ in 0 }.map { $0.eraseToAnyPublisher() }.eraseToAnyPublisher()
}

/// Attaches and cancels on both threads, while the publisher replays.
private func faultOfReplay() -> String? {
  fault { helper, delay in
    let items = Record<Item, Oops>(output: (0..<count).map(Item.init), completion: .finished).share(replay: 3)
      .eraseToAnyPublisher()
    let (first, second) = (Checks(), Checks())
    helper.run { first.sink(items).cancel() }
    pause(delay)
    second.sink(items).cancel()
    helper.wait()
    return first.faultOfPart ?? second.faultOfPart
  }
}

var attachments: [Case] {
  [
    Case("attach-elsewhere/window") { faultOfAttachment(cancels: false, oneWindow) },
    Case("attach-elsewhere/window-cancel") { faultOfAttachment(cancels: true, oneWindow) },
    Case("attach-elsewhere/groupBy") { faultOfAttachment(cancels: false, oneGroup) },
    Case("attach-elsewhere/groupBy-cancel") { faultOfAttachment(cancels: true, oneGroup) },
    Case("attach-elsewhere/share-replay") { faultOfReplay() },
  ]
}
