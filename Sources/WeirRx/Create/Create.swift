public import Weir

extension AnyPublisher {
  /// Makes a publisher of what a closure sends.
  ///
  ///     emitter                                       -1-2-3-   4-|
  ///     demand                                        1-----2   -1
  ///     AnyPublisher<Int, Never>.create { body($0) }  -1----(23)-4|
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request: who asks for nothing starts no work, and
  ///   nothing has to be kept or dropped before anyone wants it. The strategy says what becomes of a value for which
  ///   there is no demand.
  /// - Completion and cancellation: what is sent after the end or after a cancel is ignored. Values that are kept go out
  ///   before the end, also before a failure. What the closure returns is cancelled once, after whatever ends first: the
  ///   closure's own completion, a cancel, or a failure for want of room.
  /// - Threading: the closure runs where the request is made. It may send on any thread: delivery has one owner at a
  ///   time, and who sends meanwhile leaves the value with the owner and goes on.
  public static func create(
    _ strategy: BackpressureStrategy<Failure> = .bufferAll,
    _ body: @escaping (Publishers.Create<Output, Failure>.Emitter) -> any Cancellable
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Create(strategy, body).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// A publisher of what a closure sends.
  public struct Create<Output, Failure: Error>: _DirectPublisher {
    /// What becomes of a value for which there is no demand.
    public let strategy: BackpressureStrategy<Failure>

    /// What runs for each subscriber; the result is cancelled at the end.
    public let body: (Emitter) -> any Cancellable

    let asking: BufferAsking

    @usableFromInline
    package let place = Place()

    /// Makes the publisher; `AnyPublisher.create` is the usual way.
    public init(
      _ strategy: BackpressureStrategy<Failure> = .bufferAll, _ body: @escaping (Emitter) -> any Cancellable
    ) {
      self.init(strategy, asking: .everythingWhenAsked, body)
    }

    init(
      _ strategy: BackpressureStrategy<Failure> = .bufferAll, asking: BufferAsking,
      _ body: @escaping (Emitter) -> any Cancellable
    ) {
      self.strategy = strategy
      self.asking = asking
      self.body = body
    }

    /// Attaches a downstream, for which the closure runs when it asks for values.
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      EmissionSource(body: body).attach(downstream, buffering: strategy.policy(asking: asking), named: "Create")
    }

    /// What the closure sends with.
    ///
    /// - Demand: sending is always allowed; the strategy says what becomes of what nobody asked for.
    /// - Completion and cancellation: the first completion counts; what follows it, or a cancel, is ignored.
    /// - Threading: any thread, several at once too. It is `Sendable` if the values are.
    public struct Emitter {
      let emission: Emission<Output, Failure>

      /// Sends a value.
      public func send(_ value: Output) {
        emission.send(value)
      }

      /// Ends; values that are kept go out before it.
      public func send(completion: Subscribers.Completion<Failure>) {
        emission.send(completion: completion)
      }

      /// Whether nobody hears any more what is sent: it has ended or was cancelled.
      public var isOver: Bool { emission.isOver }
    }
  }
}

// Safety: its state is behind a lock, and only the owner of the coordinator's gate delivers. (`CreateTests`,
// `SourceInterleavingTests`)
extension Publishers.Create.Emitter: @unchecked Sendable where Output: Sendable {}

extension Publishers.Create.Emitter where Output == Void {
  /// Sends an event that carries no value.
  public func send() {
    send(())
  }
}
