import AsyncAlgorithms
import InWeir
import OpenCombine
import Weir

private let count = 200_000

extension Workload {
  static var sequence: Workload {
    Workload(
      "W1", "sequence → map → filter → map → sink", operations: count,
      expected: expectedSum, bound: .timesLimit(1.5),
      limit: limit,
      weir: { InWeir.sequence(count) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) },
      asyncAlgorithms: { blocking { await viaAsyncAlgorithms((0..<count).async) } })
  }

  /// What people write; the limit is Weir's own W1.
  static var sequenceDirectly: Workload {
    Workload(
      "W1s", "the same, directly on the sequence (limit: Weir's W1)", operations: count,
      expected: expectedSum, bound: .timesLimit(1),
      limit: { InWeir.sequence(count) },
      weir: directlyViaWeir,
      openCombine: directlyViaOpenCombine)
  }
}

private var expectedSum: Int {
  (0..<count).lazy.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0, &+)
}

private struct Closures {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let mapAgain: (Int) -> Int
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Closures) {
  for element in 0..<count {
    let mapped = closures.map(element)
    if closures.filter(mapped) { closures.sink(closures.mapAgain(mapped)) }
  }
}

private func limit() -> Int {
  var sum = 0
  loop(Closures(map: { $0 &+ 1 }, filter: { $0 & 3 != 0 }, mapAgain: { $0 &* 3 }, sink: { sum = sum &+ $0 }))
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaAsyncAlgorithms(_ source: some AsyncSequence<Int, Never>) async -> Int {
  var sum = 0
  for await value in source.map({ $0 &+ 1 }).filter({ $0 & 3 != 0 }).map({ $0 &* 3 }) { sum = sum &+ value }
  return sum
}

@inline(never)
private func directlyViaWeir() -> Int {
  var sum = 0
  let source: Weir.Publishers.Sequence<Range<Int>, Never> = (0..<count).publisher
  let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func directlyViaOpenCombine() -> Int {
  var sum = 0
  let source: OpenCombine.Publishers.Sequence<Range<Int>, Never> = (0..<count).publisher
  let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}
