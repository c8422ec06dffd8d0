extension Publisher {
  /// Leaves values out as long as a closure is true for them.
  ///
  ///     source                    -1-2-3-1-|
  ///     .drop(while: { $0 < 3 })  -----3-1-|
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: the closure runs where the upstream delivers, until it is false once.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values from the first for which a closure is false.
  @frozen
  public struct DropWhile<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells whether a value is still left out.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DropWhileWork<_, Sure<Failure>>(predicate))
    }
  }
}

@usableFromInline
struct DropWhileWork<Input, Path: FailurePath>: TryingOperation {
  @usableFromInline
  let isLeftOut: (Input) throws -> Bool

  @usableFromInline
  var isDropping = true

  @inlinable
  init(_ isLeftOut: @escaping (Input) throws -> Bool) {
    self.isLeftOut = isLeftOut
  }

  @usableFromInline
  static var name: StaticString { "DropWhile" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> Step<Input, Path.Failure> {
    if isDropping, try isLeftOut(input) { return .skip }
    isDropping = false
    return .emit(input)
  }
}
