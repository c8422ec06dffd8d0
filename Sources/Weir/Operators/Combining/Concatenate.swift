extension Publisher {
  /// Sends another publisher's values after this one has finished.
  ///
  ///     source          -1-2-|
  ///     asked           3---∞
  ///     other           -----^3-4-|
  ///     asked           -----∞
  ///     demand          3---∞
  ///     .append(other)  -1-2--3-4-|
  ///
  /// - Demand: the demand that is outstanding when this publisher finishes is requested from the other.
  /// - Completion and cancellation: the other publisher is subscribed to when this one finishes, and its completion is
  ///   forwarded. A failure of this publisher is forwarded without subscribing to the other.
  /// - Threading: delivers on the thread on which the publishers deliver.
  @inlinable
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Sends these values after this publisher has finished; see ``append(_:)-(P)``.
  ///
  ///     source         -1-2-|
  ///     asked          3----1
  ///     demand         3----1
  ///     .append(8, 9)  -1-2-(89|)
  @inlinable
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Sends the elements of a sequence after this publisher has finished; see ``append(_:)-(P)``.
  @inlinable
  public func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Sends another publisher's values before this one's.
  ///
  ///     source           -----^1-2-|
  ///     other            -3-4-|
  ///     .prepend(other)  -3-4--1-2-|
  ///
  /// - Demand: the demand that is outstanding when the other publisher finishes is requested from this one.
  /// - Completion and cancellation: this publisher is subscribed to when the other finishes.
  /// - Threading: delivers on the thread on which the publishers deliver.
  @inlinable
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends these values before this publisher's; see ``prepend(_:)-(P)``.
  ///
  ///     source          ---^1-2-|
  ///     asked           ---∞
  ///     demand          1--∞
  ///     .prepend(8, 9)  8--91-2-|
  @inlinable
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Sends the elements of a sequence before this publisher's; see ``prepend(_:)-(P)``.
  @inlinable
  public func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
    prepend(Publishers.Sequence(sequence: elements))
  }
}

extension Publishers {
  /// A publisher of one publisher's values followed by another's.
  @frozen
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: _DirectPublisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The output type of both publishers.
    public typealias Output = Suffix.Output

    /// The failure type of both publishers.
    public typealias Failure = Suffix.Failure

    /// The first publisher.
    public let prefix: Prefix

    /// The publisher that follows when the first has finished.
    public let suffix: Suffix

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `append` and `prepend` return.
    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let first = ArbitratedSubscriber(SubscriptionArbiter("Concatenate", downstream: downstream)) {
        [suffix] (completion: Subscribers.Completion<Failure>, arbiter) in
        guard case .finished = completion, arbiter.link.detach() else { return arbiter.receive(completion: completion) }
        arbiter.follow(by: suffix) { (completion: Subscribers.Completion<Failure>, arbiter) in
          arbiter.receive(completion: completion)
        }
      }
      prefix.attach(first.events)
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
