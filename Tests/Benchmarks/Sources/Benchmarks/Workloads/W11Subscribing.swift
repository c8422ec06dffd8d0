import InWeir
import OpenCombine
import Synchronization
import Weir

private let count = 10_000
private let crowd = 10_000

extension Workload {
  static var subscribingToJust: Workload {
    Workload(
      "W11 Just", "make Just → map → filter → sink and cancel it", operations: count,
      expected: (0..<count).lazy.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.reduce(0, &+), bound: .timesLimit(2),
      allocations: 3, limit: justByHand, weir: { InWeir.subscribingToJust(count) }, openCombine: justInOpenCombine)
  }

  static var subscribingToSubject: Workload {
    subscribing("W11 subject", "make subject → map → filter → sink and cancel it", others: 0)
  }

  static var subscribingToCrowdedSubject: Workload {
    subscribing("W11 crowd", "the same on a subject with 10,000 subscribers", others: crowd)
  }

  private static func subscribing(_ name: String, _ title: String, others: Int) -> Workload {
    let byHand = HubByHand()
    let weir = Weir.PassthroughSubject<Int, Never>()
    let openCombine = OpenCombine.PassthroughSubject<Int, Never>()
    let ofHub = (0..<others).map { _ in byHand.subscribe(ClosuresByHand { _ in }) }
    let ofWeir = (0..<others).map { _ in weir.sink { _ in } }
    let ofOpenCombine = (0..<others).map { _ in openCombine.sink { _ in } }
    return Workload(
      name, title, operations: count, expected: 0, bound: .timesLimit(2), allocations: 4,
      limit: { withExtendedLifetime(ofHub) { subscribe(to: byHand) } },
      weir: { withExtendedLifetime(ofWeir) { InWeir.subscribing(to: weir, count) } },
      openCombine: { withExtendedLifetime(ofOpenCombine) { subscribe(to: openCombine) } })
  }
}

// By hand a subscription is an object with the closures, and the object that cancels it when it is released is another,
// because that is what its user holds. Any thread may use either.

private struct ClosuresByHand {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let sink: (Int) -> Void

  init(sink: @escaping (Int) -> Void) {
    map = { $0 &+ 1 }
    filter = { $0 & 3 != 0 }
    self.sink = sink
  }
}

private final class SubscriptionByHand: Sendable {
  private struct State: @unchecked Sendable {
    var closures: ClosuresByHand?
    var index: Int
  }

  private let state: Mutex<State>
  private let hub: HubByHand?

  init(_ closures: ClosuresByHand, index: Int = 0, of hub: HubByHand? = nil) {
    state = Mutex(State(closures: closures, index: index))
    self.hub = hub
  }

  func receive(_ value: Int) {
    guard let closures = state.withLock({ $0.closures }) else { return }
    let mapped = closures.map(value)
    if closures.filter(mapped) { closures.sink(mapped) }
  }

  func cancel() {
    let (released, index) = state.withLock { ($0.closures.take(), $0.index) }
    if released != nil { hub?.remove(index) }
  }
}

private final class CancellableByHand: Sendable {
  private let subscription: Mutex<SubscriptionByHand?>

  init(_ subscription: SubscriptionByHand) {
    self.subscription = Mutex(subscription)
  }

  func cancel() {
    subscription.withLock { $0.take() }?.cancel()
  }

  deinit {
    cancel()
  }
}

/// Keeps its subscriptions in an array, in which the gaps are filled again.
private final class HubByHand: Sendable {
  private struct State {
    var subscriptions: [SubscriptionByHand?] = []
    var gaps: [Int] = []
  }

  private let state = Mutex(State())

  func subscribe(_ closures: ClosuresByHand) -> CancellableByHand {
    let index = state.withLock { state in
      if let gap = state.gaps.popLast() { return gap }
      state.subscriptions.append(nil)
      return state.subscriptions.count - 1
    }
    let subscription = SubscriptionByHand(closures, index: index, of: self)
    state.withLock { $0.subscriptions[index] = subscription }
    return CancellableByHand(subscription)
  }

  func remove(_ index: Int) {
    let released = state.withLock { state in
      state.gaps.append(index)
      return state.subscriptions[index].take()
    }
    withExtendedLifetime(released) {}
  }
}

// The result leaves the function before it is cancelled, as in a program that stores it, so it can't live on the stack.

private func justByHand() -> Int {
  let total = Total()
  for value in 0..<count { makeByHand(value, total).cancel() }
  return total.sum
}

private func justInOpenCombine() -> Int {
  let total = Total()
  for value in 0..<count { make(OpenCombine.Just(value), total).cancel() }
  return total.sum
}

private func subscribe(to hub: HubByHand) -> Int {
  let total = Total()
  for _ in 0..<count { make(hub, total).cancel() }
  return total.sum
}

private func subscribe(to subject: OpenCombine.PassthroughSubject<Int, Never>) -> Int {
  let total = Total()
  for _ in 0..<count { make(subject, total).cancel() }
  return total.sum
}

@inline(never)
private func makeByHand(_ value: Int, _ total: Total) -> CancellableByHand {
  let subscription = SubscriptionByHand(ClosuresByHand { total.sum = total.sum &+ $0 })
  subscription.receive(value)
  return CancellableByHand(subscription)
}

@inline(never)
private func make(_ hub: HubByHand, _ total: Total) -> CancellableByHand {
  hub.subscribe(ClosuresByHand { total.sum = total.sum &+ $0 })
}

@inline(never)
private func make(_ source: some OpenCombine.Publisher<Int, Never>, _ total: Total) -> OpenCombine.AnyCancellable {
  source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { total.sum = total.sum &+ $0 }
}
