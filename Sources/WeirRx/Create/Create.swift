public import Weir

extension AnyPublisher {
  /// Creates a publisher of the events that a closure sends.
  ///
  ///     emitter                                       -1-2-3-   4-|
  ///     demand                                        1-----2   -1
  ///     AnyPublisher<Int, Never>.create { body($0) }  -1----(23)-4|
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request. So a subscriber without demand starts
  ///   no work, and no value is buffered or dropped before the first request. The strategy says what happens to a value
  ///   for which there is no demand.
  /// - Completion and cancellation: events after a completion or a cancellation are ignored. Buffered values are
  ///   delivered before the completion, also before a failure. The closure's result is cancelled once, after the first
  ///   termination: the closure's own completion, a cancellation, or a failure because the buffer is full.
  /// - Threading: the closure runs where the request is made. It may send on any thread. Delivery is serialized: a
  ///   thread that sends during a delivery enqueues its value, and the delivering thread delivers it.
  @inlinable
  public static func create(
    _ strategy: BackpressureStrategy<Failure> = .bufferAll,
    _ body: @escaping (Publishers.Create<Output, Failure>.Emitter) -> any Cancellable
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Create(strategy, body).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// A publisher of the events that a closure sends.
  public struct Create<Output, Failure: Error>: _DirectPublisher {
    /// What happens to a value for which there is no demand.
    public let strategy: BackpressureStrategy<Failure>

    /// The closure that runs for each subscriber.
    ///
    /// Its result is cancelled at termination.
    public let body: (Emitter) -> any Cancellable

    @usableFromInline
    let asking: BufferAsking

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher; `AnyPublisher.create` is the usual way to create it.
    @inlinable
    public init(
      _ strategy: BackpressureStrategy<Failure> = .bufferAll, _ body: @escaping (Emitter) -> any Cancellable
    ) {
      self.init(strategy, asking: .everythingWhenAsked, body)
    }

    @inlinable
    init(
      _ strategy: BackpressureStrategy<Failure> = .bufferAll, asking: BufferAsking,
      _ body: @escaping (Emitter) -> any Cancellable
    ) {
      self.strategy = strategy
      self.asking = asking
      self.body = body
    }

    /// Attaches a downstream.
    ///
    /// The closure runs at its first request.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      EmissionSource(body: body).attach(downstream, buffering: strategy.policy(asking: asking), named: "Create")
    }

    /// The closure's means to send events.
    ///
    /// - Demand: sending is always allowed. The strategy says what happens to values that were not requested.
    /// - Completion and cancellation: only the first completion counts. Events after it, or after a cancellation, are
    ///   ignored.
    /// - Threading: any thread, also concurrently. It is `Sendable` if the values are.
    public struct Emitter {
      @usableFromInline
      let emission: Emission<Output, Failure>

      @inlinable
      init(emission: Emission<Output, Failure>) {
        self.emission = emission
      }

      /// Sends a value.
      @inlinable
      public func send(_ value: Output) {
        emission.send(value)
      }

      /// Completes.
      ///
      /// Buffered values are delivered first.
      @inlinable
      public func send(completion: Subscribers.Completion<Failure>) {
        emission.send(completion: completion)
      }

      /// Whether the subscription has completed or was cancelled, so that events are ignored.
      @inlinable
      public var isTerminated: Bool { emission.isTerminated }
    }
  }
}

// Safety: its state is behind a lock, and only the owner of the coordinator's gate delivers. (`CreateTests`,
// `SourceInterleavingTests`)
extension Publishers.Create.Emitter: @unchecked Sendable where Output: Sendable {}

extension Publishers.Create.Emitter where Output == Void {
  /// Sends an event that carries no value.
  @inlinable
  public func send() {
    send(())
  }
}
