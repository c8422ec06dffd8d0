import OpenCombine
import Weir

private let count = 200_000

extension Workload {
  /// The limit makes the one indirect call more that an erasure may cost, so the bound is that of W1.
  static var erased: Workload {
    Workload(
      "W17", "W1 with eraseToAnyPublisher() in the middle (limit with one call more)", operations: count,
      expected: (0..<count).lazy.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0, &+),
      bound: .timesLimit(1.5),
      limit: limit,
      weir: { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count)) },
      openCombine: { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) })
  }
}

private struct Closures {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let mapAgain: (Int) -> Int
  let sink: (Int) -> Void
}

private struct Erased {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let rest: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Erased) {
  for element in 0..<count {
    let mapped = closures.map(element)
    if closures.filter(mapped) { closures.rest(mapped) }
  }
}

@inline(never)
private func rest(of closures: Closures) -> (Int) -> Void {
  { closures.sink(closures.mapAgain($0)) }
}

private func limit() -> Int {
  var sum = 0
  let closures = Closures(
    map: { $0 &+ 1 }, filter: { $0 & 3 != 0 }, mapAgain: { $0 &* 3 }, sink: { sum = sum &+ $0 })
  loop(Erased(map: closures.map, filter: closures.filter, rest: rest(of: closures)))
  return sum
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.eraseToAnyPublisher().map { $0 &* 3 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.eraseToAnyPublisher().map { $0 &* 3 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}
