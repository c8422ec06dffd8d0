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
/// - Threading: values may come on any thread. On the main actor one is set at once, elsewhere as soon as the main actor
///   is free, and always in the order in which they came.
public struct Binder<Value>: Subscriber {
  /// What is set.
  public typealias Input = Value

  /// It can't receive a failure.
  public typealias Failure = Never

  /// Tells this binder from others.
  public let combineIdentifier = CombineIdentifier()

  let queue: BinderQueue<Value>

  /// Makes a binder from a function that sets a value of the target, which is held weakly.
  public init<Target: AnyObject>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
    // The target is touched on the main actor only.
    nonisolated(unsafe) weak let target = target
    self.init { value in
      if let target { binding(target, value) }
    }
  }

  init(_ set: @escaping @MainActor (Value) -> Void) {
    queue = BinderQueue(set)
  }

  /// Asks for everything.
  public func receive(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  /// Sets the value.
  public func receive(_ value: Value) -> Subscribers.Demand {
    queue.set(value)
    return .none
  }

  /// Does nothing.
  public func receive(completion: Subscribers.Completion<Never>) {}
}

extension Binder: Sendable where Value: Sendable {}

// Sendable because what waits is behind the lock, and the function runs on the main actor only.
/// The values of a binder that wait for the main actor.
final class BinderQueue<Value>: @unchecked Sendable {
  private let waiting = Locked<[Value]>([])
  private let apply: @MainActor (Value) -> Void

  init(_ apply: @escaping @MainActor (Value) -> Void) {
    self.apply = apply
  }

  func set(_ value: Value) {
    if isOnMainActor() {
      // What came before on another thread goes first.
      drain()
      assumingMainActor(value, apply)
    } else {
      let isFirst = waiting.withLock { waiting in
        waiting.append(value)
        return waiting.count == 1
      }
      if isFirst { Task { @MainActor in self.drain() } }
    }
  }

  // One at a time: setting one may bring another, which must come after all of these.
  private func drain() {
    while let value = waiting.withLock({ $0.isEmpty ? nil : Carried(value: $0.removeFirst()) }) {
      assumingMainActor(value.value, apply)
    }
  }
}
