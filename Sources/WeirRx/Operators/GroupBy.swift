public import Weir

extension Publisher {
  /// Deals values out to groups by a key, and sends a publisher of each group when its first value comes.
  ///
  ///     source                                 -1   -2   -3-4-|
  ///     .groupBy { $0 % 2 == 0 ? even : odd }  -o   -e   -----|
  ///     o                                      -(^1)--   -3---|
  ///     e                                      --   -(^2)---4-|
  ///
  /// A group is for one subscriber. Its values wait for it, and for its demand: so none is lost, and a group that nobody
  /// reads holds no other up.
  ///
  /// - Demand: this publisher is asked for everything as soon as a group is asked for. Groups wait for demand; what becomes
  ///   of a value for which its group has no demand, `buffering` says.
  /// - Completion and cancellation: the end of this publisher is the end of all groups, after the values that wait; a
  ///   failure too. A group that its subscriber has cancelled, or whose publisher was dropped without one, is over; a later
  ///   value of its key begins another. A cancel stops new groups; those that are out go on, and this publisher is
  ///   cancelled with the last of them.
  /// - Threading: the closure runs where this publisher delivers, and groups deliver there, or where they are asked.
  ///
  /// - Parameters:
  ///   - key: what is the same for the values of a group.
  ///   - buffering: what becomes of values for which their group has no demand; all are kept unless it says otherwise.
  /// - Returns: a publisher of the groups, one for each key.
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
  /// What is the same for all values.
  public let key: Key

  let values: PartPublisher<Output, Failure>

  @usableFromInline
  package let place = Place()

  /// Attaches the one downstream.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    values._attach(downstream)
  }
}

extension Publishers {
  /// A publisher of publishers of the upstream's values, one for each key.
  public struct GroupBy<Upstream: Publisher, Key: Hashable>: _DirectPublisher {
    /// A group.
    public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are grouped.
    public let upstream: Upstream

    /// What is the same for the values of a group.
    public let key: (Upstream.Output) -> Key

    /// What becomes of values for which their group has no demand.
    public let buffering: BackpressureStrategy<Upstream.Failure>

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    public init(
      upstream: Upstream, key: @escaping (Upstream.Output) -> Key,
      buffering: BackpressureStrategy<Upstream.Failure> = .bufferAll
    ) {
      self.upstream = upstream
      self.key = key
      self.buffering = buffering
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let groups = GroupSplitter<Key, Upstream.Output, Failure>()
      upstream.attach(
        .splitting(groups, SplitParts("GroupBy", buffering: buffering), for: downstream),
        through: KeyWork(key: key))
    }
  }
}

/// Pairs a value with its key, which a closure may take its time to find: what that sends comes after the value.
private struct KeyWork<Key, Input, Failure: Error>: Operation {
  typealias Output = (Key, Input)
  typealias UpstreamFailure = Failure

  static var name: StaticString { "GroupBy" }

  static var mayEmitAtEnd: Bool { false }

  let key: (Input) -> Key

  mutating func next(_ input: Input) -> Step<(Key, Input), Failure> {
    .emit((key(input), input))
  }
}

/// A part for each key.
private struct GroupSplitter<Key: Hashable, Value, Failure: Error>: Splitter {
  typealias Input = (Key, Value)
  typealias Output = GroupedPublisher<Key, Value, Failure>
  typealias Parts = SplitParts<Output, Value, Failure>

  var groups: [Key: Part<Value, Failure>] = [:]
  var isAsked = false

  mutating func receive(_ input: (Key, Value), _ parts: inout Parts) {
    let (key, value) = input
    var group = groups[key].flatMap { $0.isOver ? nil : $0 }
    if group == nil {
      group = parts.add { GroupedPublisher(key: key, values: PartPublisher($0)) }
      groups[key] = group
    }
    if let group { parts.commands.append(.feed(group, value)) }
  }

  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand {
    defer { isAsked = true }
    return isAsked ? .none : .unlimited
  }

  mutating func sweep() {
    groups = groups.filter { !$0.value.isOver }
  }
}
