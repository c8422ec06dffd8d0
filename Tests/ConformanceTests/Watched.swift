import Weir
import WeirTesting

@testable import TestSupport

/// A publisher whose subscribers and subscriptions are user code, which must not run under one of the library's locks.
///
/// It has no places for re-entrancy. The verification's own subscribers and subscriptions have, after they have
/// recorded the call.
struct Watched<Source: Publisher>: Publisher {
  typealias Output = Source.Output
  typealias Failure = Source.Failure

  let source: Source
  /// Whether the subscription is checked too.
  ///
  /// Downstream of an operator, it is the library's own.
  let isUpstream: Bool

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    lockCheck("the receive(subscriber:) of a publisher")
    // The verification receives a structure instead.
    if isUpstream { Attachments.note(subscriber, as: .subscriber) }
    source.receive(subscriber: WatchedSubscriber(subscriber: subscriber, isUpstream: isUpstream))
  }
}

private struct WatchedSubscriber<Downstream: Subscriber>: Subscriber {
  let subscriber: Downstream
  let isUpstream: Bool
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) {
    // Upstream of an operator, the subscriber is the library's own.
    if !isUpstream { lockCheck("a subscriber's receive(subscription:)") }
    subscriber.receive(subscription: isUpstream ? WatchedSubscription(subscription) : subscription)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if !isUpstream { lockCheck("a subscriber's receive(_:)") }
    return subscriber.receive(input)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if !isUpstream { lockCheck("a subscriber's receive(completion:)") }
    subscriber.receive(completion: completion)
  }
}

private final class WatchedSubscription: Subscription, CustomStringConvertible {
  private let subscription: any Subscription

  init(_ subscription: any Subscription) {
    self.subscription = subscription
  }

  deinit { lockCheck("the deinit of a subscription") }

  func request(_ demand: Subscribers.Demand) {
    lockCheck("a subscription's request(_:)")
    subscription.request(demand)
  }

  func cancel() {
    lockCheck("a subscription's cancel()")
    subscription.cancel()
  }

  var description: String { "\(subscription)" }
}

/// A user's closure, which must not run under one of the library's locks.
func user<Result>(_ body: @escaping () -> Result) -> () -> Result {
  let token = Token()
  return {
    userCode("a closure of an operator")
    return withExtendedLifetime(token) { body() }
  }
}

/// A user's closure, which must not run under one of the library's locks.
func user<Input, Result>(_ body: @escaping (Input) -> Result) -> (Input) -> Result {
  let token = Token()
  return { input in
    userCode("a closure of an operator")
    return withExtendedLifetime(token) { body(input) }
  }
}
