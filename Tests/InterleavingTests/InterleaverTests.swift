import Testing
import Weir

@testable import TestSupport

/// Tests of the thread scheduler itself.
@Suite("the order of threads", .serialized)
struct InterleaverTests {
  /// Two threads that each read, step and write.
  ///
  /// One of the two additions may be lost.
  private func lossy() -> Trial {
    let sum = Box(0)
    let add: () -> Void = {
      let read = sum.value
      Interleaver.step()
      sum.value = read + 1
    }
    return Trial(bodies: [add, add]) { sum.value == 2 ? [] : ["lost"] }
  }

  @Test("every strategy finds a lost addition, and its trace repeats it")
  func findsLoss() {
    var traces: [[Int]] = []
    var random = SplitMix(seed: 1)
    let strategies: [() -> any InterleavingStrategy] = [
      { AnyOrder(random: SplitMix(seed: random.next())) },
      { ByPriority(threads: 2, depth: 3, length: 4, random: &random) },
    ]
    for strategy in strategies {
      let found = (0..<100).lazy.map { _ in attempt(strategy(), lossy) }.first { !$0.faults.isEmpty }
      #expect(found != nil)
      if let found { traces.append(found.trace) }
    }
    for trace in traces {
      let again = attempt(Replay(trace.map(String.init).joined()), lossy)
      #expect(again.faults == ["lost"])
      #expect(again.trace == trace)
    }
  }

  @Test("the exhaustive search runs each order with few preemptions once")
  func everyOrder() {
    var every = EveryOrder(preemptions: 2)
    var traces: [[Int]] = []
    var lost = 0
    while true {
      let (faults, trace, strategy) = attempt(every, lossy)
      traces.append(trace)
      lost += faults.isEmpty ? 0 : 1
      guard let used = strategy as? EveryOrder else { break }
      every = used
      if !every.advance() { break }
    }
    #expect(traces.count == Set(traces).count)
    #expect(traces.count == 6)
    #expect(lost == 4)
  }

  @Test("a deadlock is detected without blocking")
  func deadlock() {
    let found = (0..<100).contains { (seed: Int) -> Bool in
      let (one, other) = (TestLock(), TestLock())
      let (faults, _, _) = attempt(AnyOrder(random: SplitMix(seed: UInt64(seed)))) {
        Trial(bodies: [
          { one.withLock { other.withLock {} } },
          { other.withLock { one.withLock {} } },
        ]) { [] }
      }
      return faults == ["deadlock"]
    }
    #expect(found)
  }
}
