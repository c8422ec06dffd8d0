import Testing

@testable import TestSupport
@testable import Weir

/// A copyable gate for expectations.
private final class Door {
  let gate = Gate()
  func enter() -> Gate.Entry { gate.enter() }
  func acquireOrRequestDrain() -> Bool { gate.acquireOrRequestDrain() }
  func enterOrRequestDrain() -> Gate.QuietEntry { gate.enterOrRequestDrain() }
  func takeOffer() -> Bool { gate.takeOffer() }
  func leave() -> Bool { gate.leave() }
}

@Suite("Gate")
struct GateTests {
  @Test("admits one thread, detects re-entry, and rejects another thread")
  func enters() {
    let gate = Door()
    #expect(gate.enter() == .acquired)
    #expect(gate.enter() == .reentrant)
    onAnotherThread { #expect(gate.enter() == .contended) }
    #expect(gate.leave())
    #expect(gate.enter() == .acquired)
  }

  @Test("can't be released while a drain is requested")
  func drainIsRequested() {
    let gate = Door()
    #expect(gate.enter() == .acquired)
    onAnotherThread {
      #expect(!gate.acquireOrRequestDrain())
      #expect(!gate.acquireOrRequestDrain())
      #expect(gate.enter() == .contended)
    }
    #expect(gate.enter() == .reentrant)
    #expect(!gate.leave())
    #expect(gate.leave())
  }

  @Test("a thread that requests a drain after the release owns it")
  func freeGateIsTaken() {
    let gate = Door()
    #expect(gate.acquireOrRequestDrain())
    #expect(gate.enter() == .reentrant)
    #expect(gate.leave())
  }

  @Test("if it is offered, asks for one new thread", arguments: [true, false])
  func offers(_ isStarted: Bool) {
    let gate = Door()
    #expect(gate.enterOrRequestDrain() == .acquired)
    onAnotherThread { #expect(gate.enterOrRequestDrain() == .contended) }
    if isStarted { gate.gate.offerToNewThread() } else { gate.gate.offer() }
    #expect(gate.enter() == .contended)
    #expect(gate.enterOrRequestDrain() == (isStarted ? .contended : .offered))
    #expect(gate.enterOrRequestDrain() == .contended)
    #expect(gate.takeOffer())
    #expect(!gate.takeOffer())
    #expect(gate.leave())
  }

  @Test("loses no enqueued event, and has one owner at a time")
  func races() {
    let gate = Door()
    let left = Locked(0)
    let taken = Box(0)
    let drain: () -> Void = {
      repeat {
        taken.value += left.withLock { left in
          defer { left = 0 }
          return left
        }
      } while !gate.leave()
    }
    let work: () -> Void = {
      for _ in 0..<20_000 {
        if case .acquired = gate.enter() {
          taken.value += 1
          if !gate.leave() { drain() }
        } else {
          left.withLock { $0 += 1 }
          if gate.acquireOrRequestDrain() { drain() }
        }
      }
    }
    race(work, work, work)
    #expect(taken.value == 60_000)
  }

  @Test("a hand-over takes the offered gate again on its thread, unless another thread has taken it")
  func handOver() {
    let object = _Gated()
    var threads: [UInt] = []
    for isTaken in [false, true] {
      threads = []
      let entry = object.gate.enter()
      #expect(entry == .acquired)
      object.gate.offerToNewThread()
      object.handOver {
        threads.append(currentThread())
        if threads.count == 5 { return (object.gate.leave(), nil) }
        object.gate.offerToNewThread()
        if isTaken {
          onAnotherThread {
            let isReleased = object.gate.takeOffer() && object.gate.leave()
            #expect(isReleased)
          }
        }
        return (false, nil)
      }
      HandOver.settle()
      #expect(threads.count == (isTaken ? 1 : 5))
      #expect(Set(threads).count == 1)
    }
  }

  @Test("another thread continues a hand-over while one acts outside the gate")
  func handOverWithEffect() {
    let object = _Gated()
    let entry = object.gate.enter()
    #expect(entry == .acquired)
    object.gate.offerToNewThread()
    let threads = Locked<[UInt]>([])
    object.handOver {
      let turn = threads.withLock { threads in
        threads.append(currentThread())
        return threads.count
      }
      if turn == 3 { return (object.gate.leave(), nil) }
      object.gate.offerToNewThread()
      return (false, turn == 1 ? { while threads.withLock({ $0.count }) < 3 {} } : nil)
    }
    while threads.withLock({ $0.count }) < 3 {}
    HandOver.settle()
    let (first, rest) = threads.withLock { ($0[0], $0[1...]) }
    #expect(Set(rest).count == 1)
    #expect(!rest.contains(first))
  }
}
