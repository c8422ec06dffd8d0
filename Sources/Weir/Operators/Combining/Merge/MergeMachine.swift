/// The state machine of `merge` and `flatMap`, which forwards the values of several upstreams as they arrive.
///
/// Unlimited demand is forwarded to every upstream. With finite demand, one value ahead is requested from each
/// upstream. It is buffered here until there is demand, and then the next is requested. So no value is dropped, and at
/// most one value of each upstream is buffered without demand.
@usableFromInline
struct MergeMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  var upstreams: MergedUpstreams

  /// Values without demand, at most one for each upstream.
  @usableFromInline
  var buffered = CircularBuffer<(number: Int, value: Output)>()

  @usableFromInline
  var end = PendingTermination()

  @inlinable
  init(_ upstreams: MergedUpstreams) {
    self.upstreams = upstreams
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { upstreams.outermostGate(of: thread, from: number) }

  // MARK: Events

  @inlinable
  static var requestsAhead: Bool { true }

  @inlinable
  @inline(__always)
  mutating func awaitsDemand() -> Bool {
    // Performance: no operators that take closures, because those would copy the whole machine.
    if buffered.count == 0 { return false }
    return upstreams.demand == .none
  }

  @inlinable
  mutating func answered(_ number: Int) {
    upstreams.answered(number)
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    upstreams.open(number)
    return .nothing
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard upstreams.completed(number) else {
      Reports.late(completion)
      return .nothing
    }
    if case .failure = completion { terminate(with: completion) }
    return upstreams.isAwaitingMore ? .nothing : .undecided
  }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if let demand = upstreams.subscribed(to: number, subscription) { return .request(demand) }
    end.cancel(subscription)
    return .undecided
  }

  @inlinable
  static func firstDemand(for number: Int, isUnlimited: Bool) -> Subscribers.Demand {
    number == outerNumber ? .none : isUnlimited ? .unlimited : .max(1)
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    upstreams.requested(more)
  }

  @inlinable
  mutating func cancelled() {
    if upstreams.phase != .terminated { finish() }
    end.completion = nil
  }

  /// Ends the machine and drops all buffered values: a failure overtakes the values without demand.
  @inlinable
  @inline(never)
  mutating func finish() {
    upstreams.end(&end)
    buffered.removeAll()
  }

  @inlinable
  mutating func terminate(with completion: AnyCompletion) {
    finish()
    end.completion = completion
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard upstreams.phase == .running, upstreams.opened.isOpen(number) else { return .nothing }
    // Performance: no operators that take closures, because those would copy the whole machine.
    if upstreams.demand == .unlimited, buffered.count == 0 { return .deliver(value) }
    buffered.append((number, value))
    upstreams.buffered(from: number)
    return .undecided
  }

  @inlinable
  @inline(__always)
  mutating func receive(scalar value: Output, from number: Int) -> ValueOutcome<Output> {
    guard upstreams.phase == .running, upstreams.demand == .unlimited, buffered.count == 0 else { return .nothing }
    if upstreams.limit == .unlimited { return .deliver(value) }
    upstreams.requestFromOuter()
    return .deliverFirst(value)
  }

  @inlinable
  var takesScalars: Bool { mutating get { upstreams.demand == .unlimited } }

  @inlinable
  mutating func maySend(_ number: Int) -> Bool {
    // Performance: no operators that take closures, because those would copy the whole machine.
    if number == outerNumber { return !upstreams.outerIsDone }
    return upstreams.opened.isOpen(number)
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Never> {
    switch upstreams.phase {
    case .running:
      // Performance: the count is read first, because in a debug build a call of a method of the buffer looks metadata
      // up.
      if buffered.count > 0, upstreams.demand > .none, let (number, value) = buffered.popFirst() {
        upstreams.delivered(from: number)
        return .deliver(value)
      }
      if let request = upstreams.nextRequest() { return .request(request) }
      if !end.isCancelling {
        guard upstreams.areDone, buffered.count == 0 else { return .nothing }
        terminate(with: .finished)
      }
      return end.next()
    case .announcing:
      upstreams.phase = .running
      return .announce
    case .terminated:
      return end.next()
    }
  }
}

/// The upstreams of a ``MergeMachine``, and the requests to them.
///
/// Performance: it knows no types, so it is compiled once, not for each type of values.
@usableFromInline
struct MergedUpstreams {
  @usableFromInline
  var phase = MachinePhase.announcing

  /// The upstreams that have been opened and have not completed, with the subscriptions that have arrived.
  @usableFromInline
  var opened = OpenUpstreams()

  private var outer = OptionalSubscription()

  @usableFromInline
  var outerIsDone: Bool

  /// The maximum number of concurrent upstreams.
  @usableFromInline
  let limit: Subscribers.Demand

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The requests that are due; an upstream can complete inside the delivery before its request.
  private var requests = CircularBuffer<UpstreamRequest>()

  /// Creates the state for `count` upstreams, which are all known.
  @usableFromInline
  init(merging count: Int) {
    outerIsDone = true
    limit = .unlimited
    for number in 0..<count { opened.open(number) }
  }

  /// Creates the state for the upstreams that an outer publisher sends, at most `limit` of them at a time.
  @usableFromInline
  init(limit: Subscribers.Demand) {
    outerIsDone = false
    self.limit = limit
  }

  @usableFromInline
  var areDone: Bool { outerIsDone && opened.isEmpty }

  /// Whether more events are to come, and no request is due.
  @usableFromInline
  var isAwaitingMore: Bool { phase == .running && requests.isEmpty && !areDone }

  /// An upstream can deliver while it is being subscribed to, inside the outer publisher's delivery.
  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    if let gate = outer.outermostGate(of: thread) { return gate }
    return opened.entries.index(of: number).flatMap { opened.entries[$0].subscription.outermostGate(of: thread) }
  }

  @usableFromInline
  mutating func open(_ number: Int) {
    opened.open(number)
  }

  // If an upstream's place became free before its buffered values are delivered, upstreams of one value would follow each
  // other without demand, and any number of values would be buffered.

  /// Records an upstream's completion; returns `false` if that upstream is not open.
  @usableFromInline
  mutating func completed(_ number: Int) -> Bool {
    guard phase == .running else { return false }
    if number == outerNumber {
      if outerIsDone { return false }
      outer = OptionalSubscription()
      outerIsDone = true
    } else {
      guard let isGone = opened.close(number) else { return false }
      if isGone, limit != .unlimited { requestFromOuter() }
    }
    return true
  }

  /// Records that a value has been buffered.
  @usableFromInline
  mutating func buffered(from number: Int) {
    if limit != .unlimited { opened.addBuffered(number) }
  }

  /// Stores a subscription, and returns the demand to request from it; `nil` if it must be cancelled.
  @usableFromInline
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> Subscribers.Demand? {
    guard phase != .terminated else { return nil }
    if number != outerNumber {
      guard opened.subscribe(number, subscription) else { return nil }
      return demand == .unlimited ? .unlimited : .max(1)
    }
    if outer.isFull || outerIsDone { return nil }
    outer = OptionalSubscription(subscription)
    return limit
  }

  @usableFromInline
  mutating func requestFromOuter() {
    if let outer = outer.content { requests.append(UpstreamRequest(outerNumber, outer, .max(1))) }
  }

  @usableFromInline
  mutating func requested(_ more: Subscribers.Demand) {
    guard demand != .unlimited else { return }
    demand += more
    guard demand == .unlimited else { return }
    for entry in opened.entries {
      if let upstream = entry.subscription.content {
        requests.append(UpstreamRequest(entry.number, upstream, .unlimited))
      }
    }
  }

  @usableFromInline
  mutating func answered(_ number: Int) {
    // With unlimited demand, no delivery would remove the mark.
    if demand != .unlimited { opened.answered(number) }
  }

  /// Records the delivery of a buffered value, and requests the next from its upstream, or another upstream.
  @usableFromInline
  mutating func delivered(from number: Int) {
    if limit != .unlimited, opened.removeBuffered(number) { requestFromOuter() }
    if demand == .unlimited { return }
    demand -= 1
    if opened.takeAnswered(number) { return }
    if let upstream = opened.subscription(of: number).content {
      requests.append(UpstreamRequest(number, upstream, .max(1)))
    }
  }

  /// Removes and returns the next request to an upstream that has not completed since it was recorded.
  @usableFromInline
  mutating func nextRequest() -> UpstreamRequest? {
    while requests.count > 0, let request = requests.popFirst() {
      if request.number == outerNumber ? outer.isFull : opened.contains(request.number) { return request }
    }
    return nil
  }

  /// Ends all upstreams, and schedules their cancellation: in the order of their numbers, the outer publisher last.
  @usableFromInline
  mutating func end(_ end: inout PendingTermination) {
    phase = .terminated
    end.cancel(outer.take())
    for entry in opened.entries.reversed() { end.cancel(entry.subscription) }
    opened.removeAll()
    requests.removeAll()
  }
}
