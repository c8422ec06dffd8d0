import Dispatch
import OpenCombine
import OpenCombineDispatch
import Weir
import WeirDispatch

private let count = 100_000

extension Workload {
  static var receiveOn: Workload {
    Workload(
      "W12", "sequence → receive(on: serial queue) → sink (limit: queue.async)", operations: count,
      expected: (0..<count).reduce(0, &+), bound: .timesLimit(1.1),
      limit: limit, weir: { viaWeir(hops: .oneForEach) }, openCombine: viaOpenCombine)
  }

  /// The same with all values that wait taken along by one hop.
  static var receiveOnDraining: Workload {
    Workload(
      "W12 drain", "the same, one hop for all that wait", operations: count,
      expected: (0..<count).reduce(0, &+), bound: .timesLimit(0.3), limit: limit, weir: { viaWeir(hops: .oneForAll) })
  }
}

private struct ByHand: @unchecked Sendable {
  let sink: (Int) -> Void
}

@inline(never)
private func limit() -> Int {
  let queue = DispatchQueue(label: "by hand")
  let total = Total()
  let byHand = ByHand { total.sum = total.sum &+ $0 }
  for value in 0..<count { queue.async { byHand.sink(value) } }
  queue.sync {}
  return total.sum
}

@inline(never)
private func viaWeir(hops: Weir.Publishers.HopStrategy) -> Int {
  let queue = DispatchQueue(label: "Weir")
  let isDone = DispatchSemaphore(value: 0)
  let total = Total()
  let subscription = Weir.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
    .receive(on: queue, hops: hops)
    .sink(receiveCompletion: { _ in isDone.signal() }, receiveValue: { total.sum = total.sum &+ $0 })
  isDone.wait()
  withExtendedLifetime(subscription) {}
  return total.sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  let queue = DispatchQueue(label: "OpenCombine")
  let isDone = DispatchSemaphore(value: 0)
  let total = Total()
  let subscription = OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
    .receive(on: queue.ocombine)
    .sink(receiveCompletion: { _ in isDone.signal() }, receiveValue: { total.sum = total.sum &+ $0 })
  isDone.wait()
  withExtendedLifetime(subscription) {}
  return total.sum
}
