/// A publisher of its upstream's only value, which fails if there is a second one.
///
/// `asSingle` and `asMaybe` of `WeirRx` use it.
///
/// It requests unlimited values. The value is delivered when the upstream has finished and there is demand. A failure
/// needs no demand.
@usableFromInline
package struct OnlyValue<Upstream: Publisher, Failure: Error>: _DirectPublisher {
  @usableFromInline
  package typealias Output = Upstream.Output

  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let name: StaticString

  @usableFromInline
  let logic: OnlyValueOperator<Output, Upstream.Failure, Failure>

  /// - Parameters:
  ///   - upstream: the publisher of the value.
  ///   - name: the subscription's description.
  ///   - failure: maps the upstream's failure to this publisher's failure.
  ///   - missing: creates the failure if there is no value; without it, the publisher only finishes.
  ///   - second: creates the failure when a second value arrives.
  @inlinable
  package init(
    of upstream: Upstream, named name: StaticString, failure: @escaping (Upstream.Failure) -> Failure,
    missing: (() -> Failure)?, second: @escaping () -> Failure
  ) {
    self.upstream = upstream
    self.name = name
    logic = OnlyValueOperator(failure: failure, missing: missing, second: second)
  }

  @inlinable
  package func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    upstream.attach(downstream, through: logic, named: name)
  }
}

@usableFromInline
struct OnlyValueOperator<Output, UpstreamFailure: Error, Failure: Error>: StatefulOperator {
  @usableFromInline
  static var name: StaticString { "OnlyValue" }

  /// This operator sends nothing before the completion, so it need not count demand.
  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @usableFromInline
  let failure: (UpstreamFailure) -> Failure

  @usableFromInline
  let missing: (() -> Failure)?

  @usableFromInline
  let second: () -> Failure

  @usableFromInline
  var value: Output?

  @inlinable
  init(failure: @escaping (UpstreamFailure) -> Failure, missing: (() -> Failure)?, second: @escaping () -> Failure) {
    self.failure = failure
    self.missing = missing
    self.second = second
  }

  @inlinable
  var policy: OperatorSubscription.Policy { .unlimited }

  @inlinable
  mutating func next(_ input: Output) -> OperatorResult<Output, Failure> {
    if value != nil { return .fail(second()) }
    value = input
    return .skip
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Output, Failure> {
    switch completion {
    case .failure(let error): .complete(.failure(failure(error)))
    case .finished: value.map { .emit($0) } ?? .complete(missing.map { .failure($0()) } ?? .finished)
    }
  }
}
