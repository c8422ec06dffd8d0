public import Weir

extension Publisher {
  /// Distributes values to groups by a key, and sends a publisher for each group with its first value.
  ///
  ///     source                                 -1   -2   -3-4-|
  ///     .groupBy { $0 % 2 == 0 ? even : odd }  -o   -e   -----|
  ///     o                                      -(^1)--   -3---|
  ///     e                                      --   -(^2)---4-|
  ///
  /// A group supports one subscriber. Its values are buffered until the subscriber attaches and requests them. So no
  /// value is dropped, and an unread group doesn't delay other groups. The first value follows the delivery of its
  /// group.
  ///
  /// - Demand: requests unlimited demand from this publisher at the first request for a group. Groups are buffered
  ///   until there is demand. `buffering` says what happens to a value for which its group has no demand. While a group
  ///   itself waits for demand, that applies to all of its values, also to the first.
  /// - Completion and cancellation: this publisher's completion completes all groups, after their buffered values; a
  ///   failure does too. A group terminates when its subscriber cancels, or when its publisher is released without a
  ///   subscriber. A later value with its key then starts a new group. Cancellation stops new groups. The existing
  ///   groups continue, and this publisher is cancelled when the last of them terminates.
  /// - Threading: the closure runs where this publisher delivers. Groups deliver there, or where their subscribers
  ///   request.
  ///
  /// - Parameters:
  ///   - key: A closure that returns the same key for the values of a group.
  ///   - buffering: What happens to values for which their group has no demand. By default, all are buffered.
  /// - Returns: A publisher of the groups, one for each key.
  @inlinable
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Output) -> Key, buffering: BackpressureStrategy<Failure> = .bufferAll
  ) -> Publishers.GroupBy<Self, Key> {
    Publishers.GroupBy(upstream: self, key: key, buffering: buffering)
  }
}

/// A publisher of values with the same key.
///
/// - Demand, completion and cancellation, threading: see `groupBy`. A second subscriber stops the program.
public struct GroupedPublisher<Key: Hashable, Output, Failure: Error>: _DirectPublisher {
  /// The key that all values share.
  public let key: Key

  @usableFromInline
  let values: SubstreamPublisher<Output, Failure>

  @usableFromInline
  package let assemblySite = AssemblySite()

  @inlinable
  init(key: Key, values: SubstreamPublisher<Output, Failure>) {
    self.key = key
    self.values = values
  }

  /// Attaches the one downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    values._attach(downstream)
  }
}

extension Publishers {
  /// A publisher of publishers of the upstream's values, one for each key.
  public struct GroupBy<Upstream: Publisher, Key: Hashable>: _DirectPublisher {
    /// The type of a group.
    public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that returns the key of a value.
    public let key: (Upstream.Output) -> Key

    /// What happens to values for which their group has no demand.
    public let buffering: BackpressureStrategy<Upstream.Failure>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(
      upstream: Upstream, key: @escaping (Upstream.Output) -> Key,
      buffering: BackpressureStrategy<Upstream.Failure> = .bufferAll
    ) {
      self.upstream = upstream
      self.key = key
      self.buffering = buffering
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let groups = GroupStrategy<Key, Upstream.Output, Failure>()
      upstream.attach(
        .splitting(groups, OpenSubstreams("GroupBy", buffering: buffering), for: downstream),
        through: KeyOperator(key: key))
    }
  }
}

/// Pairs a value with its key.
///
/// The key closure may be re-entered; values that it sends follow the present value.
@usableFromInline
struct KeyOperator<Key, Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  typealias Output = (Key, Input)

  @usableFromInline
  static var name: StaticString { "GroupBy" }

  @usableFromInline
  let key: (Input) -> Key

  @inlinable
  init(key: @escaping (Input) -> Key) {
    self.key = key
  }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<(Key, Input), Failure> {
    .emit((key(input), input))
  }
}

/// Creates one substream for each key.
@usableFromInline
struct GroupStrategy<Key: Hashable, Value, Failure: Error>: SubstreamStrategy {
  @usableFromInline
  typealias Input = (Key, Value)

  @usableFromInline
  typealias Output = GroupedPublisher<Key, Value, Failure>

  @usableFromInline
  typealias Substreams = OpenSubstreams<Output, Value, Failure>

  @usableFromInline
  var groups: [Key: Substream<Value, Failure>] = [:]

  @usableFromInline
  var isAsked = false

  @inlinable
  init() {}

  @inlinable
  mutating func receive(
    _ input: (Key, Value), _ substreams: inout Substreams
  ) -> ValueOutcome<SubstreamCommand<Output, Value, Failure>> {
    let (key, value) = input
    if let group = groups[key], !group.isTerminated { return .deliver(.feed(group, value)) }
    guard let group = substreams.add({ GroupedPublisher(key: key, values: SubstreamPublisher($0)) }) else {
      return .nothing
    }
    groups[key] = group
    let feed = SubstreamCommand<Output, Value, Failure>.feed(group, value)
    // A subscriber that attaches when it receives the group can request the first value. (`GroupByTests/firstValue`)
    guard let output = substreams.takeRequested() else { return .deliverFirst(feed) }
    substreams.commands.append(feed)
    return .deliverFirst(.open(output))
  }

  @inlinable
  mutating func sweep() {
    groups = groups.filter { !$0.value.isTerminated }
  }

  @inlinable
  mutating func removeAll() {
    groups = [:]
  }
}
