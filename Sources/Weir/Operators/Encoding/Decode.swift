/// A type that decodes values from another form, such as data.
public protocol TopLevelDecoder {
  /// The type that values are decoded from.
  associatedtype Input

  /// Decodes a value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

extension Publisher {
  /// Decodes each value.
  ///
  ///     source                                     -I-'II'-(X!)
  ///     .decode(type: Int.self, decoder: Roman())  -1-2   -#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: an error that the decoder throws cancels the upstream and becomes the failure.
  /// - Threading: the decoder runs on the thread on which the upstream delivers.
  @inlinable
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// A publisher of the values that are decoded from the upstream's values.
  @frozen
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: _DirectPublisher
  where Upstream.Output == Coder.Input {
    /// Any error that the decoder throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    let decoder: Coder

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: CodingOperator { [decoder] in try decoder.decode(Output.self, from: $0) }, named: "Decode")
    }
  }
}
