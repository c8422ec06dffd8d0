public import Weir

/// The state machine of `amb`: forwards the upstream that sends or completes first.
@usableFromInline
struct AmbMachine<Output, Failure: Error>: CoordinatorMachine {
  /// Requests values from the next upstream: an upstream may win before the next one is asked.
  @usableFromInline
  enum Effect {
    case askInTurn
  }

  @usableFromInline
  var phase = SubscribingPhase.subscribing

  @usableFromInline
  var upstreams: [OptionalSubscription]

  /// The demand that is still to be requested from each upstream.
  @usableFromInline
  var toRequest: [Subscribers.Demand]

  @usableFromInline
  var missing: Int

  @usableFromInline
  var winner: Int?

  @usableFromInline
  var isRoundDue = false

  /// The upstreams from which values are to be requested next.
  @usableFromInline
  var turns = CircularBuffer<Int>()

  /// The first value of the winner, until the other upstreams are cancelled.
  @usableFromInline
  var incoming: Output?

  @usableFromInline
  var ending: AnyCompletion?

  @usableFromInline
  var end = PendingTermination()

  @inlinable
  init(count: Int) {
    upstreams = Array(repeating: OptionalSubscription(), count: count)
    toRequest = Array(repeating: .none, count: count)
    missing = count
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    upstreams.lazy.compactMap { $0.outermostGate(of: thread) }.first
  }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if phase == .subscribing, !upstreams[number].isFull {
      upstreams[number] = OptionalSubscription(subscription)
      missing -= 1
      if missing == 0 { phase = .announcing }
    } else {
      end.cancel(subscription)
    }
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard phase == .running, ending == nil, upstreams[number].isFull else { return .nothing }
    if winner == number { return .deliver(value) }
    decide(for: number)
    incoming = value
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard phase != .terminated, ending == nil, upstreams[number].isFull else { return .nothing }
    decide(for: number)
    _ = upstreams[number].take()
    ending = completion
    if phase == .subscribing { phase = .announcing }
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    turns.append(number)
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    guard phase != .terminated else { return }
    if let winner {
      toRequest[winner] += more
    } else {
      for number in toRequest.indices { toRequest[number] += more }
    }
    isRoundDue = true
  }

  @inlinable
  mutating func cancelled() {
    if phase != .terminated { finish(nil) }
    end.completion = nil
  }

  @inlinable
  mutating func decide(for number: Int) {
    if winner != nil { return }
    winner = number
    for other in upstreams.indices.reversed() where other != number { end.cancel(upstreams[other].take()) }
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    for number in upstreams.indices.reversed() { end.cancel(upstreams[number].take()) }
    incoming = nil
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Effect> {
    switch phase {
    case .running:
      if let subscription = end.nextToCancel() { return .cancel(subscription) }
      if let value = incoming.take() { return .deliver(value) }
      if let ending {
        finish(ending)
        return end.next()
      }
      return nextRequest()
    case .announcing:
      phase = .running
      return .announce
    case .subscribing, .terminated:
      return end.next()
    }
  }

  @inlinable
  mutating func nextRequest() -> CoordinatorAction<Output, Effect> {
    if isRoundDue {
      isRoundDue = false
      guard let winner else { return .effect(.askInTurn) }
      turns.append(winner)
    }
    while let number = turns.popFirst() {
      let demand = toRequest[number]
      toRequest[number] = .none
      if demand > .none, let upstream = upstreams[number].content {
        return .request(UpstreamRequest(number, upstream, demand))
      }
    }
    return .nothing
  }
}
