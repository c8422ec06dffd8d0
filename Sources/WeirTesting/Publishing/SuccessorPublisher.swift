public import Weir

/// A publisher that follows another one, and delivers on a thread of its own while rule C20 is verified.
///
/// Outside of that rule it delivers its values on the thread that requests them. Use it as the publisher that your operator
/// attaches after its upstream, so that ``OperatorVerification`` can check that the two never overlap:
///
///     try OperatorVerification(.holdsValues) { $0.myAppend(SuccessorPublisher([7])) }.run().check()
///
/// - Demand: Respected.
/// - Completion and cancellation: Finishes after its last value.
/// - Threading: Delivers on the requesting thread, and in rule C20 on another one.
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
    #if canImport(Dispatch)
    if let successors = Successors.current {
      let subscription = FreeSubscription(AnySubscriber<Output, UpstreamFailure>(subscriber), keepsRules: true)
      let values = SentValues(values: values)
      subscription.successors = (successors, { values.values.map { fresh($0) } })
      return subscriber.receive(subscription: subscription)
    }
    #endif
    values.lazy.map { fresh($0) }.publisher.setFailureType(to: UpstreamFailure.self).subscribe(subscriber)
  }
}
