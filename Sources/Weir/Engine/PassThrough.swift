/// An operator without state of its own, reduced to what it does with one input.
@usableFromInline
protocol PassThroughOperation<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error

  /// The name that subscribers show.
  static var name: StaticString { get }

  /// Sends what becomes of the input downstream; the result is the demand that goes back upstream.
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand where D.Input == Output

  func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure>

  /// Hands the subscription downstream.
  func receive<D: Subscriber>(subscription: any Subscription, for downstream: D)

  /// What mirrors show.
  func reflected(downstream: Any) -> [Mirror.Child]
}

extension PassThroughOperation {
  @inlinable
  func receive<D: Subscriber>(subscription: any Subscription, for downstream: D) {
    downstream.receive(subscription: subscription)
  }

  @usableFromInline
  func reflected(downstream: Any) -> [Mirror.Child] { [] }
}

extension PassThroughOperation where UpstreamFailure == Failure {
  @inlinable
  func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure> {
    completion
  }
}

extension PassThroughOperation where Input == Output {
  @inlinable
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand where D.Input == Output {
    downstream.receive(input)
  }
}

/// The subscriber of an operator without state: a value, so a chain of them is one value and compiles to one function.
///
/// The upstream's own subscription goes on downstream, so demand and cancellation don't pass through here at all.
@usableFromInline
@frozen
struct PassThrough<Work: PassThroughOperation, Downstream: Subscriber>: Subscriber, Described
where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
  @usableFromInline
  let work: Work

  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(_ work: Work, downstream: Downstream) {
    self.work = work
    self.downstream = downstream
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @usableFromInline
  var description: String { Work.name.description }

  @usableFromInline
  var reflected: [Mirror.Child] { work.reflected(downstream: downstream) }

  @inlinable
  func receive(subscription: any Subscription) {
    work.receive(subscription: subscription, for: downstream)
  }

  @inlinable
  func receive(_ input: Work.Input) -> Subscribers.Demand {
    work.receive(input, for: downstream)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Work.UpstreamFailure>) {
    downstream.receive(completion: work.end(completion))
  }
}
