public import Weir

/// The state machine of `withLatestFrom` and `sample`: joins each value of one upstream with the latest of another.
///
/// Upstream 0 triggers a delivery, and upstream 1 supplies the latest value.
@usableFromInline
struct LatestMachine<Value, Other, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Either2<Value, Other>

  @usableFromInline
  typealias Output = (Value, Other)

  /// True for `sample`: each value of upstream 1 is sent at most once, and its completion completes the operator.
  @usableFromInline
  let takesOnce: Bool

  @usableFromInline
  var phase = SubscribingPhase.subscribing

  @usableFromInline
  var upstreams = (OptionalSubscription(), OptionalSubscription())

  @usableFromInline
  var asksOther = true

  @usableFromInline
  var latest: Other?

  /// The total demand, as far as it matters: whether it is unlimited.
  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The demand that is still to be requested from the first upstream.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var ending: AnyCompletion?

  @usableFromInline
  var end = PendingTermination()

  @inlinable
  init(takesOnce: Bool) {
    self.takesOnce = takesOnce
  }

  @inlinable
  static var mergedUpstream: Int { 1 }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    (number == 0 ? upstreams.0 : upstreams.1).outermostGate(of: thread)
  }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    let isFull = number == 0 ? upstreams.0.isFull : upstreams.1.isFull
    guard phase == .subscribing, !isFull else {
      end.cancel(subscription)
      return .undecided
    }
    if number == 0 {
      upstreams.0 = OptionalSubscription(subscription)
    } else {
      upstreams.1 = OptionalSubscription(subscription)
    }
    if upstreams.0.isFull, upstreams.1.isFull || ending != nil { phase = .announcing }
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard phase != .terminated, number == 0 ? upstreams.0.isFull : upstreams.1.isFull else { return .nothing }
    if number == 0 {
      _ = upstreams.0.take()
      if ending == nil { ending = completion }
      // The other upstream may never send a subscription, and no value could follow. (`WithLatestFromTests`)
      if phase == .subscribing { phase = .announcing }
    } else {
      _ = upstreams.1.take()
      switch completion {
      case .finished where !takesOnce && latest != nil: break
      case .finished, .failure: if ending == nil { ending = completion }
      }
    }
    return .undecided
  }

  @inlinable
  mutating func receive(_ input: Either2<Value, Other>, from number: Int) -> ValueOutcome<Output> {
    guard phase == .running, ending == nil else { return .nothing }
    switch input {
    case .a(let value):
      guard upstreams.0.isFull else { return .nothing }
      if let latest {
        if takesOnce { self.latest = nil }
        return .deliver((value, latest))
      }
      if demand == .unlimited { return .nothing }
      toRequest += 1
      return .undecided
    case .b(let value):
      if upstreams.1.isFull { latest = value }
      return .nothing
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
    toRequest += more
  }

  @inlinable
  mutating func cancelled() {
    if phase != .terminated { finish(nil) }
    end.completion = nil
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    end.cancel(upstreams.0.take())
    end.cancel(upstreams.1.take())
    latest = nil
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<(Value, Other), Never> {
    switch phase {
    case .running:
      if let ending {
        finish(ending)
        return end.next()
      }
      if asksOther, let other = upstreams.1.content {
        asksOther = false
        return .request(UpstreamRequest(1, other, .unlimited))
      }
      if toRequest > .none, let upstream = upstreams.0.content {
        defer { toRequest = .none }
        return .request(UpstreamRequest(0, upstream, toRequest))
      }
      return end.next()
    case .announcing:
      phase = .running
      return .announce
    case .subscribing, .terminated:
      return end.next()
    }
  }
}
