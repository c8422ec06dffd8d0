extension Publisher where Failure == Never {
  /// Withholds all values until it is connected; then all subscribers share one subscription.
  ///
  ///     source              ---^a-b-|
  ///     .makeConnectable()  ----a-b-|
  ///
  /// - Demand: each subscriber has its own. The first request of any subscriber requests unlimited values from this
  ///   publisher.
  /// - Completion and cancellation: a subscriber receives the values that are sent after its subscription. No value is
  ///   delivered before ``ConnectablePublisher/connect()``.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// A connectable publisher whose subscribers share one subscription to its upstream.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    @usableFromInline
    let shared: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      shared = upstream.multicast(subject: PassthroughSubject())
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      shared.attach(downstream)
    }

    /// Attaches a downstream behind one subscription for this publisher and `autoconnect`.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void) {
      shared._attach(downstream, onCancel: onCancel)
    }

    /// Subscribes to the upstream; cancel the result to cancel the subscription.
    public func connect() -> any Cancellable {
      shared.connect()
    }

    /// Connects, and passes the connection on before the upstream sends.
    public func _connect(_ keep: (any Cancellable) -> Void) {
      shared._connect(keep)
    }
  }
}
