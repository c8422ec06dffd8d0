import AsyncAlgorithms
import OpenCombine
import Weir

private let count = 1000

extension Workload {
  static var flatMap: Workload {
    Workload(
      "W7", "flatMap: 1,000 sequences of 1,000", operations: count * count,
      expected: (0..<count).reduce(0, &+) &* count, bound: .timesLimit(3),
      limit: limit,
      weir: { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count)) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) },
      asyncAlgorithms: { blocking { await viaAsyncAlgorithms((0..<count).async) } })
  }
}

private struct Closures {
  let transform: (Int) -> Range<Int>
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Closures) {
  for outer in 0..<count {
    for value in closures.transform(outer) { closures.sink(value) }
  }
}

private func limit() -> Int {
  var sum = 0
  loop(Closures(transform: { _ in 0..<count }, sink: { sum = sum &+ $0 }))
  return sum
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .flatMap { _ in Weir.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count) }
    .sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .flatMap { _ in OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count) }
    .sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaAsyncAlgorithms(_ source: some AsyncSequence<Int, Never>) async -> Int {
  var sum = 0
  for await value in source.flatMap({ _ in (0..<count).async }) { sum = sum &+ value }
  return sum
}
