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
      let connection = sharing.arrived()
      upstream.attach(downstream, onCancel: sharing.departure)
      if let connection { upstream._connect { sharing.keep($0, as: connection) } }
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

  /// Counts a subscriber that is about to be attached.
  ///
  /// Returns the number of the connection to make behind that, if the subscriber is the first.
  @usableFromInline
  func arrived() -> Int? {
    state.withLock { state in
      state.subscribers += 1
      guard state.subscribers == 1 else { return nil }
      state.generation += 1
      return state.generation
    }
  }

  /// The function to be called before a subscriber's cancellation.
  @usableFromInline
  var departure: () -> Void { { self.left() } }

  /// Stores a connection until the last subscriber has left, or cancels it if that has happened.
  ///
  /// It is called before the publisher sends, if possible. So a cancel inside the connection disconnects.
  @usableFromInline
  func keep(_ connection: any Cancellable, as generation: Int) {
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
