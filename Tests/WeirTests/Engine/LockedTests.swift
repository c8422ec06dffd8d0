import Testing

@testable import TestSupport
@testable import Weir

@Suite("Locked")
struct LockedTests {
  @Test("passes the state to the closure, keeps its changes, and returns its result")
  func changes() {
    let locked = Locked([1])
    let count = locked.withLock { (state: inout [Int]) -> Int in
      state.append(2)
      return state.count
    }
    #expect(count == 2)
    #expect(locked.withLock { $0 } == [1, 2])
  }

  @Test("is unlocked after the closure has thrown")
  func throwing() {
    let locked = Locked(1)
    #expect(throws: TestError.oops) {
      try locked.withLock { (state: inout Int) in
        state = 2
        throw TestError.oops
      }
    }
    #expect(locked.withLock { $0 } == 2)
  }

  @Test("serializes threads")
  func races() {
    let locked = Locked(0)
    let work: () -> Void = { for _ in 0..<20_000 { locked.withLock { $0 += 1 } } }
    race(work, work, work)
    #expect(locked.withLock { $0 } == 60_000)
  }

  @Test("releases its state at deallocation")
  func releases() {
    #expect(
      isReleased { token in
        let locked = Locked<Token?>(token)
        locked.withLock { _ in }
      })
  }
}
