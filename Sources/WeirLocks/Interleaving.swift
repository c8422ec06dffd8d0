#if WEIR_INTERLEAVE
public import Synchronization

// What makes the order of threads a matter of choice. None of it is in a build without the flag.

/// What a thread is about to do that another may see, or wait for.
@usableFromInline
package enum InterleavingPoint {
  /// A step that is done at once.
  case step
  /// Taking a lock, which another may have.
  case acquire(ObjectIdentifier)
  /// Giving it back.
  case release(ObjectIdentifier)
}

// Safety: a test sets it once, before it starts the threads that it orders. (`InterleaverTests`)
/// Where the scheduler of a test is told of every point; it may let another thread go first.
package nonisolated(unsafe) var interleavingHook: (InterleavingPoint) -> Void = { _ in }

// Safety: a test sets it once, before it starts threads. (`InterleaverTests`)
/// What starts a thread that takes an offered gate.
package nonisolated(unsafe) var handOverHook: (@escaping () -> Void) -> Void = { $0() }

@usableFromInline
package func reach(_ point: InterleavingPoint) {
  interleavingHook(point)
}

/// Tells one lock from another.
@usableFromInline
package final class LockIdentity: Sendable {
  @usableFromInline
  package init() {}
}

/// In the place of `Synchronization.Atomic`: the same operations, each of them a point where another thread may go first.
///
/// The orderings don't matter, for threads run one at a time here.
@usableFromInline
package struct SteppedAtomic<Value: Equatable & Sendable>: ~Copyable, Sendable {
  private let value: Mutex<Value>

  @usableFromInline
  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  private borrowing func step<Result: Sendable>(_ change: (inout sending Value) -> sending Result) -> Result {
    reach(.step)
    return value.withLock(change)
  }

  @usableFromInline
  package borrowing func load(ordering: AtomicLoadOrdering) -> Value {
    step { $0 }
  }

  @usableFromInline
  package borrowing func store(_ desired: Value, ordering: AtomicStoreOrdering) {
    step { $0 = desired }
  }

  @usableFromInline
  package borrowing func exchange(_ desired: Value, ordering: AtomicUpdateOrdering) -> Value {
    step { value in
      let original = value
      value = desired
      return original
    }
  }

  @usableFromInline
  package borrowing func compareExchange(
    expected: Value, desired: Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    step { value in
      let original = value
      if original == expected { value = desired }
      return (original == expected, original)
    }
  }
}

extension SteppedAtomic where Value: FixedWidthInteger {
  @usableFromInline
  @discardableResult
  package borrowing func bitwiseOr(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update { $0 | operand }
  }

  @usableFromInline
  @discardableResult
  package borrowing func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update { $0 &+ operand }
  }

  @usableFromInline
  @discardableResult
  package borrowing func wrappingSubtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update { $0 &- operand }
  }

  private borrowing func update(_ change: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
    step { value in
      let original = value
      value = change(original)
      return (original, value)
    }
  }
}

// This module's own name hides that of `Synchronization`, so that no code of the engine changes.
@usableFromInline
typealias Atomic<Value: Equatable & Sendable> = SteppedAtomic<Value>
#endif
