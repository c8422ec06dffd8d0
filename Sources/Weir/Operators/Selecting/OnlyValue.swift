/// A publisher of its upstream's only value, which fails if there is a second one.
///
/// `asSingle` and `asMaybe` of `WeirRx` use it.
///
/// It requests unlimited values. The value is delivered when the upstream has finished and there is demand. A failure
/// needs no demand.
package struct OnlyValue<Upstream: Publisher, Failure: Error>: _DirectPublisher {
  package typealias Output = Upstream.Output

  private let upstream: Upstream
  private let name: StaticString
  private let logic: OnlyValueOperator<Output, Upstream.Failure, Failure>

  /// - Parameters:
  ///   - upstream: the publisher of the value.
  ///   - name: the subscription's description.
  ///   - failure: maps the upstream's failure to this publisher's failure.
  ///   - missing: creates the failure if there is no value; without it, the publisher only finishes.
  ///   - second: creates the failure when a second value arrives.
  package init(
    of upstream: Upstream, named name: StaticString, failure: @escaping (Upstream.Failure) -> Failure,
    missing: (() -> Failure)?, second: @escaping () -> Failure
  ) {
    self.upstream = upstream
    self.name = name
    logic = OnlyValueOperator(failure: failure, missing: missing, second: second)
  }

  package func _attach(_ downstream: Downstream<Output, Failure>) {
    upstream.attach(downstream, through: logic, named: name)
  }
}

private struct OnlyValueOperator<Value, UpstreamFailure: Error, Failure: Error>: StatefulOperator {
  typealias Input = Value
  typealias Output = Value

  static var name: StaticString { "OnlyValue" }

  /// This operator sends nothing before the completion, so it need not count demand.
  static var mayEmitAtEnd: Bool { false }

  let failure: (UpstreamFailure) -> Failure
  let missing: (() -> Failure)?
  let second: () -> Failure
  var value: Value?

  var policy: OperatorSubscription.Policy { .unlimited }

  mutating func next(_ input: Value) -> OperatorResult<Value, Failure> {
    if value != nil { return .fail(second()) }
    value = input
    return .skip
  }

  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Value, Failure> {
    switch completion {
    case .failure(let error): .complete(.failure(failure(error)))
    case .finished: value.map { .emit($0) } ?? .complete(missing.map { .failure($0()) } ?? .finished)
    }
  }
}
