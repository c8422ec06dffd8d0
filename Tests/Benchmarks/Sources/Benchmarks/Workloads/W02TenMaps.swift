import AsyncAlgorithms
import OpenCombine
import Weir

private let count = 100_000

/// OpenCombine makes one operator of maps that follow each other.
extension Workload {
  static var tenMaps: Workload {
    Workload(
      "W2", "sequence → 10 × map → sink", operations: count,
      expected: (0..<count).reduce(0) { $0 &+ $1 &+ 10 }, bound: .timesLimit(1.5),
      limit: limit,
      weir: { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count)) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) },
      asyncAlgorithms: { blocking { await viaAsyncAlgorithms((0..<count).async) } })
  }
}

private struct Closures {
  let map1, map2, map3, map4, map5, map6, map7, map8, map9, map10: (Int) -> Int
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Closures) {
  for element in 0..<count {
    let half = closures.map5(closures.map4(closures.map3(closures.map2(closures.map1(element)))))
    closures.sink(closures.map10(closures.map9(closures.map8(closures.map7(closures.map6(half))))))
  }
}

private func limit() -> Int {
  var sum = 0
  loop(
    Closures(
      map1: { $0 &+ 1 }, map2: { $0 &+ 1 }, map3: { $0 &+ 1 }, map4: { $0 &+ 1 }, map5: { $0 &+ 1 },
      map6: { $0 &+ 1 }, map7: { $0 &+ 1 }, map8: { $0 &+ 1 }, map9: { $0 &+ 1 }, map10: { $0 &+ 1 },
      sink: { sum = sum &+ $0 }))
  return sum
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
    .sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
    .sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaAsyncAlgorithms(_ source: some AsyncSequence<Int, Never>) async -> Int {
  var sum = 0
  let mapped =
    source
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
    .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
  for await value in mapped { sum = sum &+ value }
  return sum
}
