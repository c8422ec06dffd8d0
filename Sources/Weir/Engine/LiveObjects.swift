#if DEBUG
import Synchronization

/// The engine's objects that are alive, in debug builds only.
///
/// An object of the engine holds a ``LiveObject``. Tests count what a pipeline leaves behind: other tests run at the same
/// time, so an object belongs to the scope of the task or thread that makes it.
package enum LiveObjects {
  /// Counts what is made within it, until it is deallocated on whatever thread.
  package final class Scope: Sendable {
    private let names = Mutex<[String: Int]>([:])

    package init() {}

    /// How many are alive.
    package var count: Int { names.withLock { $0.values.reduce(0, +) } }

    /// How many of each kind are alive.
    package var description: String {
      names.withLock { $0 }.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        .joined(separator: ", ")
    }

    fileprivate func add(_ change: Int, _ name: StaticString) {
      names.withLock { $0["\(name)", default: 0] += change }
    }
  }

  /// The scope of what this task or thread makes.
  @TaskLocal package static var scope: Scope?

  fileprivate static let total = Atomic<Int>(0)

  /// How many are alive in the whole program.
  package static var count: Int { total.load(ordering: .relaxed) }
}

/// What an object of the engine holds, so that it is counted.
@usableFromInline
package final class LiveObject: Sendable {
  private let name: StaticString
  private let scope: LiveObjects.Scope?

  @usableFromInline
  package init(_ name: StaticString) {
    self.name = name
    scope = LiveObjects.scope
    LiveObjects.total.wrappingAdd(1, ordering: .relaxed)
    scope?.add(1, name)
  }

  deinit {
    LiveObjects.total.wrappingSubtract(1, ordering: .relaxed)
    scope?.add(-1, name)
  }
}
#endif
