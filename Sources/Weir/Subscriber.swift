/// A type that receives values from a publisher.
///
/// - Demand: a subscriber requests values through its ``Subscription``, and by returning demand from ``receive(_:)``.
///   Demand accumulates; it is never reduced.
/// - Completion: terminal. Release the subscription when it is delivered.
/// - Threading: a publisher calls one subscriber serially, not necessarily on one thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values that this subscriber receives.
  associatedtype Input

  /// The type of the failure that it can receive; `Never` if it receives none.
  associatedtype Failure: Error

  /// Delivers the subscription, once, before any other event.
  func receive(subscription: any Subscription)

  /// Delivers one value, and returns demand in addition to the earlier requests.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Delivers the completion.
  func receive(completion: Subscribers.Completion<Failure>)
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
