/// A type that encodes values into another form, such as data.
public protocol TopLevelEncoder {
  /// The type that values are encoded into.
  associatedtype Output

  /// Encodes a value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

extension Publisher where Output: Encodable {
  /// Encodes each value.
  ///
  ///     source                     -1-2   -3    -(9!)
  ///     .encode(encoder: Roman())  -I-'II'-'III'-#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: an error that the encoder throws cancels the upstream and becomes the failure.
  /// - Threading: the encoder runs on the thread on which the upstream delivers.
  @inlinable
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// A publisher of the upstream's values, encoded.
  @frozen
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: _DirectPublisher where Upstream.Output: Encodable {
    /// The encoder's output type.
    public typealias Output = Coder.Output

    /// Any error that the encoder throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    let encoder: Coder

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: CodingOperator { [encoder] in try encoder.encode($0) })
    }
  }
}

/// Encodes or decodes each value.
@usableFromInline
struct CodingOperator<Input, Output, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  let code: (Input) throws -> Output

  @inlinable
  init(_ code: @escaping (Input) throws -> Output) {
    self.code = code
  }

  @usableFromInline
  static var name: StaticString { "Encode" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(values: true, completion: true) }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .finished, .upstreamSubscription] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, any Error> {
    .emit(try code(input))
  }
}
