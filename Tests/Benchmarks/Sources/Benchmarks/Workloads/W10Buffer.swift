import AsyncAlgorithms
import OpenCombine
import Weir

private let count = 50_000

extension Workload {
  static var buffer: Workload {
    Workload(
      "W10", "sequence → buffer(64) → .max(1) at a time", operations: count,
      expected: (0..<count).reduce(0, &+), bound: .timesLimit(1.5),
      limit: limit, weir: viaWeir, openCombine: viaOpenCombine, asyncAlgorithms: viaAsyncAlgorithms)
  }
}

/// A buffer that is kept full, and emptied by one value for each that is asked for.
private final class ByHand {
  private var elements = (0..<count).makeIterator()
  private var waiting = Ring()
  private var demand = 0
  private var isDelivering = false
  var receive: ((Int) -> Void)?

  func request(_ more: Int) {
    demand += more
    if isDelivering { return }
    isDelivering = true
    while true {
      while !waiting.isFull, let element = elements.next() { waiting.append(element) }
      guard demand > 0, let value = waiting.popFirst() else { break }
      demand -= 1
      receive?(value)
    }
    isDelivering = false
  }
}

@inline(never)
private func limit() -> Int {
  var sum = 0
  let byHand = ByHand()
  byHand.receive = { [unowned byHand] value in
    sum = sum &+ value
    byHand.request(1)
  }
  byHand.request(1)
  return sum
}

private final class WeirSubscriber: Weir.Subscriber {
  private(set) var sum = 0
  private var subscription: (any Weir.Subscription)?

  func receive(subscription: any Weir.Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ value: Int) -> Weir.Subscribers.Demand {
    sum = sum &+ value
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: Weir.Subscribers.Completion<Never>) {
    subscription = nil
  }
}

private final class OpenCombineSubscriber: OpenCombine.Subscriber {
  private(set) var sum = 0
  private var subscription: (any OpenCombine.Subscription)?

  func receive(subscription: any OpenCombine.Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ value: Int) -> OpenCombine.Subscribers.Demand {
    sum = sum &+ value
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: OpenCombine.Subscribers.Completion<Never>) {
    subscription = nil
  }
}

@inline(never)
private func viaWeir() -> Int {
  let subscriber = WeirSubscriber()
  Weir.Publishers.Sequence(sequence: 0..<count)
    .buffer(size: Ring.capacity, prefetch: .keepFull, whenFull: .dropNewest)
    .subscribe(subscriber)
  return subscriber.sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  let subscriber = OpenCombineSubscriber()
  OpenCombine.Publishers.Sequence(sequence: 0..<count)
    .buffer(size: Ring.capacity, prefetch: .keepFull, whenFull: .dropNewest)
    .subscribe(subscriber)
  return subscriber.sum
}

@inline(never)
private func viaAsyncAlgorithms() -> Int {
  blocking {
    var sum = 0
    for await value in (0..<count).async.buffer(policy: .bounded(Ring.capacity)) { sum = sum &+ value }
    return sum
  }
}
