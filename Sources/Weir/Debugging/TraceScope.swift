import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The node whose code a thread currently runs, for tracing.
struct TraceScope {
  /// The operator; `nil` for a subscriber at the end of a pipeline.
  var node: TraceNode?

  /// The subscription that is delivering.
  var delivery: TraceNode?

  /// Whether the operator is being subscribed to.
  var isSubscribing = false

  /// Whether a violation has been reported; operators behind it observe the same violation again.
  var isTold = false

  /// A node of the pipeline.
  var any: TraceNode? { node ?? delivery }

  func run<Result>(_ body: () -> Result) -> Result {
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
    var scope = self
    // Safety: the thread's pointer is reset before `scope` ends, and no other thread reads it. (`TracingTests`)
    return withUnsafeMutablePointer(to: &scope) { scope in
      let outer = pthread_getspecific(Self.key)
      pthread_setspecific(Self.key, scope)
      defer { pthread_setspecific(Self.key, outer) }
      return body()
    }
    #else
    return body()
    #endif
  }

  /// The caller's scope; empty outside of all pipelines, and on platforms without thread-local storage.
  static var current: TraceScope {
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
    // Safety: only `run(_:)` sets this key, to a scope of this thread that has not ended. (`TracingTests`)
    pthread_getspecific(key)?.assumingMemoryBound(to: TraceScope.self).pointee ?? TraceScope()
    #else
    TraceScope()
    #endif
  }

  #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "Tracing requires a thread-specific key, but the process has none left.")
    return key
  }()
  #endif
}

/// The caller's scope, to be transferred to another thread; `nil` while no pipeline is traced.
///
/// Operators that subscribe on a scheduler use it.
@usableFromInline
struct CarriedScope {
  private let scope: TraceScope?

  @usableFromInline
  @inline(never)
  init() {
    scope = IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) ? .current : nil
  }

  @usableFromInline
  func run(_ body: () -> Void) {
    if let scope { scope.run(body) } else { body() }
  }
}
