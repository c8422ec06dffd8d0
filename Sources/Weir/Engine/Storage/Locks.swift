// Exported, so that the package's other modules can use locks without an import. All its declarations are `package`.
@_exported public import WeirLocks

#if WEIR_INTERLEAVE
// This module's name hides the one in `Synchronization`, so the engine's code is the same in both builds.
@usableFromInline
typealias Atomic<Value: Equatable & Sendable> = SteppedAtomic<Value>
#endif
