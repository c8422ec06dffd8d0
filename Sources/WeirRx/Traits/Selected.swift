public import Weir

// These operators send at most one value, so the conversion needs no check.
extension Publishers.First {
  /// Converts this publisher to a maybe: the first value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.FirstWhere {
  /// Converts this publisher to a maybe: the first matching value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.Last {
  /// Converts this publisher to a maybe: the last value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.LastWhere {
  /// Converts this publisher to a maybe: the last matching value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}
