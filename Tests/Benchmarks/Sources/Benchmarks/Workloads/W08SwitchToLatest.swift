import OpenCombine
import Weir

private let count = 100_000

// An asynchronous sequence's flatMapLatest may leave values out, so there is no sum to expect of it.
extension Workload {
  static var switchToLatest: Workload {
    Workload(
      "W8", "switchToLatest over 100,000 Justs", operations: count,
      expected: (0..<count).reduce(0, &+), bound: .fasterThan(.openCombine, times: 8),
      limit: limit,
      weir: { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count)) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) })
  }
}

private struct Closures {
  let transform: (Int) -> Int
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Closures) {
  for value in 0..<count { closures.sink(closures.transform(value)) }
}

private func limit() -> Int {
  var sum = 0
  loop(Closures(transform: { $0 }, sink: { sum = sum &+ $0 }))
  return sum
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.map { Weir.Just($0) }.switchToLatest().sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.map { OpenCombine.Just($0) }.switchToLatest().sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}
