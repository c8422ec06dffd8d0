public import Weir

// These send one value at the most: there is no promise that they could break.
extension Publishers.First {
  /// Says in its type that it publishes one value at the most: the first value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.FirstWhere {
  /// Says in its type that it publishes one value at the most: the first value of some kind, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.Last {
  /// Says in its type that it publishes one value at the most: the last value, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}

extension Publishers.LastWhere {
  /// Says in its type that it publishes one value at the most: the last value of some kind, if there is one.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: self)
  }
}
