public import Synchronization

/// Stands between an operator without a state of its own and a program's subscriber: drops what comes after the end.
///
///     upstream ──▶ PassThrough: runs a closure ──▶ Concluding ──▶ a program's subscriber
///     upstream's subscription ◀── ConcludedSubscription ◀──
///
/// The closure of `map` may cancel, or complete a subject further up. Then its result is delivered after the end. The
/// operator can't know, because the downstream's calls bypass it. The subscribers of this library ignore such an event; a
/// program's subscriber relies on rules 1.7 and 1.8. (`ConcludingTests`)
///
/// Performance: a chain of such operators has one, and none before a subscriber of this library.
@usableFromInline
@frozen
struct Concluding<Downstream: Subscriber>: Subscriber {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let subscriber: Downstream

  @usableFromInline
  let note: Downstream._ConclusionNote

  @inlinable
  @inline(__always)
  init(_ subscriber: Downstream) {
    self.subscriber = subscriber
    note = Downstream._ConclusionNote(for: subscriber)
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    subscriber.receive(subscription: note.watch(subscription))
  }

  @inlinable
  @inline(__always)
  func receive(_ value: Input) -> Subscribers.Demand {
    note.isOver ? .none : subscriber.receive(value)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard note.end() else { return Reports.late(completion) }
    subscriber.receive(completion: completion)
  }
}

/// How the end of a subscription is noted for a subscriber.
///
/// An implementation detail.
public protocol _Conclusion {
  /// Makes the note of a new subscription.
  init<S: Subscriber>(for subscriber: S)

  /// Whether nothing may follow.
  var isOver: Bool { get }

  /// False if it was over before.
  func end() -> Bool

  /// The subscription to pass on, whose cancel is noted.
  func watch(_ subscription: any Subscription) -> any Subscription
}

/// The note for subscribers of this library, which ignore what comes after the end.
///
/// An implementation detail.
@frozen
public struct _NoConclusion: _Conclusion {
  /// Makes nothing.
  @inlinable
  @inline(__always)
  public init<S: Subscriber>(for subscriber: S) {}

  /// Never.
  @inlinable
  @inline(__always)
  public var isOver: Bool { false }

  /// True.
  @inlinable
  @inline(__always)
  public func end() -> Bool { true }

  /// The subscription itself.
  @inlinable
  @inline(__always)
  public func watch(_ subscription: any Subscription) -> any Subscription { subscription }
}

/// The note for subscribers of a program, and those of which only their value tells whose they are.
///
/// An implementation detail.
@frozen
public struct _NotedConclusion: _Conclusion {
  @usableFromInline
  let conclusion: Conclusion?

  /// Makes the note, unless what is erased is a subscriber of this library.
  @inlinable
  @inline(__always)
  public init<S: Subscriber>(for subscriber: S) {
    conclusion = subscriber._guard == .none ? Conclusion() : nil
  }

  /// Whether nothing may follow.
  @inlinable
  @inline(__always)
  public var isOver: Bool { conclusion?.isOver ?? false }

  /// False if it was over before.
  @inlinable
  @inline(__always)
  public func end() -> Bool { conclusion?.end() ?? true }

  /// A subscription whose cancel is noted.
  @inlinable
  public func watch(_ subscription: any Subscription) -> any Subscription {
    conclusion?.watch(subscription) ?? subscription
  }
}

/// Whether a subscription has completed or is cancelled.
@usableFromInline
final class Conclusion: Sendable {
  @usableFromInline
  let over = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  @inlinable
  @inline(__always)
  var isOver: Bool { over.load(ordering: .relaxed) }

  /// False if it was over before.
  @usableFromInline
  func end() -> Bool {
    !over.exchange(true, ordering: .acquiringAndReleasing)
  }

  @usableFromInline
  func watch(_ subscription: any Subscription) -> any Subscription {
    ConcludedSubscription(upstream: subscription, conclusion: self)
  }
}

/// The upstream's subscription, whose cancel is noted before it is passed on.
///
/// It holds no subscriber: a publisher that is released without a completion would otherwise leave a cycle.
struct ConcludedSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  let upstream: any Subscription
  let conclusion: Conclusion

  func request(_ demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  func cancel() {
    _ = conclusion.end()
    upstream.cancel()
  }

  var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

  var description: String { String(describing: upstream) }

  var customMirror: Mirror { Mirror(reflecting: upstream) }

  var playgroundDescription: Any {
    (upstream as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}
