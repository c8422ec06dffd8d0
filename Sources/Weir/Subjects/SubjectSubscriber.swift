extension Publisher {
  /// Sends the events of this publisher into a subject.
  ///
  /// - Demand: the demand that the subject requests from its upstream.
  /// - Completion and cancellation: the completion is sent into the subject. Releasing the result cancels.
  /// - Threading: events are sent into the subject on the thread on which this publisher delivers.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    attach(subscriber) { Downstream($0) }
    return AnyCancellable(subscriber)
  }

  /// Does the same, and passes the result on before this publisher sends.
  ///
  /// So a subscriber of the subject can cancel a publisher that sends while it is being subscribed to.
  ///
  /// Performance: such a subject has no other publisher, so it isn't told when this one sends.
  @inlinable
  package func subscribe<S: Subject>(_ subject: S, keep: (AnyCancellable) -> Void)
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject, isRecorded: false)
    keep(AnyCancellable(subscriber))
    attach(subscriber) { subscriber in
      let functions = Downstream(subscriber)
      return Downstream(
        face: functions.face, begin: functions.begin, end: functions.end, next: { subscriber.sendUnrecorded($0) })
    }
  }
}

/// A subscriber that sends the events that it receives into a subject.
///
/// The subject retains `upstream`, but not this object, which retains the subject. So a cancellation, which releases
/// the upstream's subscription, leaves no reference cycle.
@usableFromInline
final class SubjectSubscriber<S: Subject>: Subscriber, Subscription, OperatorReflectable {
  @usableFromInline
  typealias Input = S.Output

  @usableFromInline
  typealias Failure = S.Failure

  @usableFromInline
  let subject: S

  @usableFromInline
  let upstream: SubjectUpstream

  @inlinable
  @inline(never)
  init(_ subject: S, isRecorded: Bool = true) {
    self.subject = subject
    upstream = SubjectUpstream(isRecorded: isRecorded)
  }

  @usableFromInline
  var description: String { upstream.description }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] {
    let subscription = upstream.upstreamSlot.subscription.withLock { $0 }
    return [("subject", subject), ("upstreamSubscription", unwrappedForMirror(subscription.shown))]
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if upstream.upstreamSlot.attach(subscription) { subject.send(subscription: upstream) }
  }

  @inlinable
  func receive(_ value: S.Output) -> Subscribers.Demand {
    guard upstream.upstreamSlot.isMarked else { return sendUnrecorded(value) }
    upstream.beginSending()
    subject.send(value)
    upstream.endSending()
    return .none
  }

  @inlinable
  func sendUnrecorded(_ value: S.Output) -> Subscribers.Demand {
    if upstream.upstreamSlot.isOpen { subject.send(value) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<S.Failure>) {
    let isOpen = upstream.upstreamSlot.isOpen || upstream.upstreamSlot.isMarked
    if isOpen, upstream.finish() { subject.send(completion: completion) }
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

/// The subscription that a subject receives from an upstream.
@usableFromInline
final class SubjectUpstream: Subscription, OperatorReflectable {
  @usableFromInline
  let upstreamSlot = SingleAssignmentSubscription()

  private struct Places {
    /// The first place behind other upstreams, whose list must know when this one sends.
    ///
    /// It is kept after the end, because this one may still be sending.
    var recorded: (list: SubjectUpstreams, number: Int)?

    /// Performance: most upstreams are in one list, so they need no array.
    var first: (list: SubjectUpstreams, number: Int)?
    var others: [(list: SubjectUpstreams, number: Int)] = []
    var isTerminated = false
  }

  /// The subjects' lists that retain this object, with its number in each.
  private let places = Locked(Places())

  /// Whether it tells such a list when it sends.
  private let isRecorded: Bool

  @usableFromInline
  init(isRecorded: Bool) {
    self.isRecorded = isRecorded
  }

  @usableFromInline
  var description: String { "Subject" }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    upstreamSlot.subscription.withLock { $0 }.request(demand)
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { upstreamSlot.outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    upstreamSlot.cancel()
    tellEnd()
  }

  /// Records the publisher's completion.
  ///
  /// Returns `false` after another completion or a cancellation.
  @usableFromInline
  func finish() -> Bool {
    let isFirst = upstreamSlot.finish()
    tellEnd()
    return isFirst
  }

  /// Records a list that retains this object, which the list releases after a completion or a cancellation.
  func keep(in list: SubjectUpstreams, as number: Int) {
    if number > 0, !record(in: list, as: number) { list.noteSilent() }
    let isTerminated = places.withLock { places in
      if places.isTerminated { return true }
      if places.first == nil { places.first = (list, number) } else { places.others.append((list, number)) }
      return false
    }
    if isTerminated { list.remove(number) }
  }

  /// Records its first place behind other upstreams; returns `false` for a further one.
  private func record(in list: SubjectUpstreams, as number: Int) -> Bool {
    if !isRecorded { return false }
    let isFirst = places.withLock { places in
      if places.recorded != nil { return false }
      places.recorded = (list, number)
      return true
    }
    if isFirst { upstreamSlot.mark() }
    return isFirst
  }

  @usableFromInline
  func beginSending() {
    if let place = places.withLock({ $0.recorded }) { place.list.beginSending(place.number) }
  }

  @usableFromInline
  func endSending() {
    if let place = places.withLock({ $0.recorded }) { place.list.endSending(place.number) }
  }

  private func tellEnd() {
    let (first, others) = places.withLock { places in
      places.isTerminated = true
      let others = places.others
      places.others = []
      return (places.first.take(), others)
    }
    if let first { first.list.remove(first.number) }
    for place in others { place.list.remove(place.number) }
  }
}
