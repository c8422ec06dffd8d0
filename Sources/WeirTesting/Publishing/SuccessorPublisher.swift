public import Weir

/// A publisher that follows another one, and delivers on its own thread while rule C20 is verified.
///
/// Use it as the publisher that your operator attaches after its upstream, so that ``OperatorVerification`` can check
/// that the two never overlap:
///
///     try OperatorVerification { $0.myAppend(SuccessorPublisher([7])) }.run().check()
///
/// - Demand: respected.
/// - Completion and cancellation: finishes after its last value. Cancellation stops it.
/// - Threading: delivers on the requesting thread, and in rule C20 on another one.
public struct SuccessorPublisher<Output>: Publisher {
  /// The failure of a verification's upstreams.
  public typealias Failure = UpstreamFailure

  private let values: [Output]

  /// Creates a publisher of these values.
  public init(_ values: [Output]) {
    self.values = values
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    let subscription = ThreadedSubscription(AnySubscriber(subscriber), sending: values.map(fresh))
    subscription.start = Succession.current?.join()
    subscriber.receive(subscription: subscription)
    // A completion needs no demand.
    if values.isEmpty { subscription.complete(isFailure: false) }
  }
}
