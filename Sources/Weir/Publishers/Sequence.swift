extension Sequence {
  /// A publisher of the elements.
  ///
  ///     [1, 2, 3].publisher--(123|)
  ///
  /// - Demand: an element is taken for each value that is asked for, and one ahead to know where the end is.
  /// - Completion and cancellation: finishes right after the last element; if there is none, at once.
  /// - Threading: the iterator runs where the demand comes from.
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension Publishers {
  /// A publisher of the elements of a sequence.
  @frozen
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The values are the elements.
    public typealias Output = Elements.Element

    /// The sequence; each subscriber gets an iterator of its own.
    public let sequence: Elements

    /// Makes a publisher of the elements.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subscriber.pull("Sequence", from: sequence.makeIterator())
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
