import InWeir
import OpenCombine
import Synchronization

private let count = 200_000

extension Workload {
  static var subject: Workload {
    Workload(
      "W3", "subject → map → filter → sink (limit with a mutex)", operations: count,
      expected: (0..<count).lazy.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.reduce(0, &+), bound: .timesLimit(1),
      limit: limit, weir: { InWeir.subject(count) }, openCombine: viaOpenCombine)
  }
}

/// The closures behind a mutex, which keeps deliveries serial.
private final class Guarded: Sendable {
  struct Closures: @unchecked Sendable {
    let map: (Int) -> Int
    let filter: (Int) -> Bool
    let sink: (Int) -> Void
  }

  private let closures: Mutex<Closures>

  init(_ closures: sending Closures) {
    self.closures = Mutex(closures)
  }

  @inline(never)
  func send(_ value: Int) {
    closures.withLock { closures in
      let mapped = closures.map(value)
      if closures.filter(mapped) { closures.sink(mapped) }
    }
  }
}

@inline(never)
private func limit() -> Int {
  var sum = 0
  let guarded = Guarded(.init(map: { $0 &+ 1 }, filter: { $0 & 3 != 0 }, sink: { sum = sum &+ $0 }))
  for value in 0..<count { guarded.send(value) }
  return sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  var sum = 0
  let subject = OpenCombine.PassthroughSubject<Int, Never>()
  let subscription = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { sum = sum &+ $0 }
  for value in 0..<count { subject.send(value) }
  subscription.cancel()
  return sum
}
