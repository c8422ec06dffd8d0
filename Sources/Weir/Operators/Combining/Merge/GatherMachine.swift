/// Sends on the values of several upstreams as they come: behind `merge` and `flatMap`.
///
/// With unlimited demand every upstream is asked for everything. With a finite demand each is asked for one value, which
/// waits here if there is no demand for it; the next is asked for when it has gone. So nothing is lost, and no more than
/// one value for each upstream waits.
@usableFromInline
struct GatherMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Phase {
    /// The downstream is to get its subscription.
    case announcing
    /// Values go through.
    case running
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  var phase: Phase

  /// The upstreams that have been opened and have not completed, with their subscriptions as they come.
  @usableFromInline
  var children = OpenUpstreams()

  @usableFromInline
  var outer = SubscriptionSlot()

  @usableFromInline
  var outerIsDone: Bool

  /// How many upstreams may be open at once.
  @usableFromInline
  let limit: Subscribers.Demand

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The value that has just come.
  @usableFromInline
  var incoming: (child: Int, value: Value)?

  /// Values for which there was no demand, at most one for each upstream.
  @usableFromInline
  var waiting = Fifo<(child: Int, value: Value)>()

  @usableFromInline
  var requests = Fifo<UpstreamRequest>()

  /// The upstream whose subscription arrived last, until its first request is made.
  @usableFromInline
  var unasked: Int?

  @usableFromInline
  var end = MachineEnd<Failure>()

  /// A machine for so many upstreams, which are all known.
  @inlinable
  init(merging count: Int) {
    phase = .announcing
    outerIsDone = true
    limit = .unlimited
    for child in 0..<count { children.open(child) }
  }

  /// A machine for the upstreams that another one brings, so many at once.
  @inlinable
  init(limit: Subscribers.Demand) {
    phase = .announcing
    outerIsDone = false
    self.limit = limit
  }

  // MARK: Events

  @inlinable
  mutating func signal(_ child: Int) {
    children.open(child)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    guard phase == .running else { return Reports.late(completion) }
    if number == outerNumber {
      if outerIsDone { return Reports.late(completion) }
      outer = SubscriptionSlot()
      outerIsDone = true
    } else {
      guard children.close(number) else { return Reports.late(completion) }
      if outer.isFull, limit != .unlimited { requests.append(UpstreamRequest(outerNumber, outer.content, .max(1))) }
    }
    if case .failure = completion { finish(completion) }
  }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    if number == outerNumber { subscribedToOuter(subscription) } else { subscribedToChild(number, subscription) }
  }

  @inlinable
  mutating func subscribedToOuter(_ subscription: any Subscription) {
    guard phase != .over, !outer.isFull, !outerIsDone else { return end.toCancel.append(subscription) }
    outer = SubscriptionSlot(subscription)
    if limit > .none { requests.append(UpstreamRequest(outerNumber, subscription, limit)) }
  }

  @inlinable
  mutating func subscribedToChild(_ child: Int, _ subscription: any Subscription) {
    guard phase != .over, children.subscribe(child, subscription) else { return end.toCancel.append(subscription) }
    if let unasked { askFirst(unasked) }
    unasked = child
  }

  /// The demand of the first request to an upstream.
  @inlinable
  var firstRequest: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  @inlinable
  mutating func askFirst(_ child: Int) {
    let upstream = children.subscription(of: child)
    if upstream.isFull { requests.append(UpstreamRequest(child, upstream.content, firstRequest)) }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    guard demand != .unlimited else { return }
    demand += more
    guard demand == .unlimited else { return }
    unasked = nil
    for entry in children.entries {
      if entry.subscription.isFull {
        requests.append(UpstreamRequest(entry.number, entry.subscription.content, .unlimited))
      }
    }
  }

  @inlinable
  mutating func cancelled() {
    if phase != .over { finish(nil) }
    end.completion = nil
  }

  /// Ends, whatever is waiting: a failure overtakes the values for which there was no demand.
  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .over
    end.completion = completion
    end.cancel(outer.take())
    for entry in children.entries.reversed() { end.cancel(entry.subscription) }
    children.removeAll()
    incoming = nil
    waiting.removeAll()
    requests.removeAll()
    unasked = nil
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Value, from child: Int) {
    if phase == .running, children.isLive(child) { incoming = (child, value) }
  }

  @inlinable
  @inline(__always)
  mutating func receive(only value: Value, from child: Int) -> Bool {
    guard phase == .running, demand == .unlimited, waiting.count == 0 else { return false }
    if limit != .unlimited { requests.append(UpstreamRequest(outerNumber, outer.content, .max(1))) }
    incoming = (child, value)
    return true
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Value? {
    guard phase == .running, demand == .unlimited, waiting.count == 0 else { return nil }
    return incoming.take()?.value
  }

  @inlinable
  @inline(__always)
  mutating func answer(to number: Int) -> Subscribers.Demand {
    guard unasked == number, phase == .running else { return .none }
    unasked = nil
    return firstRequest
  }

  @inlinable
  @inline(__always)
  mutating func isAtRest() -> Bool {
    // No operators that take closures: those would copy the whole machine.
    guard phase == .running, demand == .unlimited, waiting.count == 0 else { return false }
    guard unasked == nil, requests.count == 0, end.toCancel.count == 0 else { return false }
    return !outerIsDone || children.entries.count != 0
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    switch phase {
    case .running:
      if demand == .unlimited, waiting.isEmpty, let (_, value) = incoming.take() { return .deliver(value) }
      return nextWhileCounting()
    case .announcing:
      phase = .running
      return .announce
    case .over:
      return end.next()
    }
  }

  @inlinable
  mutating func nextWhileCounting() -> CoordinatorAction<Value, Failure, Never>? {
    if let arrived = incoming.take() { waiting.append(arrived) }
    if demand > .none, let (child, value) = waiting.popFirst() {
      if demand != .unlimited {
        demand -= 1
        let upstream = children.subscription(of: child)
        if upstream.isFull { requests.append(UpstreamRequest(child, upstream.content, .max(1))) }
      }
      return .deliver(value)
    }
    if let child = unasked.take() { askFirst(child) }
    if let request = requests.popFirst() { return .request(request) }
    if !end.toCancel.isEmpty { return end.next() }
    guard outerIsDone, children.isEmpty, waiting.isEmpty else { return nil }
    finish(.finished)
    return end.next()
  }
}
