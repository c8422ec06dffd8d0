public import Weir
import WeirDispatch
package import WeirRx

/// A subscriber that sets a value on the main actor, for instance a property of a control.
///
///     model.message.bind(to: label.rx.text).store(in: &bag)
///
/// A binder receives values only. Handle the failures of a publisher before the binder. `bind(to:)` is in `WeirRx`.
///
/// - Demand: unlimited.
/// - Completion and cancellation: a finish is ignored. Values that are pending when the result of `bind(to:)` is
///   cancelled are not set. The target is held weakly. Values are ignored after it has been deallocated.
/// - Threading: any thread may deliver values, and they are set in that order. A value that arrives on the main actor
///   is set immediately, after the pending older values. Other values are set after a hop. At most 200 pending values
///   are set in a row. All further ones are set later, so that other work on the main actor has its turn.
public struct Binder<Value>: Subscriber {
  /// The type of the value.
  public typealias Input = Value

  /// It can't receive a failure.
  public typealias Failure = Never

  /// The identity of this binder.
  public let combineIdentifier = CombineIdentifier()

  /// A value to set, unless the subscription that it comes from has been cancelled.
  struct Bound {
    let value: Value
    var cancellation: AtomicFlag?
  }

  let lane: ActorLane<Bound>

  /// Raised when the only subscription of this copy is cancelled.
  private var cancellation: AtomicFlag?

  /// Creates a binder from a function that sets a value of the target, which is held weakly.
  ///
  /// A target that isn't `Sendable` belongs to the main actor, so only that can create its binder.
  @MainActor
  public init<Target: AnyObject>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
    self.init { [weak target] value in
      if let target { binding(target, value) }
    }
  }

  /// Creates a binder for a target that any thread may reference, such as one of the main actor.
  public init<Target: AnyObject & Sendable>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
    self.init { [weak target] value in
      if let target { binding(target, value) }
    }
  }

  init(_ set: @escaping @MainActor (Value) -> Void) {
    lane = ActorLane(isOnMainActor: { isOnMainActor() })
    lane.open(onMainActor: { bound in
      if bound.cancellation?.isRaised != true { set(bound.value) }
    })
  }

  /// Requests unlimited demand.
  public func receive(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  /// Sets the value.
  public func receive(_ value: Value) -> Subscribers.Demand {
    lane.put(Bound(value: value, cancellation: cancellation))
    return .none
  }

  /// Ignores the finish.
  public func receive(completion: Subscribers.Completion<Never>) {}
}

extension Binder: Sendable where Value: Sendable {}

extension Binder: DeferringSubscriber {
  package func dropping(after cancellation: AtomicFlag) -> Self {
    var binder = self
    binder.cancellation = cancellation
    return binder
  }
}
