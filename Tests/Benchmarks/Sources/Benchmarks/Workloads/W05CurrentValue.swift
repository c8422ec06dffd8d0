import OpenCombine
import Synchronization
import Weir

private let count = 200_000

extension Workload {
  static var currentValueSet: Workload {
    Workload(
      "W5 set", "CurrentValueSubject with one sink: set (limit with a mutex)", operations: count,
      expected: (0..<count).reduce(0, &+), bound: .timesLimit(1.5),
      limit: {
        var sum = 0
        let value = ByHand(0) { sum = sum &+ $0 }
        set(value)
        return sum
      },
      weir: {
        var sum = 0
        let subject = Weir.CurrentValueSubject<Int, Never>(0)
        let subscription = subject.sink { sum = sum &+ $0 }
        set(subject)
        subscription.cancel()
        return sum
      },
      openCombine: {
        var sum = 0
        let subject = OpenCombine.CurrentValueSubject<Int, Never>(0)
        let subscription = subject.sink { sum = sum &+ $0 }
        set(subject)
        subscription.cancel()
        return sum
      })
  }

  static var currentValueRead: Workload {
    Workload(
      "W5 read", "CurrentValueSubject: read (limit with a mutex)", operations: count,
      expected: count &* 3, bound: .timesLimit(1.2),
      limit: { read(ByHand(3) { _ in }) },
      weir: { read(Weir.CurrentValueSubject<Int, Never>(3)) },
      openCombine: { read(OpenCombine.CurrentValueSubject<Int, Never>(3)) })
  }
}

/// A value behind a mutex, and what is called with each new one.
private final class ByHand {
  private let current: Mutex<Int>
  private let sink: (Int) -> Void

  init(_ value: Int, sink: @escaping (Int) -> Void) {
    current = Mutex(value)
    self.sink = sink
  }

  var value: Int {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      sink(newValue)
    }
  }
}

@inline(never)
private func set(_ byHand: ByHand) {
  for value in 0..<count { byHand.value = value }
}

@inline(never)
private func set(_ subject: Weir.CurrentValueSubject<Int, Never>) {
  for value in 0..<count { subject.value = value }
}

@inline(never)
private func set(_ subject: OpenCombine.CurrentValueSubject<Int, Never>) {
  for value in 0..<count { subject.value = value }
}

@inline(never)
private func read(_ byHand: ByHand) -> Int {
  var sum = 0
  for _ in 0..<count { sum = sum &+ byHand.value }
  return sum
}

@inline(never)
private func read(_ subject: Weir.CurrentValueSubject<Int, Never>) -> Int {
  var sum = 0
  for _ in 0..<count { sum = sum &+ subject.value }
  return sum
}

@inline(never)
private func read(_ subject: OpenCombine.CurrentValueSubject<Int, Never>) -> Int {
  var sum = 0
  for _ in 0..<count { sum = sum &+ subject.value }
  return sum
}
