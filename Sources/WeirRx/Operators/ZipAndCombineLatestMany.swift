public import Weir

extension Collection where Element: Publisher {
  /// Merges the values of all these publishers as they arrive; see `Publisher.merge(with:)`.
  ///
  ///     a                  -1---2    -|
  ///     b                  --3--4    -|
  ///     c                  ---5-6    -|
  ///     [a, b, c].merge()  -135-(246)-|
  ///
  /// Without publishers it finishes immediately.
  @inlinable
  public func merge() -> Publishers.MergeMany<Element> {
    Publishers.MergeMany(self)
  }

  /// Groups the values of these publishers by their position, into arrays.
  ///
  ///     a                -1--          -2-|
  ///     b                --3-          -4-|
  ///     c                ---5          ---(6!)
  ///     [a, b, c].zip()  ---'[1, 3, 5]'---('[2, 4, 6]'|)
  ///
  /// Without publishers it finishes immediately.
  ///
  /// - Demand: forwarded to all. Values of faster publishers are buffered without a limit.
  /// - Completion and cancellation: finishes when a publisher has finished and all its values are grouped. The first
  ///   failure cancels the other publishers and drops buffered values.
  /// - Threading: delivery is serialized: the thread that is delivering also delivers what other threads send
  ///   meanwhile.
  @inlinable
  public func zip() -> Publishers.ZipMany<Element> {
    Publishers.ZipMany(self)
  }

  /// Sends the latest values of these publishers as an array, each time one of them sends a value.
  ///
  ///     a                          -1--          --          -2          -|
  ///     b                          --3-          --          --          -|
  ///     c                          ---5          -6          --          -|
  ///     [a, b, c].combineLatest()  ---'[1, 3, 5]'-'[1, 3, 6]'-'[2, 3, 6]'-|
  ///
  /// Without publishers it finishes immediately.
  ///
  /// - Demand: forwarded to all. A value without demand is replaced by the next one.
  /// - Completion and cancellation: finishes when all have finished. The first failure cancels the other publishers.
  /// - Threading: delivery is serialized: the thread that is delivering also delivers what other threads send
  ///   meanwhile.
  @inlinable
  public func combineLatest() -> Publishers.CombineLatestMany<Element> {
    Publishers.CombineLatestMany(self)
  }
}

extension Publishers {
  /// A publisher of the values of any number of publishers, grouped by their position.
  public struct ZipMany<Upstream: Publisher>: _DirectPublisher {
    /// One value of each publisher, in the order of the publishers.
    public typealias Output = [Upstream.Output]

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    ///
    /// Without publishers it finishes immediately.
    public let publishers: [Upstream]

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator from a sequence of publishers.
    @inlinable
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      publishers.combine(named: "ZipMany", in: ZipManyStore(count: publishers.count), for: downstream)
    }
  }

  /// A publisher of the latest values of any number of publishers.
  public struct CombineLatestMany<Upstream: Publisher>: _DirectPublisher {
    /// The latest value of each publisher, in the order of the publishers.
    public typealias Output = [Upstream.Output]

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    ///
    /// Without publishers it finishes immediately.
    public let publishers: [Upstream]

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator from a sequence of publishers.
    @inlinable
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      publishers.combine(named: "CombineLatestMany", in: LatestManyStore(count: publishers.count), for: downstream)
    }
  }
}

extension Publishers.ZipMany: Equatable where Upstream: Equatable {}

extension Publishers.CombineLatestMany: Equatable where Upstream: Equatable {}

extension Array where Element: Publisher {
  /// Attaches to all publishers, and combines their values in a store.
  @inlinable
  func combine<Store: CombiningStorage>(
    named name: StaticString, in store: Store, for downstream: consuming Downstream<Store.Output, Element.Failure>
  ) where Store.Input == (Int, Element.Output) {
    if isEmpty { return Downstream.complete(downstream, with: .finished) }
    let machine = CombiningMachine<Store, Element.Failure>(count: count, store: store)
    let coordinator = Coordinator(name, consume machine, downstream: downstream)
    for (number, publisher) in enumerated() { coordinator.attach(to: publisher, as: number) { (number, $0) } }
  }
}

/// The buffered values of any number of upstreams.
@usableFromInline
struct ZipManyStore<Value>: CombiningStorage {
  @usableFromInline
  var queues: [CircularBuffer<Value>] = []

  /// The number of upstreams without a buffered value.
  @usableFromInline
  var missing = 0

  /// The number of outputs that have been taken.
  @usableFromInline
  var taken = 0

  /// The number of outputs for which the upstreams that have finished have sent values.
  @usableFromInline
  var limit = Int.max

  @inlinable
  init() {}

  @inlinable
  init(count: Int) {
    queues = Array(repeating: CircularBuffer(), count: count)
    missing = count
  }

  @inlinable
  mutating func put(_ input: (Int, Value)) {
    if queues[input.0].isEmpty { missing -= 1 }
    queues[input.0].append(input.1)
  }

  @inlinable
  mutating func take() -> [Value]? {
    guard missing == 0, !queues.isEmpty else { return nil }
    taken += 1
    return queues.indices.compactMap { index in
      defer { if queues[index].isEmpty { missing += 1 } }
      return queues[index].popFirst()
    }
  }

  @inlinable
  mutating func finished(_ number: Int) {
    limit = min(limit, taken + queues[number].count)
  }

  @inlinable
  func isExhausted(_ finished: UpstreamSet) -> Bool { taken == limit }
}

/// The latest values of any number of upstreams.
@usableFromInline
struct LatestManyStore<Value>: CombiningStorage {
  @usableFromInline
  var values: [Value?] = []

  /// The number of upstreams that have sent no value.
  @usableFromInline
  var missing = 0

  /// True if a value has changed since the last combination was taken.
  @usableFromInline
  var isFresh = false

  @inlinable
  init() {}

  @inlinable
  init(count: Int) {
    values = Array(repeating: nil, count: count)
    missing = count
  }

  @inlinable
  mutating func put(_ input: (Int, Value)) {
    if values[input.0] == nil { missing -= 1 }
    values[input.0] = input.1
    isFresh = true
  }

  @inlinable
  mutating func take() -> [Value]? {
    guard isFresh, missing == 0 else { return nil }
    isFresh = false
    return values.compactMap { $0 }
  }

  @inlinable
  func isExhausted(_ finished: UpstreamSet) -> Bool {
    finished.count == values.count && !(isFresh && missing == 0)
  }
}

extension Publishers.ZipMany: Sendable where Upstream: Sendable {}

extension Publishers.CombineLatestMany: Sendable where Upstream: Sendable {}
