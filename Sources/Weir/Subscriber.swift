/// Declares that a type can receive values from a publisher.
///
/// - Demand: a subscriber asks for values through its ``Subscription`` and by the demand that it returns from
///   ``receive(_:)``. Demand adds up; it is never taken back.
/// - Completion: is terminal; drop the subscription when it comes.
/// - Threading: a publisher calls one subscriber serially, not necessarily on one thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values that this subscriber receives.
  associatedtype Input

  /// The kind of error that it can receive; `Never` if it can't receive any.
  associatedtype Failure: Error

  /// Hands over the subscription: called once, before anything else.
  func receive(subscription: any Subscription)

  /// Delivers one value; the result is demand in addition to what was requested before.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells that the publisher has ended, normally or with a failure.
  func receive(completion: Subscribers.Completion<Failure>)

  /// What has to stand before this subscriber where its publisher isn't known to keep the rules of delivery.
  ///
  /// An implementation detail.
  var _guard: _DeliveryGuard { get }

  /// Where the gates that values come through are noted, if there may be a buffer behind this subscriber that values get to
  /// at once: it delivers when these gates are left.
  ///
  /// An implementation detail.
  var _gates: AnyObject? { get }

  /// Attaches this subscriber to a publisher that isn't known to keep the rules of delivery.
  ///
  /// An implementation detail. What is done for one kind of subscriber and not for another is a method or a type of each, not
  /// a condition: both calls of a condition would be compiled before it is known, at every operator and for all those
  /// before it, so that a chain of ten would be compiled a thousand times.
  func _subscribe<Upstream: Publisher>(to publisher: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Failure

  /// How operators without a state of their own note the end before this subscriber.
  ///
  /// An implementation detail.
  associatedtype _ConclusionNote: _Conclusion = _NotedConclusion
}

/// A subscriber of this library's, before which a guard stands where its publisher isn't known to keep the rules of
/// delivery, and which ignores what comes after the end.
///
/// An implementation detail. Don't conform to it.
public protocol _GuardedSubscriber: Subscriber where _ConclusionNote == _NoConclusion {}

/// What stands between a subscriber and a publisher that isn't known to keep the rules of delivery.
///
/// An implementation detail.
@frozen
public enum _DeliveryGuard {
  /// Nothing: the subscriber is a program's own.
  case none
  /// Broken rules are reported. The subscriber may be called by several threads at once.
  case checks
  /// Broken rules are reported, and one thread at a time gets to the subscriber.
  case serializes
  /// The same, for a subscriber that a program keeps until it cancels: what stands before it is kept as long, in case the
  /// publisher doesn't.
  case serializesAndStays
}

extension Subscriber {
  /// Nothing.
  @inlinable
  @inline(__always)
  public var _guard: _DeliveryGuard { .none }

  /// None.
  @inlinable
  @inline(__always)
  public var _gates: AnyObject? { nil }

  /// Attaches it as it is.
  @inlinable
  @inline(__always)
  public func _subscribe<Upstream: Publisher>(to publisher: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    publisher.receive(subscriber: self)
  }
}

extension _GuardedSubscriber {
  /// One thread at a time gets to the subscriber.
  @inlinable
  @inline(__always)
  public var _guard: _DeliveryGuard { .serializes }

  /// Attaches a guard that stands before it.
  @inlinable
  @inline(__always)
  public func _subscribe<Upstream: Publisher>(to publisher: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    publisher.receive(subscriber: StrictSubscriber(self, of: Upstream.self))
  }
}

extension Subscriber where Input == Void {
  /// Delivers one event that carries no value.
  @inlinable
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

/// A namespace for the types that act as subscribers.
public enum Subscribers {}
