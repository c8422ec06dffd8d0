#if WEIR_INTERLEAVE
public import Synchronization

// Lets a test choose the order of threads. A build without the flag contains none of this.

/// The next operation of a thread that other threads can observe, or for which they may wait.
@usableFromInline
package enum InterleavingPoint {
  /// A step that doesn't block.
  case step
  /// The acquisition of a lock, which another thread may hold.
  case acquire(ObjectIdentifier)
  /// The release of a lock.
  case release(ObjectIdentifier)
}

// Safety: a test sets it once, before it starts the threads that it orders. (`InterleaverTests`)
/// A closure that receives every point; it may run another thread first.
package nonisolated(unsafe) var interleavingHook: (InterleavingPoint) -> Void = { _ in }

// Safety: a test sets it once, before it starts threads. (`InterleaverTests`)
/// The closure that starts a thread for an offered gate.
package nonisolated(unsafe) var handOverHook: (@escaping () -> Void) -> Void = { $0() }

@usableFromInline
package func reach(_ point: InterleavingPoint) {
  interleavingHook(point)
}

/// Identifies a lock.
@usableFromInline
package final class LockIdentity: Sendable {
  @usableFromInline
  package init() {}
}

/// Replaces `Synchronization.Atomic` with the same operations, at each of which another thread may run first.
///
/// The orderings are ignored, because only one thread runs at a time.
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

// This module's declaration shadows that of `Synchronization`, so that no code of the engine changes.
@usableFromInline
typealias Atomic<Value: Equatable & Sendable> = SteppedAtomic<Value>
#endif
