#if WEIR_INTERLEAVE
public import Weir

// Declared in this module too, as in `Weir`.
@usableFromInline
typealias Atomic<Value: Equatable & Sendable> = SteppedAtomic<Value>
#endif
