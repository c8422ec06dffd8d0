/// Keeps the latest value of `debounce` until no value has followed it for an interval.
///
///     upstream's thread ──▶ pending value ──▶ timer on the scheduler ──▶ values ──▶ downstream
///
/// A sender decides under the lock, so the interval begins when the value arrives, also while the downstream handles an
/// earlier value. The end of the interval decides under the same lock that the value is due: neither a later value nor
/// the completion overtakes it then.
@usableFromInline
final class DebounceHop<Output, Failure: Error>: Hop<Output, Failure> {
  @usableFromInline
  typealias StartTimer = (DebounceHop, Int) -> any Cancellable

  @usableFromInline
  let slot = TimerSlot()

  // Safety: a thread accesses the properties below only while it has the lock. (`DebounceTests`, `Threads/repeating`)

  @usableFromInline
  @exclusivity(unchecked)
  var demand = Subscribers.Demand.none

  /// The number of the latest timer; earlier ones have no effect.
  @usableFromInline
  @exclusivity(unchecked)
  var latestTimer = 0

  /// Starts a timer; `nil` after the end.
  ///
  /// The closure retains a user's scheduler, whose pending work retains this object.
  @usableFromInline
  @exclusivity(unchecked)
  var startTimer: StartTimer?

  @usableFromInline
  @exclusivity(unchecked)
  var pending: Output?

  @inlinable
  init(
    for downstream: consuming Downstream<Output, Failure>, startTimer: @escaping StartTimer,
    schedule: @escaping (_ action: @escaping () -> Void, _ isOverdue: Bool) -> Void
  ) {
    self.startTimer = startTimer
    super.init("Debounce", for: downstream, schedule: schedule)
  }

  @usableFromInline
  override var mirrorChildren: [Mirror.Child] {
    let shown = shownDownstream
    let (requested, value) = content.withLock { _ in (demand, pending) }
    return [
      ("downstream", unwrappedForMirror(shown)), ("downstreamDemand", requested),
      ("currentValue", unwrappedForMirror(value)),
    ]
  }

  // MARK: Upstream's side

  /// The downstream of the upstream.
  @inlinable
  var debouncedEvents: Downstream<Output, Failure> {
    Downstream(
      face: Face({ self }, type: DebounceHop.self),
      begin: { self.start($0) }, end: { self.end(with: $0.erased) }, next: { self.hold($0) })
  }

  @inlinable
  func start(_ subscription: any Subscription) {
    if receive(subscription: subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  func hold(_ value: Output) -> Subscribers.Demand {
    var changed: Output? = value
    let (start, number) = content.withLock { content -> (StartTimer?, Int) in
      guard content.state.isOpen else { return (nil, 0) }
      swap(&pending, &changed)
      latestTimer += 1
      return (startTimer, latestTimer)
    }
    if let start { slot.start(number) { start(self, number) } }
    return .none
  }

  @inlinable
  func end(with completion: AnyCompletion) {
    dropPending()
    receive(erased: completion)
  }

  /// Releases the pending value and the timer, if the upstream can still send.
  @inlinable
  func dropPending() {
    let dropped = content.withLock { content -> (Output?, StartTimer?) in
      content.state.isOpen ? (pending.take(), startTimer.take()) : (nil, nil)
    }
    withExtendedLifetime(dropped) { if dropped.1 != nil { slot.stop(.max) } }
  }

  // MARK: Scheduler's side

  /// Delivers the pending value, if this is the end of the latest timer's interval and there is demand.
  @inlinable
  func fire(_ number: Int) {
    slot.stop(number)
    var value: Output?
    let isDue = content.withLock { content in
      guard number == latestTimer, pending != nil else { return false }
      swap(&pending, &value)
      guard demand > .none, content.state.admit(), let due = value else { return false }
      if demand != .unlimited { demand -= 1 }
      values.append(due)
      return true
    }
    if isDue { arrive(isOverdue: false) }
  }

  // MARK: Downstream's side

  @usableFromInline
  override func request(_ more: Subscribers.Demand) {
    content.withLock { _ in demand += more }
  }

  @usableFromInline
  override func cancel() {
    dropPending()
    super.cancel()
  }
}
