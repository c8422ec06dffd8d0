/// The state machine of `merge` and `flatMap`, which forwards the values of several upstreams as they arrive.
///
/// Unlimited demand is forwarded to every upstream. With finite demand, one value ahead is requested from each
/// upstream. It is buffered here until there is demand, and then the next is requested. So no value is dropped, and at
/// most one value of each upstream is buffered.
@usableFromInline
struct MergeMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  var upstreams: MergedUpstreams

  /// The value that has just arrived, and the upstream that sent it.
  // Performance: two properties, because a debug build looks up the type of an optional pair twice for each value.
  @usableFromInline
  var incoming: Value?

  @usableFromInline
  var sender = 0

  /// Values without demand, at most one for each upstream.
  @usableFromInline
  var waiting = CircularBuffer<(child: Int, value: Value)>()

  @usableFromInline
  var end = PendingTermination<Failure>()

  @inlinable
  init(_ upstreams: MergedUpstreams) {
    self.upstreams = upstreams
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { upstreams.outermostGate(of: thread, from: number) }

  // MARK: Events

  @inlinable
  mutating func signal(_ child: Int) {
    upstreams.open(child)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    guard upstreams.completed(number) else { return Reports.late(completion) }
    if case .failure = completion { end(with: completion) }
  }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) {
    if !upstreams.subscribed(to: number, subscription) { end.toCancel.append(subscription) }
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
    end.toCancel += upstreams.end()
    incoming = nil
    waiting.removeAll()
  }

  @inlinable
  mutating func end(with completion: Subscribers.Completion<Failure>) {
    finish()
    end.completion = completion
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Value, from child: Int) {
    guard upstreams.phase == .running, upstreams.children.isOpen(child) else { return }
    incoming = value
    sender = child
  }

  @inlinable
  @inline(__always)
  mutating func receive(scalar value: Value, from child: Int) -> Bool {
    guard upstreams.phase == .running, upstreams.demand == .unlimited, waiting.count == 0 else { return false }
    if upstreams.limit != .unlimited { upstreams.askOuterAgain() }
    incoming = value
    sender = child
    return true
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Value? {
    guard upstreams.phase == .running, upstreams.demand == .unlimited, waiting.count == 0 else { return nil }
    return incoming.take()
  }

  @inlinable
  @inline(__always)
  mutating func returnedDemand(for number: Int) -> Subscribers.Demand {
    guard upstreams.unasked == number, upstreams.phase == .running else { return .none }
    upstreams.unasked = nil
    return upstreams.firstRequest
  }

  @inlinable
  @inline(__always)
  mutating func isIdle() -> Bool {
    // Performance: no operators that take closures, because those would copy the whole machine.
    guard upstreams.phase == .running, upstreams.demand == .unlimited, waiting.count == 0 else { return false }
    guard upstreams.unasked == nil, upstreams.requests.count == 0, end.toCancel.count == 0 else { return false }
    return !upstreams.outerIsDone || upstreams.children.entries.count != 0
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    switch upstreams.phase {
    case .running:
      if let value = incoming.take() {
        if upstreams.demand == .unlimited, waiting.isEmpty { return .deliver(value) }
        waiting.append((sender, value))
      }
      if upstreams.demand > .none, let (child, value) = waiting.popFirst() {
        upstreams.delivered(from: child)
        return .deliver(value)
      }
      if let request = upstreams.nextRequest() { return .request(request) }
      if end.toCancel.isEmpty {
        guard upstreams.areDone, waiting.isEmpty else { return nil }
        end(with: .finished)
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
  var children = ActiveInners()

  private var outer = OptionalSubscription()

  @usableFromInline
  var outerIsDone: Bool

  /// The maximum number of concurrent upstreams.
  @usableFromInline
  let limit: Subscribers.Demand

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var requests = CircularBuffer<UpstreamRequest>()

  /// The upstream whose subscription arrived last, until its first request is made.
  @usableFromInline
  var unasked: Int?

  /// Creates the state for `count` upstreams, which are all known.
  @usableFromInline
  init(merging count: Int) {
    outerIsDone = true
    limit = .unlimited
    for child in 0..<count { children.open(child) }
  }

  /// Creates the state for the upstreams that an outer publisher sends, at most `limit` of them at a time.
  @usableFromInline
  init(limit: Subscribers.Demand) {
    outerIsDone = false
    self.limit = limit
  }

  @usableFromInline
  var areDone: Bool { outerIsDone && children.entries.isEmpty }

  /// An upstream can deliver while it is being subscribed to, inside the outer publisher's delivery.
  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    if let gate = outer.outermostGate(of: thread) { return gate }
    return children.entries.index(of: number).flatMap { children.entries[$0].subscription.outermostGate(of: thread) }
  }

  @usableFromInline
  mutating func open(_ child: Int) {
    children.open(child)
  }

  /// Records an upstream's completion; returns `false` if that upstream is not open.
  @usableFromInline
  mutating func completed(_ number: Int) -> Bool {
    guard phase == .running else { return false }
    if number == outerNumber {
      if outerIsDone { return false }
      outer = OptionalSubscription()
      outerIsDone = true
    } else {
      guard children.close(number) else { return false }
      if outer.isFull, limit != .unlimited { askOuterAgain() }
    }
    return true
  }

  /// Stores a subscription; returns `false` if it must be cancelled.
  @usableFromInline
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> Bool {
    guard phase != .terminated else { return false }
    if number != outerNumber {
      guard children.subscribe(number, subscription) else { return false }
      if let unasked { askFirst(unasked) }
      unasked = number
    } else if outer.isFull || outerIsDone {
      return false
    } else {
      outer = OptionalSubscription(subscription)
      if limit > .none { requests.append(UpstreamRequest(outerNumber, subscription, limit)) }
    }
    return true
  }

  /// The demand of the first request to an upstream.
  @inlinable
  var firstRequest: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  private mutating func askFirst(_ child: Int) {
    if let upstream = children.subscription(of: child).content {
      requests.append(UpstreamRequest(child, upstream, firstRequest))
    }
  }

  @usableFromInline
  mutating func askOuterAgain() {
    if let outer = outer.content { requests.append(UpstreamRequest(outerNumber, outer, .max(1))) }
  }

  @usableFromInline
  mutating func requested(_ more: Subscribers.Demand) {
    guard demand != .unlimited else { return }
    demand += more
    guard demand == .unlimited else { return }
    unasked = nil
    for entry in children.entries {
      if let upstream = entry.subscription.content {
        requests.append(UpstreamRequest(entry.number, upstream, .unlimited))
      }
    }
  }

  /// Records the delivery of a value, and requests the next from its upstream.
  @usableFromInline
  mutating func delivered(from child: Int) {
    if demand == .unlimited { return }
    demand -= 1
    if let upstream = children.subscription(of: child).content {
      requests.append(UpstreamRequest(child, upstream, .max(1)))
    }
  }

  @usableFromInline
  mutating func nextRequest() -> UpstreamRequest? {
    if let child = unasked.take() { askFirst(child) }
    return requests.popFirst()
  }

  /// Ends all upstreams; the caller cancels the returned subscriptions, the latest first.
  @usableFromInline
  mutating func end() -> [SubscriptionObject] {
    phase = .terminated
    let open = [outer.take()] + children.entries.reversed().map(\.subscription)
    children.removeAll()
    requests.removeAll()
    unasked = nil
    return open.compactMap(\.content)
  }
}
