public import Synchronization

/// Declares that a type can deliver a sequence of values over time.
///
/// A publisher is a description of work; nothing happens until a subscriber is attached. Each subscriber gets exactly
/// one subscription, then values, never more than it asked for, then at most one completion.
///
/// - Demand: values flow only against demand that the subscriber has requested.
/// - Completion: at most one, after which nothing follows. No completion comes after a cancel.
/// - Threading: delivery to one subscriber is serial. Values arrive on the thread on which the source sends them.
public protocol Publisher<Output, Failure> {
  /// The kind of values that this publisher delivers.
  associatedtype Output

  /// The kind of error with which it can fail; `Never` if it can't.
  associatedtype Failure: Error

  /// Attaches a subscriber. Conforming types implement this; callers use `subscribe`.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Attaches what an operator sends to.
  ///
  /// An implementation detail. The default subscribes with a border, which serializes threads. Only Weir's publishers
  /// implement it otherwise, because they keep the rules. A publisher outside of Weir can't send to a downstream. It can
  /// only forward the downstream to one other publisher: two could send on two threads at once, which nothing guards.
  func _attach(_ downstream: Downstream<Output, Failure>)

  /// The only value of a publisher that finishes after it and of whose delivery nobody could take notice.
  ///
  /// An implementation detail: operators that open many publishers send it on without subscribing.
  var _onlyValue: Output? { get }
}

extension Publisher {
  /// There is none: subscribe.
  @inlinable
  @inline(__always)
  public var _onlyValue: Output? { nil }

  /// Attaches a subscriber to this publisher.
  ///
  /// - Demand: none is requested here; the subscriber asks through the subscription that it receives.
  /// - Completion and cancellation: reach the subscriber, and are asked for by it, through that subscription.
  /// - Threading: runs on the caller's thread.
  @inlinable
  @inline(__always)
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    if Witnesses.areThere.load(ordering: .relaxed) {
      Witnesses.subscribe(subscriber, to: self)
    } else {
      receive(subscriber: subscriber)
    }
  }
}

/// A namespace for the types of the operators and sources.
public enum Publishers {}
