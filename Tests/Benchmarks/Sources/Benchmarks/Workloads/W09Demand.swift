import OpenCombine
import Weir

private let count = 200_000

/// How a subscriber asks for the next value.
private enum Asking {
  case byReturning, byRequesting
}

extension Workload {
  static var demandReturned: Workload {
    demand("W9 return", "sequence → map → filter → .max(1) again, returned", .byReturning, .timesLimit(2))
  }

  static var demandRequested: Workload {
    demand("W9 request", "sequence → map → filter → .max(1) again, requested", .byRequesting, .timesLimit(4))
  }

  private static func demand(_ name: String, _ title: String, _ asking: Asking, _ bound: Bound) -> Workload {
    Workload(
      name, title, operations: count,
      expected: (0..<count).lazy.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.reduce(0, &+), bound: bound,
      limit: { limit(asking) },
      weir: { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count), asking) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count), asking) })
  }
}

/// What is asked for, and the sum of what comes.
private final class ByHand {
  var demand = 0
  var sum = 0

  @inline(never)
  func request(_ more: Int) {
    demand += more
  }
}

private struct Closures {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let receive: (Int) -> Int
}

@inline(never)
private func loop(_ closures: Closures, _ byHand: ByHand) {
  var elements = (0..<count).makeIterator()
  while byHand.demand > 0, let element = elements.next() {
    byHand.demand -= 1
    let mapped = closures.map(element)
    byHand.demand += closures.filter(mapped) ? closures.receive(mapped) : 1
  }
}

@inline(never)
private func limit(_ asking: Asking) -> Int {
  let byHand = ByHand()
  byHand.request(1)
  switch asking {
  case .byReturning:
    loop(
      Closures(
        map: { $0 &+ 1 }, filter: { $0 & 3 != 0 },
        receive: { value in
          byHand.sum = byHand.sum &+ value
          return 1
        }), byHand)
  case .byRequesting:
    loop(
      Closures(
        map: { $0 &+ 1 }, filter: { $0 & 3 != 0 },
        receive: { value in
          byHand.sum = byHand.sum &+ value
          byHand.request(1)
          return 0
        }), byHand)
  }
  return byHand.sum
}

private final class WeirSubscriber: Weir.Subscriber {
  private let asking: Asking
  private(set) var sum = 0
  private var subscription: (any Weir.Subscription)?

  init(_ asking: Asking) {
    self.asking = asking
  }

  func receive(subscription: any Weir.Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ value: Int) -> Weir.Subscribers.Demand {
    sum = sum &+ value
    if asking == .byReturning { return .max(1) }
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: Weir.Subscribers.Completion<Never>) {
    subscription = nil
  }
}

private final class OpenCombineSubscriber: OpenCombine.Subscriber {
  private let asking: Asking
  private(set) var sum = 0
  private var subscription: (any OpenCombine.Subscription)?

  init(_ asking: Asking) {
    self.asking = asking
  }

  func receive(subscription: any OpenCombine.Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ value: Int) -> OpenCombine.Subscribers.Demand {
    sum = sum &+ value
    if asking == .byReturning { return .max(1) }
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: OpenCombine.Subscribers.Completion<Never>) {
    subscription = nil
  }
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>, _ asking: Asking) -> Int {
  let subscriber = WeirSubscriber(asking)
  source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.subscribe(subscriber)
  return subscriber.sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>, _ asking: Asking) -> Int {
  let subscriber = OpenCombineSubscriber(asking)
  source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.subscribe(subscriber)
  return subscriber.sum
}
