extension Sequence {
  // Disfavoured, or a chain such as `.lazy.publisher.filter { … }.map { … }` takes this one: its `map` fits better.

  /// A publisher of the elements.
  ///
  ///     demand             2   ---1--∞
  ///     (1...5).publisher  (12)---3--(45|)
  ///
  /// - Demand: the iterator advances once for each requested value, with one element of lookahead to detect the end.
  /// - Completion and cancellation: finishes with the last element. An empty sequence finishes on subscription.
  /// - Threading: the iterator runs on the thread that requests demand.
  ///
  /// The operators of this publisher work at once, over the whole sequence, when the pipeline is written: a long
  /// sequence takes as much memory, an endless one never comes back. Those of `lazy.publisher` work on demand.
  @inlinable
  @_disfavoredOverload
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension LazySequenceProtocol {
  /// A publisher of the elements, whose operators work on demand.
  ///
  ///     demand                                          2   ---1
  ///     (1...).lazy.publisher.map { $0 * 2 }.prefix(3)  (24)---(6|)
  ///
  /// The type keeps the operators of ``Publishers/Sequence`` out of sight, which would run through the sequence when the
  /// pipeline is written. What is left are the operators of every publisher.
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
  /// Most operators on it work at once, as in Combine: they run over the elements when the pipeline is written, and what
  /// they make is a publisher of an array or of a single value. So the closures run once, not for each subscriber, before
  /// there is any demand, and an endless sequence never comes back. The publisher of a lazy sequence,
  /// `(1...).lazy.publisher`, has none of them and works on demand.
  @frozen
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: _DirectPublisher {
    /// The values are the elements.
    public typealias Output = Elements.Element

    /// The sequence; each subscriber gets an iterator of its own.
    public let sequence: Elements

    /// Makes a publisher of the elements.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      downstream.pull("Sequence", from: sequence.makeIterator()) { [sequence] in
        // The sequence itself is what the subscription shows, as in Combine.
        PullShown(description: sequence, children: [("sequence", sequence)])
      }
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Publishers.Sequence: Sendable where Elements: Sendable {}
