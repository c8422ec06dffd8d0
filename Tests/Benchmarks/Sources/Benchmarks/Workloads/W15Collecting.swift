import AsyncAlgorithms
import InWeir
import OpenCombine

private let count = 200_000

/// Half of what `scan` makes of the numbers are duplicates; a group of a hundred is added up by its size and its last.
extension Workload {
  static var collectByCount: Workload {
    Workload(
      "W15", "sequence → scan → removeDuplicates → prefix(while:) → collect(100) → sink", operations: count,
      expected: groups, bound: .timesLimit(1.5),
      limit: { limit(groupsOf: 100) },
      weir: { InWeir.collectGroups(count) },
      openCombine: { groupsInOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) },
      asyncAlgorithms: { blocking { await groupsInAsyncAlgorithms((0..<count).async) } })
  }

  static var collectAll: Workload {
    Workload(
      "W15 all", "the same with collect()", operations: count,
      expected: count / 2 &+ count / 2, bound: .timesLimit(1.5),
      limit: { limit(groupsOf: .max) },
      weir: { InWeir.collectAll(count) },
      openCombine: { allInOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) })
  }
}

private var groups: Int {
  let values = (1...count / 2)
  return stride(from: 100, through: values.upperBound, by: 100).reduce(0) { $0 &+ 100 &+ $1 }
}

private struct Closures {
  let scan: (Int, Int) -> Int
  let isSame: (Int, Int) -> Bool
  let isIncluded: (Int) -> Bool
  let sink: ([Int]) -> Void
}

@inline(never)
private func loop(_ closures: Closures, groupsOf size: Int) {
  var result = 0
  var last: Int?
  var group: [Int] = []
  for element in 0..<count {
    result = closures.scan(result, element)
    if let last, closures.isSame(last, result) { continue }
    last = result
    guard closures.isIncluded(result) else { break }
    group.append(result)
    if group.count == size {
      closures.sink(group)
      group = []
    }
  }
  if !group.isEmpty { closures.sink(group) }
}

private func limit(groupsOf size: Int) -> Int {
  var sum = 0
  loop(
    Closures(
      scan: { $0 &+ ($1 & 1 ^ 1) }, isSame: { $0 == $1 }, isIncluded: { $0 >= 0 },
      sink: { sum = sum &+ $0.count &+ $0[$0.count - 1] }), groupsOf: size)
  return sum
}

@inline(never)
private func allInOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .scan(0) { $0 &+ ($1 & 1 ^ 1) }.removeDuplicates().prefix { $0 >= 0 }.collect()
    .sink { sum = sum &+ $0.count &+ $0[$0.count - 1] }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func groupsInOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription =
    source
    .scan(0) { $0 &+ ($1 & 1 ^ 1) }.removeDuplicates().prefix { $0 >= 0 }.collect(100)
    .sink { sum = sum &+ $0.count &+ $0[$0.count - 1] }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func groupsInAsyncAlgorithms(_ source: some AsyncSequence<Int, Never>) async -> Int {
  var sum = 0
  let groups =
    source
    .reductions(0) { $0 &+ ($1 & 1 ^ 1) }.removeDuplicates().prefix { $0 >= 0 }.chunks(ofCount: 100)
  for await group in groups { sum = sum &+ group.count &+ group[group.count - 1] }
  return sum
}
