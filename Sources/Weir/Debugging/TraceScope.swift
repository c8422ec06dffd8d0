import Synchronization

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
    var scope = self
    // Safety: the thread's pointer is reset before `scope` ends, and no other thread reads it. (`TracingTests`)
    return withUnsafeMutablePointer(to: &scope) { scope in
      let outer = Self.ofThread.value
      Self.ofThread.value = UInt(bitPattern: scope)
      defer { Self.ofThread.value = outer }
      return body()
    }
  }

  /// The caller's scope; empty outside of all pipelines.
  static var current: TraceScope {
    // Safety: only `run(_:)` sets the pointer, to a scope of this thread that has not ended. (`TracingTests`)
    UnsafePointer<TraceScope>(bitPattern: ofThread.value)?.pointee ?? TraceScope()
  }

  private static let ofThread = ThreadLocalWord()
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
