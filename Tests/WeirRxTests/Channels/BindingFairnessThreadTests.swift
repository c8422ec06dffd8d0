import Testing
import Weir
import WeirRx

@testable import TestSupport

/// A thread that propagates changes through bindings propagates a limited number of those that other threads make.
@Suite("Bindings hand over")
struct BindingFairnessThreadTests {
  static let count = 5 * HandOver.limit

  /// A side that doesn't announce what a binding sets.
  private final class Side: TwoWayBindable {
    let changes = PassthroughSubject<Void, Never>()
    private(set) var currentValue: Int? = -1
    var onSet: (Int) -> Void = { _ in }

    func set(_ value: Int) {
      currentValue = value
      onSet(value)
    }

    /// Changes the value as other code does.
    func change(to value: Int) {
      currentValue = value
      changes.send(())
    }
  }

  @Test("propagates a limited number of other threads' changes, and loses none", arguments: 1...2)
  func limit(_ otherCount: Int) {
    let (first, target) = (Side(), Side())
    let others = (0..<otherCount).map { (_: Int) in Side() }
    let bindings = ([first] + others).map { $0 <-> target }
    let thread = currentThread()
    var (values, own, isReturned) = ([Int](), 0, false)
    // One side's changes coalesce in its binding. Those of two sides wait for the group in turn.
    target.onSet = { value in
      values.append(value)
      if currentThread() == thread, !isReturned { own += 1 }
      if value < Self.count { onAnotherThread { others[value % otherCount].change(to: value + 1) } }
    }
    first.change(to: 0)
    isReturned = true
    HandOver.settle()
    #expect(values == Array(0...Self.count))
    #expect(own == 1 + HandOver.limit)
    withExtendedLifetime(bindings) {}
  }
}
