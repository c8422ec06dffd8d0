public import Synchronization

/// A type that delivers a sequence of values over time.
///
/// A publisher is a description of work; no work starts until a subscriber attaches. Each subscriber receives exactly
/// one subscription. Then it receives values, never more than it has requested, and at most one completion.
///
/// - Demand: values are delivered only against demand that the subscriber has requested.
/// - Completion: at most one, after which no event follows. No completion follows a cancellation.
/// - Threading: delivery to one subscriber is serial. Values are delivered on the thread on which the source sends
///   them.
public protocol Publisher<Output, Failure> {
  /// The type of the values that this publisher delivers.
  associatedtype Output

  /// The type of its failure; `Never` if the publisher never fails.
  associatedtype Failure: Error

  /// Attaches a subscriber; conforming types implement this method, and callers use `subscribe`.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Attaches an operator's downstream.
  ///
  /// An implementation detail. The default implementation subscribes with a border, which serializes threads. Only
  /// Weir's publishers implement it differently, because they follow the rules of delivery. A publisher outside of Weir
  /// can't send to a downstream. It can only forward the downstream to one other publisher. Two publishers could send
  /// on two threads concurrently, which nothing guards.
  func _attach(_ downstream: consuming Downstream<Output, Failure>)

  /// The value of a scalar publisher, which sends one value and finishes without observable side effects.
  ///
  /// An implementation detail: operators with inner publishers forward this value without subscribing.
  var _scalarValue: Output? { get }

  /// Whether this can be a scalar publisher, which is faster to find out than its value.
  ///
  /// An implementation detail of ``AnyPublisher``.
  var _mayBeScalar: Bool { get }
}

extension Publisher {
  /// Returns `nil`: the publisher must be subscribed to.
  @inlinable
  @inline(__always)
  public var _scalarValue: Output? { nil }

  /// Returns `false`: the publisher must be subscribed to.
  @inlinable
  @inline(__always)
  public var _mayBeScalar: Bool { false }

  /// Attaches a subscriber to this publisher.
  ///
  /// - Demand: this method requests none. The subscriber requests demand through the subscription that it receives.
  /// - Completion and cancellation: the subscriber receives the completion, and cancels through its subscription.
  /// - Threading: runs on the caller's thread.
  @inlinable
  @inline(__always)
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    if IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) {
      IntrospectionRegistry.subscribe(subscriber, to: self)
    } else {
      receive(subscriber: subscriber)
    }
  }
}

/// A namespace for the types of operators and sources.
public enum Publishers {}
