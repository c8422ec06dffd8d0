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
