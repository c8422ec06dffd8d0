public import Weir
import WeirDispatch

/// A subscriber that sets something on the main actor, for instance a property of a control.
///
///     model.message.bind(to: label.rx.text).store(in: &bag)
///
/// It takes values only. A publisher that can fail has to say before what a failure looks like. `bind(to:)` is in `WeirRx`.
///
/// - Demand: unlimited.
/// - Completion and cancellation: the end changes nothing. The target isn't kept: when it has gone, values are ignored.
/// - Threading: values may come on any thread, and are set in that order. A value that comes on the main actor is set
///   immediately, after the older values that are pending. Other values are set as soon as the main actor is free. At most
///   200 pending values are set in a row. The rest, and a value that came behind it, is set later, so that other work on the
///   main actor has its turn.
public struct Binder<Value>: Subscriber {
  /// What is set.
  public typealias Input = Value

  /// It can't receive a failure.
  public typealias Failure = Never

  /// Tells this binder from others.
  public let combineIdentifier = CombineIdentifier()

  let lane: MainActorLane<Value>

  /// Makes a binder from a function that sets a value of the target, which is held weakly.
  public init<Target: AnyObject>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
    // Safety: only the closure accesses the target, and runs on the main actor. (`BinderTests`)
    nonisolated(unsafe) weak let target = target
    self.init { value in
      if let target { binding(target, value) }
    }
  }

  init(_ set: @escaping @MainActor (Value) -> Void) {
    lane = MainActorLane(isOnMainActor: { isOnMainActor() }, set)
  }

  /// Asks for everything.
  public func receive(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  /// Sets the value.
  public func receive(_ value: Value) -> Subscribers.Demand {
    lane.put(value)
    return .none
  }

  /// Does nothing.
  public func receive(completion: Subscribers.Completion<Never>) {}
}

extension Binder: Sendable where Value: Sendable {}
