import Synchronization

// Only the owner of the gate calls these methods.
extension CoordinatorSubscription {
  /// Performs the machine's actions and drains the inbox, opens the gate, and then makes the requests.
  @usableFromInline
  @discardableResult
  final func run(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = DeferredActions(answering: number)
    run(&outgoing)
    return outgoing.answer
  }

  /// The same for a turn in which an upstream has sent its subscription; a request to that upstream is made last.
  @usableFromInline
  final func run(subscribing number: Int) {
    var outgoing = DeferredActions()
    if inFlight.begin(number) { outgoing.subscribing = number }
    run(&outgoing)
  }

  /// The same for a turn that has already begun, such as with a request.
  final func run(_ outgoing: inout DeferredActions) {
    _ = call(self, .performActions, &outgoing)
    requestedInside = .none
    if !gate.leave() { drainInbox(&outgoing) }
    send(out: &outgoing)
  }

  /// Drains the inbox, and then continues like `run`.
  @usableFromInline
  @discardableResult
  final func drain(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = DeferredActions(answering: number)
    drainInbox(&outgoing)
    send(out: &outgoing)
    return outgoing.answer
  }

  /// Passes the pending demand and events to the machine, one by one, performs its actions, and opens the gate.
  ///
  /// After ``HandOver/limit`` events of other threads it offers the gate instead, and starts a thread that takes it.
  final func drainInbox(_ outgoing: inout DeferredActions) {
    if !drainOnce(&outgoing) { handOver() }
  }

  /// The same without a thread; returns `false` if it offers the gate.
  private final func drainOnce(_ outgoing: inout DeferredActions) -> Bool {
    var allowance = HandOver.limit
    while true {
      isDraining = true
      let demand = waitingDemand.exchange(0, ordering: .acquiring)
      if demand > 0 { _ = call(self, .requested(Subscribers.Demand(rawValue: demand)), &outgoing) }
      _ = call(self, .performActions, &outgoing)
      if buffersToDeliver.isEmpty, let event = takeEvent(&allowance) {
        handle(event, &outgoing)
        continue
      }
      isDraining = false
      requestedInside = .none
      if !buffersToDeliver.isEmpty {
        outgoing.queueRequests(&inFlight)
        gate.clearDrainRequest()
        if !letBuffersDeliver(isAnythingPending: isAnythingPending) { return true }
      } else if allowance == 0, isEventPending {
        gate.offer()
        return false
      } else if gate.leave() {
        return true
      }
    }
  }

  private final func handle(_ event: CoordinatorEvent, _ outgoing: inout DeferredActions) {
    switch event {
    case .requestReturned(let number): outgoing.endRequest(number, &inFlight)
    case .request(let request):
      // It isn't returned to the value that is being handled: the operators in front have counted it already.
      if !isCancelled, case .undecided = call(self, .maySend(request.number), &outgoing) {
        outgoing.add(request: request, &inFlight, requestedInside: .unlimited)
      }
    case .subscribed(let number, let subscription):
      let outcome = call(self, .subscribed(number, subscription), &outgoing)
      guard case .request(let demand) = outcome, demand != .none else { break }
      outgoing.add(request: UpstreamRequest(number, subscription, demand), &inFlight)
    case .value(let receive, _): receive()
    case .completed(let number, let completion):
      outgoing.completed(number, &inFlight)
      _ = call(self, .completed(number, completion), &outgoing)
    case .enqueuedSignal(let number): _ = call(self, .enqueuedSignal(number), &outgoing)
    }
  }

  private final func handOver() {
    handOver { [self] in
      var outgoing = DeferredActions()
      let isDone = drainOnce(&outgoing)
      return (isDone, outgoing.isEmpty ? nil : { self.send(out: &outgoing) })
    }
  }
}

extension Coordinator {
  /// Opens the gate after a delivery, and returns the machine's demand to the value's sender.
  @inlinable
  @inline(never)
  func answer(_ number: Int) -> Subscribers.Demand {
    if isUndecided || gate.isDrainRequested { return drain(answering: number) }
    let demand = machine.takeDemandToReturn()
    return gate.leave() ? demand : demand + drain(answering: number)
  }

  /// Performs the machine's actions until it is at rest; handles a cancellation before each action.
  @inlinable
  @inline(never)
  func performActions(_ outgoing: inout DeferredActions) {
    var endsNow = false
    while true {
      if isCancelled, !hasEnded {
        endsNow = true
        hasEnded = true
        _ = takeDownstream(&downstream)
        machine.cancelled()
      }
      if Machine.requestsAhead, machine.awaitsDemand(), openDemand.takeOne() { machine.requested(.max(1)) }
      let action = machine.next()
      assertNoLockIsHeld()
      switch action {
      case .nothing:
        // The last effects retain the parts of it that they need. (`PendingWorkTests`)
        if endsNow { _ = perform.take() }
        return
      case .complete where isCancelled: continue
      case .deliver(let output): handOn(output)
      case .announce:
        let requested = requestedInside
        isDelivering = true
        downstream?.functions.begin(self)
        isDelivering = false
        requestedInside = requested
      case .complete(let completion):
        endsNow = true
        complete(completion)
      case .cancel(let subscription):
        outgoing.cancel(subscription, &inFlight)
        subscription.cancel()
      case .request(let request):
        outgoing.add(request: request, &inFlight, requestedInside: requestedInside)
      case .effect(let effect):
        outgoing.add(effect: { [self, perform] in perform?(self, effect) }, &inFlight)
      }
    }
  }

  /// Releases the downstream, and delivers the completion to it.
  ///
  /// Performance: a method of its own. In a debug build, the caller would look the completion's type up for each event.
  @inlinable
  func complete(_ completion: AnyCompletion) {
    hasEnded = true
    if let downstream = takeDownstream(&downstream) { downstream.functions.end(completion.typed()) }
  }
}
