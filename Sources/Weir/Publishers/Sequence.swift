extension Sequence {
  // Disfavored: otherwise a chain such as `.lazy.publisher.filter { … }.map { … }` resolves to it, because its `map`
  // matches better.

  /// A publisher of the elements.
  ///
  ///     demand             2   ---1--∞
  ///     (1...5).publisher  (12)---3--(45|)
  ///
  /// - Demand: the iterator advances once for each requested value, with one element of lookahead to detect the end.
  /// - Completion and cancellation: finishes with the last element. An empty sequence finishes on subscription.
  /// - Threading: the iterator runs on the thread that requests demand.
  ///
  /// The operators on this publisher process the whole sequence when the pipeline is written. A long sequence takes as
  /// much memory, and an endless sequence never returns. The operators on `lazy.publisher` process elements on demand.
  @inlinable
  @_disfavoredOverload
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension LazySequenceProtocol {
  /// A publisher of the elements, whose operators process them on demand.
  ///
  ///     demand                                          2   ---1
  ///     (1...).lazy.publisher.map { $0 * 2 }.prefix(3)  (24)---(6|)
  ///
  /// The opaque type hides the operators on ``Publishers/Sequence``, which would process the sequence when the pipeline
  /// is written. Only the operators on all publishers remain.
  ///
  /// - Demand: the iterator advances once for each requested value, with one element of lookahead to detect the end.
  /// - Completion and cancellation: finishes with the last element. An empty sequence finishes on subscription.
  /// - Threading: the iterator runs on the thread that requests demand.
  @inlinable
  public var publisher: some Publisher<Element, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// As in Combine, most operators on it process the elements when the pipeline is written. They return a publisher of
  /// an array or of a single value. So the closures run once, before there is any demand, and not for each subscriber.
  /// An endless sequence never returns. The publisher of a lazy sequence, `(1...).lazy.publisher`, has no such
  /// operators and processes elements on demand.
  @frozen
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: _DirectPublisher {
    /// The element type.
    public typealias Output = Elements.Element

    /// The sequence; each subscriber receives the elements of its own iterator.
    public let sequence: Elements

    /// Creates a publisher of the elements.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      Downstream.pull("Sequence", from: sequence.makeIterator(), to: downstream) { [sequence] in
        // As in Combine, the subscription is described by the sequence, if that has a description of its own.
        PullShown(
          description: (sequence as? any CustomStringConvertible) ?? "Sequence", children: [("sequence", sequence)])
      }
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Publishers.Sequence: Sendable where Elements: Sendable {}
