public import Synchronization

// What only the owner of the gate does.
extension Coordinator {
  /// Does what the machine asks until it is at rest and nothing more has come, opens the gate, and lets the rest go out.
  @inlinable
  @discardableResult
  func run(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = Outgoing(number)
    settle(&outgoing)
    if !gate.leave() { takeUp(&outgoing) }
    return send(out: outgoing)
  }

  /// Takes up what was left, then runs.
  @inlinable
  @discardableResult
  func drain(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = Outgoing(number)
    takeUp(&outgoing)
    return send(out: outgoing)
  }

  /// What is sent to upstreams and schedulers when the gate is open again.
  @usableFromInline
  struct Outgoing {
    /// The upstream that is being answered, and the answer.
    @usableFromInline
    let number: Int

    @usableFromInline
    var answer = Subscribers.Demand.none

    @usableFromInline
    var answered = SubscriptionSlot()

    /// What is asked of others.
    @usableFromInline
    var requests = Fifo<UpstreamRequest>()

    @usableFromInline
    var effects: [Machine.Effect] = []

    @inlinable
    package init(_ number: Int) {
      self.number = number
    }
  }

  @inlinable
  func ask(_ request: UpstreamRequest, _ outgoing: inout Outgoing) {
    if request.number == outgoing.number {
      outgoing.answer += request.demand
      outgoing.answered = SubscriptionSlot(request.upstream)
    } else if asking.begin(request.number) {
      outgoing.requests.append(request)
    } else {
      asking.waiting.append(request)
    }
  }

  /// A request has returned: what came up for that upstream meanwhile goes out next.
  @inlinable
  func endAsking(_ number: Int, _ outgoing: inout Outgoing) {
    asking.end(number)
    if let next = asking.takeWaiting(for: number) { ask(next, &outgoing) }
  }

  /// Tells of a request that has returned, with the gate open.
  @inlinable
  func leaveAsking(_ number: Int, _ outgoing: inout Outgoing) {
    if case .entered = gate.enter() {
      endAsking(number, &outgoing)
      if !gate.leave() { takeUp(&outgoing) }
    } else {
      inbox.withLock { $0.append(.asked(number)) }
      if gate.knock() { takeUp(&outgoing) }
    }
  }

  @inlinable
  @inline(never)
  func endTurn(asked number: Int) {
    var outgoing = Outgoing(.min)
    leaveAsking(number, &outgoing)
    _ = send(out: outgoing)
  }

  /// Cancels an upstream, and forgets what was to be asked of it.
  @inlinable
  func cancel(_ subscription: any Subscription, _ outgoing: inout Outgoing) {
    asking.forget(subscription)
    if outgoing.answered.isFull || !outgoing.requests.isEmpty {
      let cancelled = subscription.combineIdentifier
      if outgoing.answered.content.combineIdentifier == cancelled { outgoing.answer = .none }
      var kept = Fifo<UpstreamRequest>()
      while let request = outgoing.requests.popFirst() {
        if request.upstream.combineIdentifier == cancelled {
          asking.end(request.number)
        } else {
          kept.append(request)
        }
      }
      outgoing.requests = kept
    }
    subscription.cancel()
  }

  @inlinable
  func takeUp(_ outgoing: inout Outgoing) {
    repeat {
      isTakingUp = true
      let demand = waitingDemand.exchange(0, ordering: .acquiring)
      if demand > 0 { machine.requested(Subscribers.Demand(rawValue: demand)) }
      settle(&outgoing)
      let events = inbox.withLock { inbox in
        var events: [Machine.Event] = []
        swap(&events, &inbox)
        return events
      }
      for event in events {
        switch event {
        case .asked(let number): endAsking(number, &outgoing)
        case .completed(let number, let completion): tellCompleted(number, completion)
        default: machine.handle(event)
        }
        settle(&outgoing)
      }
      isTakingUp = false
    } while !gate.leave()
  }

  @inlinable
  @inline(__always)
  func settle(_ outgoing: inout Outgoing) {
    while true {
      if isCancelled, downstream != nil {
        downstream = nil
        machine.cancelled()
      }
      guard let action = machine.next() else { return }
      assertNoLockIsHeld()
      switch action {
      case .deliver(let output):
        guard let more = deliver(output) else { continue }
        if more != .none { machine.requested(more) }
      case .announce:
        isDelivering = true
        downstream?.begin(self)
        isDelivering = false
      case .complete(let completion):
        downstream.take()?.end(completion)
      case .cancel(let subscription):
        cancel(subscription, &outgoing)
      case .request(let request):
        ask(request, &outgoing)
      case .effect(let effect):
        outgoing.effects.append(effect)
      }
    }
  }

  @inlinable
  @inline(__always)
  func send(out outgoing: Outgoing) -> Subscribers.Demand {
    if outgoing.requests.isEmpty, outgoing.effects.isEmpty { return outgoing.answer }
    return sendAll(outgoing)
  }

  @inlinable
  @inline(never)
  func sendAll(_ sent: Outgoing) -> Subscribers.Demand {
    assertNoLockIsHeld()
    var outgoing = sent
    while let request = outgoing.requests.popFirst() {
      request.upstream.request(request.demand)
      leaveAsking(request.number, &outgoing)
    }
    for effect in outgoing.effects { perform(self, effect) }
    return outgoing.answer
  }
}
