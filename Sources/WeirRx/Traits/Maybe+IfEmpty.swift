public import Weir

// What a maybe has in addition to the operators of a single.
extension Maybe {
  /// Sends a default value if this maybe has no value.
  ///
  ///     maybe                 ---|
  ///     .ifEmpty(default: 0)  ---(0|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func ifEmpty(default value: Output) -> Single<Output, Failure> {
    Single(trusting: source.replaceEmpty(with: value))
  }

  /// Continues with a single if this maybe has no value.
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the other where this maybe finishes.
  @inlinable
  public func ifEmpty(switchTo other: Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: orElse(other.source))
  }

  /// Continues with another maybe if this one has no value.
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the other where this maybe finishes.
  @inlinable
  public func ifEmpty(switchTo other: Maybe) -> Maybe {
    Maybe(trusting: orElse(other.source))
  }

  @inlinable
  func orElse(_ other: AnyPublisher<Output, Failure>) -> some Publisher<Output, Failure> {
    source.map(Output?.some).replaceEmpty(with: nil).flatMap { (value: Output?) -> AnyPublisher<Output, Failure> in
      value.map { Single.just($0).source } ?? other
    }
  }
}
