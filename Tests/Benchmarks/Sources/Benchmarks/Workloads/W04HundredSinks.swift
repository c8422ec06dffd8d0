import OpenCombine
import Weir

private let count = 4000
private let sinks = 100

extension Workload {
  static var hundredSinks: Workload {
    Workload(
      "W4", "one subject, 100 sinks, for each delivery", operations: count * sinks,
      expected: (0..<count).reduce(0, &+) &* sinks, bound: .timesLimit(2),
      limit: limit, weir: viaWeir, openCombine: viaOpenCombine)
  }
}

private struct ByHand {
  let sink: (Int) -> Void
}

@inline(never)
private func send(_ value: Int, to all: [ByHand]) {
  for each in all { each.sink(value) }
}

@inline(never)
private func limit() -> Int {
  var sum = 0
  var all: [ByHand] = []
  for _ in 0..<sinks { all.append(ByHand { sum = sum &+ $0 }) }
  for value in 0..<count { send(value, to: all) }
  return sum
}

@inline(never)
private func viaWeir() -> Int {
  var sum = 0
  let subject = Weir.PassthroughSubject<Int, Never>()
  var all: [Weir.AnyCancellable] = []
  for _ in 0..<sinks { all.append(subject.sink { sum = sum &+ $0 }) }
  for value in 0..<count { subject.send(value) }
  return sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  var sum = 0
  let subject = OpenCombine.PassthroughSubject<Int, Never>()
  var all: [OpenCombine.AnyCancellable] = []
  for _ in 0..<sinks { all.append(subject.sink { sum = sum &+ $0 }) }
  for value in 0..<count { subject.send(value) }
  return sum
}
