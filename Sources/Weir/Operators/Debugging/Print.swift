extension Publisher {
  /// Prints the events of each subscription.
  ///
  ///     source                 -a-b-|
  ///     .print(to: NoLines())  -a-b-|
  ///
  /// - Demand: forwarded unchanged. Requests are printed.
  /// - Completion and cancellation: forwarded unchanged. Both are printed. So are requests and cancellations that
  ///   follow them, which have no effect.
  /// - Threading: prints on the thread on which each event occurs. Lines are serialized.
  ///
  /// - Parameters:
  ///   - prefix: the text before each line, followed by a colon.
  ///   - stream: the destination; standard output if it is `nil`.
  /// - Returns: a publisher that prints its events.
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// A publisher that prints the events of each subscription.
  public struct Print<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The text before each line.
    public let prefix: String

    /// The upstream publisher.
    public let upstream: Upstream

    /// The destination; standard output if it is `nil`.
    public let stream: (any TextOutputStream)?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let log = EventLog(prefix: prefix, stream: stream)
      let hooks = TapHooks<Output, Failure>(
        receiveSubscription: { log.write("receive subscription: (\($0))") },
        receiveOutput: { log.write("receive value: (\($0))") },
        receiveCompletion: { completion in
          switch completion {
          case .finished: log.write("receive finished")
          case .failure(let error): log.write("receive error: (\(error))")
          }
        },
        receiveCancel: { log.write("receive cancel") },
        receiveRequest: { log.write("request \($0.logged)") },
        receiveReturnedDemand: { log.write("request \($0.logged) (synchronous)") },
        observesLateCalls: true)
      upstream.attach(Tap("Print", hooks: hooks, downstream: downstream).events)
    }
  }
}

extension Subscribers.Demand {
  /// The demand in the format of Combine's log.
  fileprivate var logged: String {
    max.map { "max: (\($0))" } ?? "unlimited"
  }
}

/// Writes whole lines, on any thread.
///
/// The stream is a user's, so it is not called under a lock. A line that arrives while another is being written is
/// enqueued, and the thread that is writing prints it.
private final class EventLog: _Gated {
  private let prefix: String
  private let lines = Locked(CircularBuffer<String>())

  // Invariant: only the owner of the gate accesses it.
  private var stream: (any TextOutputStream)?

  init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : prefix + ": "
    self.stream = stream
  }

  func write(_ event: String) {
    let line = prefix + event
    if case .acquired = gate.enter() {
      write(line: line)
      if gate.leave() { return }
    } else {
      lines.withLock { $0.append(line) }
      if !gate.acquireOrRequestDrain() { return }
    }
    drain()
  }

  private func drain() {
    if !drainOnce() { handOver { (self.drainOnce(), nil) } }
  }

  /// Returns `false` if it offers the gate.
  private func drainOnce() -> Bool {
    drain(isAnythingPending: { lines.withLock { !$0.isEmpty } }) {
      guard let line = lines.withLock({ $0.popFirst() }) else { return false }
      write(line: line)
      return true
    }
  }

  /// Writes a line as `Swift.print` does, which doesn't accept an existential stream.
  private func write(line: String) {
    // The stream is moved, because a copy would make it copy what it stores each time.
    guard var stream = stream.take() else { return Swift.print(line) }
    stream.write("")
    stream.write(line)
    stream.write("\n")
    self.stream = stream
  }
}
