public import Weir

/// How long a shared publisher keeps its values.
public enum ShareScope: Hashable, Sendable {
  /// While the publisher is connected.
  ///
  /// A subscriber that attaches after the last one has cancelled, or after the completion, starts from scratch.
  case whileConnected

  /// While the shared publisher exists.
  ///
  /// A subscriber that attaches after the last one has cancelled receives the kept values, and then those of a new
  /// connection. A subscriber that attaches after the completion receives the kept values and the completion.
  case forever
}

extension Publisher {
  /// Shares one subscription among all subscribers, and replays the last values to new ones.
  ///
  ///     source             -a-b-   c-d-|
  ///     .share(replay: 1)  -a-b-   c-d-|
  ///     later              ----(^b)c-d-|
  ///
  /// - Demand: each subscriber's own, as with ``ReplaySubject``. Requests unlimited demand from this publisher.
  /// - Completion and cancellation: the completion follows the kept values. When the last subscriber cancels, this
  ///   publisher is cancelled, and the next subscriber connects again. The scope says how long the values are kept.
  /// - Threading: subscribes to this publisher where the first subscriber attaches.
  ///
  /// - Parameters:
  ///   - count: The number of values that are kept, not negative.
  ///   - scope: How long they are kept.
  /// - Returns: A publisher with one subscription for all its subscribers.
  @inlinable
  public func share(replay count: Int, scope: ShareScope = .whileConnected) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, count: count, scope: scope)
  }
}

extension Publishers {
  /// A publisher that shares one subscription to its upstream and replays the last values.
  public final class ShareReplay<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public final let upstream: Upstream

    /// The number of values that are kept.
    public final let count: Int

    /// How long the values are kept.
    public final let scope: ShareScope

    /// A history of values, and the subscribers that share it.
    ///
    /// Requires the lock for its mutable properties.
    @usableFromInline
    final class SharedHistory {
      @usableFromInline
      let subject: ReplaySubject<Output, Failure>

      @usableFromInline
      var subscribers = 0

      @usableFromInline
      var connection: AnyCancellable?

      @usableFromInline
      var isTerminated = false

      /// Counts the connections, to recognize one that was made too late.
      @usableFromInline
      var generation = 0

      @inlinable
      init(keeping count: Int) {
        subject = ReplaySubject(bufferSize: count, named: "ShareReplay")
      }
    }

    /// The history of the present subscribers, if there is one.
    // Performance: untyped, because the `deinit` would look up its type.
    @usableFromInline
    let current = Locked<AnyObject?>(nil)

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method `share(replay:scope:)` is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, count: Int, scope: ShareScope) {
      if count < 0 { fatalError("share(replay:) requires a count of 0 or more, not \(count).") }
      self.upstream = upstream
      self.count = count
      self.scope = scope
    }

    /// Attaches a downstream, and subscribes to the upstream for the first one.
    @inlinable
    public final func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let (history, generation) = enter()
      history.subject.attach(downstream.member(named: "ShareReplay", isToConnect: true) { [self] in leave(history) })
      // The first subscriber may already have cancelled, during its own subscription.
      if let generation, isWanted(history, generation) { connect(history, generation) }
    }

    /// Counts a subscriber.
    ///
    /// Returns the number of the connection to make, if this subscriber is the first.
    @inlinable
    func enter() -> (SharedHistory, Int?) {
      current.withLock { current in
        // Safety: only the line below stores an object here, which has this type. (`ShareReplayTests`)
        let history =
          current.map { _unsafeUncheckedDowncast($0, to: SharedHistory.self) } ?? SharedHistory(keeping: count)
        current = history
        history.subscribers += 1
        guard history.subscribers == 1, !history.isTerminated else { return (history, nil) }
        history.generation += 1
        return (history, history.generation)
      }
    }

    @inlinable
    func isWanted(_ history: SharedHistory, _ generation: Int) -> Bool {
      current.withLock { _ in history.generation == generation && history.subscribers > 0 && !history.isTerminated }
    }

    @inlinable
    func connect(_ history: SharedHistory, _ generation: Int) {
      upstream.handleEvents(receiveCompletion: { [self] _ in ended(history) }).subscribe(history.subject) {
        connection in
        let isKept = current.withLock { _ in
          guard history.generation == generation, history.subscribers > 0, !history.isTerminated else { return false }
          history.connection = connection
          return true
        }
        if !isKept { connection.cancel() }
      }
    }

    /// Records the completion before any subscriber receives it, so that a re-entrant subscriber starts from scratch.
    @inlinable
    func ended(_ history: SharedHistory) {
      // The caller retains the replaced history, so the lock covers no release of user values.
      current.withLock { current in
        history.isTerminated = true
        if scope == .whileConnected, current === history { current = nil }
      }
    }

    @inlinable
    func leave(_ history: SharedHistory) {
      let connection = current.withLock { current -> AnyCancellable? in
        history.subscribers -= 1
        guard history.subscribers == 0 else { return nil }
        if scope == .whileConnected, current === history { current = nil }
        return history.connection.take()
      }
      connection?.cancel()
    }
  }
}
