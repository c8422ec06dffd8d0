public import Weir

extension Publisher where Output: Hashable {
  /// Filters out each value that has arrived before.
  ///
  ///     source       -1-2-1-3-2-|
  ///     .distinct()  -1-2---3---|
  ///
  /// The operator keeps all values until it terminates. `removeDuplicates` compares with the latest value only.
  ///
  /// - Demand: requests one more value for each value that is filtered out.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func distinct() -> Publishers.Distinct<Self, Output> {
    distinct { $0 }
  }
}

extension Publisher {
  /// Filters out each value whose key has occurred before; see ``distinct()``.
  ///
  /// - Parameter key: A closure that returns the same key for values that count as equal. The operator keeps all keys
  ///   until it terminates.
  /// - Returns: A publisher of the values with new keys.
  @inlinable
  public func distinct<Key: Hashable>(by key: @escaping (Output) -> Key) -> Publishers.Distinct<Self, Key> {
    Publishers.Distinct(upstream: self, key: key)
  }
}

extension Publishers {
  /// A publisher of the upstream's values whose keys have not occurred before.
  public struct Distinct<Upstream: Publisher, Key: Hashable>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that returns the key of a value.
    public let key: (Upstream.Output) -> Key

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the methods of the same name are the usual way to create it.
    @inlinable
    public init(upstream: Upstream, key: @escaping (Upstream.Output) -> Key) {
      self.upstream = upstream
      self.key = key
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DistinctOperator<Output, Key, Failure>(key))
    }
  }
}

@usableFromInline
struct DistinctOperator<Input, Key: Hashable, Failure: Error>: ForwardingOperator {
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
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    seen.insert(key(input)).inserted ? .emit(input) : .skip
  }
}
