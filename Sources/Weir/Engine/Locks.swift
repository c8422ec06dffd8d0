// Exported, so that the package's other modules use locks without an import of their own. All that it declares is `package`.
@_exported public import WeirLocks

#if WEIR_INTERLEAVE
// This module's own name hides that of `Synchronization`, so that no code of the engine changes.
@usableFromInline
typealias Atomic<Value: Equatable & Sendable> = SteppedAtomic<Value>
#endif
