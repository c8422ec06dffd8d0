extension ConnectablePublisher {
  /// Connects at the first subscription, and disconnects when the last subscriber has cancelled.
  ///
  ///     source                            -a-b-|
  ///     .makeConnectable().autoconnect()  -a-b-|
  ///
  /// - Demand: each subscriber has its own.
  /// - Completion and cancellation: a subscriber that attaches after all others have cancelled connects again.
  /// - Threading: connects on the subscribing thread, and disconnects on the cancelling thread.
  @inlinable
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that connects its upstream while there are subscribers.
  public final class Autoconnect<Upstream: ConnectablePublisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public final let upstream: Upstream

    @usableFromInline
    let sharing = Sharing()

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream, and connects if it is the first.
    @inlinable
    public final func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      sharing.attach(
        named: nil, { upstream.attach(downstream.resubscribed(with: $0)) }, connect: { upstream._connect($0) })
    }
  }
}

/// The connection that the subscribers of ``Publishers/Autoconnect`` or ``Publishers/Share`` share.
///
/// Performance: an untyped object of its own, because the `deinit` of a generic class looks up its types.
@usableFromInline
final class Sharing {
  private struct State {
    var subscribers = 0
    var connection: (any Cancellable)?

    /// The number of the connection, by which a connection that was made too late is recognized.
    var generation = 0
  }

  private let state = Locked(State())

  @usableFromInline
  init() {}

  /// Attaches a subscriber whose subscription has this name, and then connects if it is the first.
  ///
  /// `connect` passes the connection on, if possible before the publisher sends. So a cancel inside the connection disconnects.
  ///
  /// Performance: the caller's closures are specialized for its types.
  @usableFromInline
  func attach(
    named name: StaticString?, _ attach: (TapSubscription) -> Void, connect: ((any Cancellable) -> Void) -> Void
  ) {
    let generation = arrived()
    attach(TapSubscription(name, isToConnect: true, onCancel: { self.left() }))
    if let generation { connect { self.keep($0, of: generation) } }
  }

  /// Counts a subscriber.
  ///
  /// Returns the number of the connection to make, if the subscriber is the first.
  private func arrived() -> Int? {
    state.withLock { state in
      state.subscribers += 1
      guard state.subscribers == 1 else { return nil }
      state.generation += 1
      return state.generation
    }
  }

  private func keep(_ connection: any Cancellable, of generation: Int) {
    let isKept = state.withLock { state in
      guard state.generation == generation, state.subscribers > 0 else { return false }
      state.connection = connection
      return true
    }
    if !isKept { connection.cancel() }
  }

  private func left() {
    let connection = state.withLock { state -> (any Cancellable)? in
      state.subscribers -= 1
      return state.subscribers == 0 ? state.connection.take() : nil
    }
    connection?.cancel()
  }
}
