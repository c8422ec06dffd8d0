public import Weir

extension Publisher where Output: Hashable {
  /// Leaves out each value that has come before, however long ago.
  ///
  ///     source       -1-2-1-3-2-|
  ///     .distinct()  -1-2---3---|
  ///
  /// All that has come is kept until the end; `removeDuplicates` compares with the last value only.
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func distinct() -> Publishers.Distinct<Self, Output> {
    distinct { $0 }
  }
}

extension Publisher {
  /// Leaves out each value whose key has come before; see ``distinct()``.
  ///
  /// - Parameter key: what is the same for values that count as one; all that it has answered is kept until the end.
  /// - Returns: a publisher of the values whose key is new.
  @inlinable
  public func distinct<Key: Hashable>(by key: @escaping (Output) -> Key) -> Publishers.Distinct<Self, Key> {
    Publishers.Distinct(upstream: self, key: key)
  }
}

extension Publishers {
  /// A publisher of the upstream's values whose keys have not come before.
  public struct Distinct<Upstream: Publisher, Key: Hashable>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// What is the same for values that count as one.
    public let key: (Upstream.Output) -> Key

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the methods of the same name are the usual way.
    @inlinable
    public init(upstream: Upstream, key: @escaping (Upstream.Output) -> Key) {
      self.upstream = upstream
      self.key = key
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DistinctWork<Output, Key, Failure>(key))
    }
  }
}

@usableFromInline
struct DistinctWork<Input, Key: Hashable, Failure: Error>: Operation {
  @usableFromInline
  typealias UpstreamFailure = Failure

  @usableFromInline
  let key: (Input) -> Key

  @usableFromInline
  var seen: Set<Key> = []

  @inlinable
  init(_ key: @escaping (Input) -> Key) {
    self.key = key
  }

  @usableFromInline
  static var name: StaticString { "Distinct" }

  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> Step<Input, Failure> {
    seen.insert(key(input)).inserted ? .emit(input) : .skip
  }
}
