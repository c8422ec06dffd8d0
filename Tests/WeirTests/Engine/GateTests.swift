import Testing

@testable import TestSupport
@testable import Weir

/// A gate that expectations can hold.
private final class Door {
  let gate = Gate()
  func enter() -> Gate.Entry { gate.enter() }
  func knock() -> Bool { gate.knock() }
  func leave() -> Bool { gate.leave() }
}

@Suite("Gate")
struct GateTests {
  @Test("lets one in, knows its own thread again, and turns another away")
  func enters() {
    let gate = Door()
    #expect(gate.enter() == .entered)
    #expect(gate.enter() == .nested)
    onAnotherThread { #expect(gate.enter() == .busy) }
    #expect(gate.leave())
    #expect(gate.enter() == .entered)
  }

  @Test("can't be left when someone has knocked, until what was left is taken care of")
  func knocked() {
    let gate = Door()
    #expect(gate.enter() == .entered)
    onAnotherThread {
      #expect(!gate.knock())
      #expect(!gate.knock())
      #expect(gate.enter() == .busy)
    }
    #expect(gate.enter() == .nested)
    #expect(!gate.leave())
    #expect(gate.leave())
  }

  @Test("belongs to whoever knocks when the owner has gone")
  func knocksAtTheFreeGate() {
    let gate = Door()
    #expect(gate.knock())
    #expect(gate.enter() == .nested)
    #expect(gate.leave())
  }

  @Test("loses nothing that is left for the owner, and lets one thread at a time be the owner")
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
        if case .entered = gate.enter() {
          taken.value += 1
          if !gate.leave() { drain() }
        } else {
          left.withLock { $0 += 1 }
          if gate.knock() { drain() }
        }
      }
    }
    race(work, work, work)
    #expect(taken.value == 60_000)
  }
}
