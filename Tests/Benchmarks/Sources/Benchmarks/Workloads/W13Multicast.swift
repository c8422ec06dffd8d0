import OpenCombine
import Weir

private let count = 20_000
private let sinks = 10

extension Workload {
  static var multicast: Workload {
    Workload(
      "W13", "sequence → multicast to 10 sinks, for each delivery", operations: count * sinks,
      expected: (0..<count).reduce(0, &+) &* sinks, bound: .timesLimit(2),
      limit: limit, weir: viaWeir, openCombine: viaOpenCombine)
  }
}

private struct ByHand {
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ all: [ByHand]) {
  for value in 0..<count {
    for each in all { each.sink(value) }
  }
}

@inline(never)
private func limit() -> Int {
  var sum = 0
  var all: [ByHand] = []
  for _ in 0..<sinks { all.append(ByHand { sum = sum &+ $0 }) }
  loop(all)
  return sum
}

@inline(never)
private func viaWeir() -> Int {
  var sum = 0
  let shared = Weir.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
    .multicast(subject: Weir.PassthroughSubject())
  var all: [Weir.AnyCancellable] = []
  for _ in 0..<sinks { all.append(shared.sink { sum = sum &+ $0 }) }
  let connection = shared.connect()
  withExtendedLifetime((all, connection)) {}
  return sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  var sum = 0
  let shared = OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
    .multicast(subject: OpenCombine.PassthroughSubject())
  var all: [OpenCombine.AnyCancellable] = []
  for _ in 0..<sinks { all.append(shared.sink { sum = sum &+ $0 }) }
  let connection = shared.connect()
  withExtendedLifetime((all, connection)) {}
  return sum
}
