import AsyncAlgorithms
import InWeir
import OpenCombine

/// The number of values of each of the two.
private let count = 50_000

// OpenCombine has neither `combineLatest` nor `merge`. What combines the latest elements of asynchronous sequences
// depends on which task is first, so there is no sum to expect of it; their zip and merge have sequences for subjects.
extension Workload {
  static var combineLatest: Workload {
    Workload(
      "W6 latest", "combineLatest of 2 subjects, for each send", operations: 2 * count,
      expected: (0..<count).reduce(0) { $0 &+ 4 &* $1 } &- (count - 1), bound: .timesLimit(4),
      limit: {
        var sum = 0
        let byHand = LatestByHand { sum = sum &+ $0 &+ $1 }
        for value in 0..<count {
          byHand.sendA(value)
          byHand.sendB(value)
        }
        return sum
      },
      weir: { InWeir.combineLatest(2 * count) })
  }

  static var zip: Workload {
    Workload(
      "W6 zip", "zip of 2 subjects, for each send", operations: 2 * count,
      expected: (0..<count).reduce(0) { $0 &+ 2 &* $1 }, bound: .timesLimit(4),
      limit: {
        var sum = 0
        let byHand = ZipByHand { sum = sum &+ $0 &+ $1 }
        for value in 0..<count {
          byHand.sendA(value)
          byHand.sendB(value)
        }
        return sum
      },
      weir: { InWeir.zip(2 * count) },
      openCombine: {
        var sum = 0
        let (a, b) = (OpenCombine.PassthroughSubject<Int, Never>(), OpenCombine.PassthroughSubject<Int, Never>())
        let subscription = a.zip(b).sink { sum = sum &+ $0.0 &+ $0.1 }
        sendToBoth(a, b)
        subscription.cancel()
        return sum
      },
      asyncAlgorithms: {
        blocking {
          var sum = 0
          for await (a, b) in AsyncAlgorithms.zip((0..<count).async, (0..<count).async) { sum = sum &+ a &+ b }
          return sum
        }
      })
  }

  static var merge: Workload {
    Workload(
      "W6 merge", "merge of 2 subjects, for each send", operations: 2 * count,
      expected: (0..<count).reduce(0) { $0 &+ 2 &* $1 }, bound: .timesLimit(4),
      limit: {
        var sum = 0
        let byHand = MergeByHand { sum = sum &+ $0 }
        for value in 0..<count {
          byHand.sendA(value)
          byHand.sendB(value)
        }
        return sum
      },
      weir: { InWeir.merge(2 * count) },
      asyncAlgorithms: {
        blocking {
          var sum = 0
          for await value in AsyncAlgorithms.merge((0..<count).async, (0..<count).async) { sum = sum &+ value }
          return sum
        }
      })
  }
}

private final class LatestByHand {
  private var a: Int?
  private var b: Int?
  private let sink: (Int, Int) -> Void

  init(sink: @escaping (Int, Int) -> Void) {
    self.sink = sink
  }

  @inline(never)
  func sendA(_ value: Int) {
    a = value
    if let b { sink(value, b) }
  }

  @inline(never)
  func sendB(_ value: Int) {
    b = value
    if let a { sink(a, value) }
  }
}

private final class ZipByHand {
  private var waitingA = Ring()
  private var waitingB = Ring()
  private let sink: (Int, Int) -> Void

  init(sink: @escaping (Int, Int) -> Void) {
    self.sink = sink
  }

  @inline(never)
  func sendA(_ value: Int) {
    if let b = waitingB.popFirst() { sink(value, b) } else { waitingA.append(value) }
  }

  @inline(never)
  func sendB(_ value: Int) {
    if let a = waitingA.popFirst() { sink(a, value) } else { waitingB.append(value) }
  }
}

private final class MergeByHand {
  private let sink: (Int) -> Void

  init(sink: @escaping (Int) -> Void) {
    self.sink = sink
  }

  @inline(never)
  func sendA(_ value: Int) {
    sink(value)
  }

  @inline(never)
  func sendB(_ value: Int) {
    sink(value)
  }
}

@inline(never)
private func sendToBoth(
  _ a: OpenCombine.PassthroughSubject<Int, Never>, _ b: OpenCombine.PassthroughSubject<Int, Never>
) {
  for value in 0..<count {
    a.send(value)
    b.send(value)
  }
}
