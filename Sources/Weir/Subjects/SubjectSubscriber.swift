extension Publisher {
  /// Sends what this publisher delivers into a subject.
  ///
  /// - Demand: what the subject asks of the subscription that it is given.
  /// - Completion and cancellation: the completion goes into the subject. Dropping the result cancels.
  /// - Threading: the subject is sent to where this publisher delivers.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    attach(subscriber) { Downstream($0) }
    return AnyCancellable(subscriber)
  }
}

/// Sends what it receives into a subject.
///
/// The subject holds `upstream` and not this object, which holds the subject: so cancelling, which drops the upstream's
/// subscription, lets everything go.
@usableFromInline
final class SubjectSubscriber<S: Subject>: Subscriber, Subscription, Described {
  @usableFromInline
  typealias Input = S.Output

  @usableFromInline
  typealias Failure = S.Failure

  @usableFromInline
  let subject: S

  @usableFromInline
  let upstream = SubjectUpstream()

  @inlinable
  @inline(never)
  init(_ subject: S) {
    self.subject = subject
  }

  @usableFromInline
  var description: String { upstream.description }

  @usableFromInline
  var reflected: [Mirror.Child] {
    let subscription = upstream.intake.subscription.withLock { $0 }
    return [("subject", subject), ("upstreamSubscription", orNil(subscription.isFull ? subscription.content : nil))]
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if upstream.intake.attach(subscription) { subject.send(subscription: upstream) }
  }

  @inlinable
  func receive(_ value: S.Output) -> Subscribers.Demand {
    if upstream.intake.isOpen { subject.send(value) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<S.Failure>) {
    if upstream.intake.isOpen, upstream.finish() { subject.send(completion: completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  @usableFromInline
  func cancel() {
    upstream.cancel()
  }
}

/// The subscription that a subject gets from an upstream.
@usableFromInline
final class SubjectUpstream: Subscription, Described {
  @usableFromInline
  let intake = Intake()

  /// The subjects' lists that retain this, with the number in each; `nil` after a completion or a cancel.
  private let places = Locked<[(list: SubjectUpstreamList, number: Int)]?>([])

  @usableFromInline
  init() {}

  @usableFromInline
  var description: String { "Subject" }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    intake.subscription.withLock { $0 }.request(demand)
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { intake.outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    intake.cancel()
    tellEnd()
  }

  /// Notes the publisher's completion.
  ///
  /// False after another completion or a cancel.
  @usableFromInline
  func finish() -> Bool {
    let isFirst = intake.finish()
    tellEnd()
    return isFirst
  }

  /// Notes a list that retains this, and has it released there after a completion or a cancel.
  func keep(in list: SubjectUpstreamList, as number: Int) {
    let isOver = places.withLock { places in
      places?.append((list, number))
      return places == nil
    }
    if isOver { list.forget(number) }
  }

  private func tellEnd() {
    let places = places.withLock { $0.take() } ?? []
    for place in places { place.list.forget(place.number) }
  }
}
