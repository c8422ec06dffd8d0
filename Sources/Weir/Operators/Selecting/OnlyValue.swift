/// A publisher of its upstream's only value, which fails if there is another: behind `asSingle` and `asMaybe` of `WeirRx`.
///
/// The upstream is asked for everything. The value goes out when the upstream has finished and there is demand; a failure
/// needs none.
package struct OnlyValue<Upstream: Publisher, Failure: Error>: _DirectPublisher {
  package typealias Output = Upstream.Output

  private let upstream: Upstream
  private let name: StaticString
  private let work: OnlyValueWork<Output, Upstream.Failure, Failure>

  /// - Parameters:
  ///   - upstream: the publisher of the value.
  ///   - name: what the subscription shows.
  ///   - failure: makes this publisher's failure of the upstream's.
  ///   - missing: makes the failure for want of a value; without it there may be none.
  ///   - second: makes the failure when a second value comes.
  package init(
    of upstream: Upstream, named name: StaticString, failure: @escaping (Upstream.Failure) -> Failure,
    missing: (() -> Failure)?, second: @escaping () -> Failure
  ) {
    self.upstream = upstream
    self.name = name
    work = OnlyValueWork(failure: failure, missing: missing, second: second)
  }

  package func _attach(_ downstream: Downstream<Output, Failure>) {
    upstream.attach(downstream, through: work, named: name)
  }
}

private struct OnlyValueWork<Value, UpstreamFailure: Error, Failure: Error>: Operation {
  typealias Input = Value
  typealias Output = Value

  static var name: StaticString { "OnlyValue" }

  /// It sends nothing before the end, so there is nothing to count.
  static var mayEmitAtEnd: Bool { false }

  let failure: (UpstreamFailure) -> Failure
  let missing: (() -> Failure)?
  let second: () -> Failure
  var value: Value?

  var policy: Link.Policy { .unlimited }

  mutating func next(_ input: Value) -> Step<Value, Failure> {
    if value != nil { return .fail(second()) }
    value = input
    return .skip
  }

  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> LastStep<Value, Failure> {
    switch completion {
    case .failure(let error): .complete(.failure(failure(error)))
    case .finished: value.map { .emit($0) } ?? .complete(missing.map { .failure($0()) } ?? .finished)
    }
  }
}
