/// Marks the places where user code runs, so that a verification can re-enter the operator from there.
///
/// Rules C15, C16 and C21 act at these places. The verification's own subscribers, subscriptions, schedulers and
/// ``VerificationValue``s are such places. Mark the closures that you pass to your operator:
///
///     try OperatorVerification(values: VerificationValue.upTo(100)) { upstream in
///       upstream.myFilter { value in
///         UserCode.runs("the predicate")
///         return value.number > 1
///       }
///     }.run().check()
///
/// Outside a verification these methods do nothing.
public enum UserCode {
  /// Marks a place where user code runs: a closure, an operator such as `==`, or a method of one of your types.
  ///
  /// - Parameter place: How a report names the place.
  public static func runs(_ place: StaticString = "a closure") {
    Interference.current?.reach(place, isRelease: false)
    Interference.intruded?.noteIntrusion(place)
  }

  /// Marks the `deinit` of a value, an error, or an object that a closure captures.
  ///
  /// - Parameter place: How a report names the place.
  public static func releases(_ place: StaticString = "a deinit") {
    Interference.current?.reach(place, isRelease: true)
  }

  /// Whether the upstream of the running script is one of Weir's publishers, which a factory leaves unwrapped.
  package static var isFedDirectly: Bool { Interference.current?.feed == .direct }
}
