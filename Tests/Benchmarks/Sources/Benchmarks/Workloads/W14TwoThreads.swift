import Dispatch
import OpenCombine
import Synchronization
import Weir

/// The number of sends from each thread.
private let count = 500_000
private let threads = 2

extension Workload {
  static var twoThreads: Workload {
    Workload(
      "W14", "2 threads, 500,000 sends each, one subject, one sink (limit with a mutex)", operations: count * threads,
      expected: (0..<count).reduce(0, &+) &* threads, bound: .timesLimit(1),
      limit: limit, weir: viaWeir, openCombine: viaOpenCombine)
  }
}

/// Runs a closure on both threads, which start together.
private func together(_ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup()
  let waiting = Arrivals()
  for number in 0..<threads {
    DispatchQueue(label: "sender \(number)").async(group: group) {
      waiting.arriveAndWait()
      body()
    }
  }
  group.wait()
}

private final class Arrivals: Sendable {
  private let missing = Atomic<Int>(threads)

  func arriveAndWait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 {}
  }
}

private final class Guarded: Sendable {
  struct Closures: @unchecked Sendable {
    let sink: (Int) -> Void
  }

  private let closures: Mutex<Closures>

  init(_ closures: sending Closures) {
    self.closures = Mutex(closures)
  }

  @inline(never)
  func send(_ value: Int) {
    closures.withLock { $0.sink(value) }
  }
}

@inline(never)
private func limit() -> Int {
  var sum = 0
  let guarded = Guarded(.init(sink: { sum = sum &+ $0 }))
  together {
    for value in 0..<count { guarded.send(value) }
  }
  return sum
}

// Both subjects may be sent to from any thread; that of OpenCombine is not `Sendable`, as in Combine.

@inline(never)
private func viaWeir() -> Int {
  var sum = 0
  let subject = Weir.PassthroughSubject<Int, Never>()
  let subscription = subject.sink { sum = sum &+ $0 }
  together {
    for value in 0..<count { subject.send(value) }
  }
  subscription.cancel()
  return sum
}

@inline(never)
private func viaOpenCombine() -> Int {
  var sum = 0
  nonisolated(unsafe) let subject = OpenCombine.PassthroughSubject<Int, Never>()
  let subscription = subject.sink { sum = sum &+ $0 }
  together {
    for value in 0..<count { subject.send(value) }
  }
  subscription.cancel()
  return sum
}
