/// Runs a state machine between its upstreams and its downstream.
///
/// One thread at a time owns the gate, and with it the machine. What happens to an event depends on the thread that
/// brings it:
///
///                 the gate is free      this thread is delivering    otherwise
///     value       machine.receive       enqueued                     enqueued
///     subscribed  machine.subscribed    requests, and enqueued       requests, and enqueued
///     request     machine.requested     machine.requested            added to `waitingDemand`
///     completed   machine.completed     machine.completed            enqueued
///     signal      machine.signal        machine.signal               enqueued, then machine.enqueuedSignal
///     cancel      machine.cancelled     noted                        noted
///
/// - The gate is free: the coordinator then performs what the machine's method returns, a ``ValueOutcome`` or an
///   ``EventOutcome``, and opens the gate.
/// - This thread is delivering, the subscription or a value: the machine's `next()` decides after the delivery. If
///   events are pending, a completion or a signal is enqueued behind them.
/// - Otherwise another thread owns the gate, or this thread owns it for something else: a call of the machine or of an
///   upstream's `cancel()`, the completion, or the release of the downstream.
/// - The owner passes a noted cancel to the machine before its next action, and delivers nothing more. It drains the
///   inbox, where events are enqueued, before it opens the gate.
///
/// Requests and effects are performed when the gate is open again, so another thread can own it by then. An upstream
/// can answer a request immediately with any number of values, which are handled one by one. Invariant: two threads
/// never request from one upstream concurrently. Until a request is made, demand is at one of these places:
///
///     waitingDemand               requested while the gate was taken; the owner passes it to the machine
///     openDemand                  finite demand; a machine that requests ahead takes it one by one
///     the machine                 next() returns it as .request(…), for the upstreams that it chooses;
///                                 takeDemandToReturn() returns it for the sender of a value
///     DeferredActions             to be requested when the gate is open
///     DeferredActions, queued     to be requested when the request before it, to another upstream, has returned
///     InFlightRequests, pending   to be requested when the request before it, to the same upstream, has returned
///     AskedSubscription           to be requested when the first request to an enqueued subscription has returned
///     DeferredActions.answer      to be returned to the upstream whose event is being handled
///
/// `requestedInside` holds no demand. It counts what the downstream has requested inside the deliveries of this turn.
/// That much of `answer` is requested instead of returned.
@usableFromInline
package final class Coordinator<Machine: CoordinatorMachine>: CoordinatorSubscription {
  // Safety: only the owner of the gate accesses the three properties below. A nested call accesses the machine only
  // during a delivery, when no other access to it is in progress; otherwise it enqueues its event. (`CoordinatorTests`,
  // `Reentry/switchToLatest`)

  @usableFromInline
  @exclusivity(unchecked)
  var machine: Machine

  @usableFromInline
  @exclusivity(unchecked)
  var downstream: BorrowedDownstream<Machine.Output, Machine.Failure>?

  /// Performs effects; `nil` after a completion or a cancellation.
  ///
  /// The closure can retain a user's scheduler, whose pending work retains this object.
  @usableFromInline
  @exclusivity(unchecked)
  var perform: ((Coordinator, Machine.Effect) -> Void)?

  @inlinable
  package init(
    _ name: StaticString, _ machine: consuming Machine,
    downstream: consuming Downstream<Machine.Output, Machine.Failure>,
    answersRequests: Bool = false, keeping pendingValues: PendingValues = .all,
    perform: @escaping (Coordinator, Machine.Effect) -> Void = { _, _ in }
  ) {
    self.machine = machine
    self.downstream = BorrowedDownstream(downstream)
    self.perform = perform
    super.init(
      name, answersRequests: answersRequests, requestsAhead: Machine.requestsAhead, keeping: pendingValues
    ) { coordinator, call, outgoing in
      // Safety: `call` is called with the object that holds it. (`CoordinatorTests`)
      let coordinator = _unsafeUncheckedDowncast(coordinator, to: Coordinator.self)
      switch call {
      case .requested(let demand): coordinator.tellRequested(demand)
      case .subscribed(let number, let subscription): return coordinator.tellSubscribed(number, subscription)
      case .completed(let number, let completion): return coordinator.tellCompleted(number, completion)
      case .enqueuedSignal(let number): return coordinator.machine.enqueuedSignal(number)
      case .maySend(let number): return coordinator.machine.maySend(number) ? .undecided : .nothing
      case .performActions: coordinator.performActions(&outgoing)
      }
      return .undecided
    }
  }

  /// The machine's mirror children; empty while another thread owns the gate.
  @usableFromInline
  package override var mirrorChildren: [Mirror.Child] {
    switch gate.enter() {
    case .acquired:
      defer { if !gate.leave() { drain() } }
      return machine.mirrorChildren(downstream: downstream?.shown)
    case .reentrant where isDelivering: return machine.mirrorChildren(downstream: downstream?.shown)
    case .reentrant, .contended: return []
    }
  }

  /// Invariant: the machine is read only inside a delivery, when no other code mutates it.
  @usableFromInline
  package override func _outermostGate(of thread: UInt) -> _Gated? {
    guard gate.isOwned(by: thread) else { return nil }
    if isDelivering, let outer = machine.outermostGate(of: thread, from: serving) { return outer }
    return self
  }

  // MARK: Events

  /// Performs the machine's actions before any event.
  @inlinable
  package func begin() {
    if case .acquired = gate.enter() { run() }
  }

  @inlinable
  package func subscribed(to number: Int, _ arriving: any Subscription) {
    let subscription = arriving._object
    guard case .acquired = gate.enter() else {
      return enqueue(subscription, of: number, asking: Machine.firstDemand)
    }
    switch tellSubscribed(number, subscription) {
    case .request(let demand) where demand != .none:
      request(UpstreamRequest(number, subscription, demand))
    case .nothing, .request:
      finishTurn(EventOutcome.nothing)
    case .undecided:
      // Demand for this upstream is pending until the turn's requests and effects have been performed: a timer starts
      // before the first value, and what the others answer can end this upstream.
      run(subscribing: number)
    }
  }

  /// Makes a request that the machine hasn't returned, if the upstream can still send.
  ///
  /// It is made when no other one to this upstream is in flight.
  @inlinable
  func makeInTurn(_ request: UpstreamRequest) {
    guard case .acquired = gate.enter() else {
      enqueue(.request(request))
      return
    }
    if !isCancelled, machine.maySend(request.number) { self.request(request) } else { finishTurn(EventOutcome.nothing) }
  }

  @inlinable
  @inline(never)
  func tellSubscribed(_ number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    machine.subscribed(to: number, subscription)
  }

  @inlinable
  @inline(never)
  package func completed(_ number: Int, _ completion: AnyCompletion) {
    switch enterGate() {
    case .owner:
      finishTurn(tellCompleted(number, completion))
    case .reentrant:
      withReentrancyDisabled { tellCompleted(number, completion) }
    case .contended:
      enqueue(.completed(number, completion))
    }
  }

  /// Passes a completion to the machine, and drops the requests to that upstream.
  @inlinable
  @inline(never)
  func tellCompleted(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    inFlight.completed(number)
    return machine.completed(number, completion)
  }

  /// Passes a signal to the machine; returns whether an opened publisher with this number may be scalar.
  @inlinable
  @inline(never)
  @discardableResult
  package func signal(_ number: Int) -> Bool {
    switch enterGate() {
    case .owner:
      let outcome = machine.signal(number)
      let takesScalars = machine.takesScalars
      finishTurn(outcome)
      return takesScalars
    case .reentrant:
      withReentrancyDisabled { machine.signal(number) }
      return machine.takesScalars
    case .contended:
      enqueue(.enqueuedSignal(number))
      return false
    }
  }

  /// Whether the machine still handles what the scalar publisher with this number sends.
  @inlinable
  @inline(never)
  func admits(_ number: Int) -> Bool {
    if isCancelled { return false }
    switch enterGate() {
    case .owner:
      let maySend = machine.maySend(number)
      finishTurn(EventOutcome.nothing)
      return maySend
    case .reentrant: return machine.maySend(number)
    case .contended: return true
    }
  }

  /// Receives a value from the upstream with this number.
  ///
  /// Performance: this is the path of every value.
  @inlinable
  @inline(__always)
  @discardableResult
  package func receive(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    guard case .acquired = gate.enter() else { return enqueue(input, from: number) }
    serving = number
    return finishTurn(machine.receive(input, from: number), answering: number)
  }

  /// Receives the value of a scalar upstream; returns `false` if that upstream must be subscribed to.
  @inlinable
  @inline(__always)
  func receive(scalar input: Machine.Input, from number: Int) -> Bool {
    guard case .acquired = gate.enter() else { return false }
    serving = number
    switch machine.receive(scalar: input, from: number) {
    case .nothing:
      finishTurn(EventOutcome.nothing)
      return false
    case let outcome:
      finishTurn(outcome)
      return true
    }
  }

  /// Performs what follows from an event, and opens the gate.
  @inlinable
  @inline(__always)
  func finishTurn(_ outcome: EventOutcome) {
    if case .undecided = outcome {
      run()
    } else if !gate.leave() {
      drain()
    }
  }

  /// The same for a value.
  ///
  /// The demand for the upstream with this number, which has sent the value, is returned instead of requested.
  @inlinable
  @inline(__always)
  @discardableResult
  func finishTurn(_ outcome: ValueOutcome<Machine.Output>, answering number: Int = .min) -> Subscribers.Demand {
    switch outcome {
    case .nothing: break
    case .deliver(let output):
      isUndecided = false
      handOn(output)
      if isUndecided { return run(answering: number) }
    case .deliverAndReturn(let output):
      isUndecided = false
      handOn(output)
      return answer(number)
    case .deliverFirst(let output):
      handOn(output)
      return run(answering: number)
    case .undecided: return run(answering: number)
    }
    return gate.leave() ? .none : drain(answering: number)
  }

  /// Delivers an output, and passes the demand that is returned for it to the machine.
  @inlinable
  @inline(__always)
  func handOn(_ output: Machine.Output) {
    // The machine may have released a value whose `deinit` has cancelled this subscription. (Rule C16 of the kit)
    if isCancelled { return }
    guard let more = deliver(output), more != .none else { return }
    tellRequested(more)
    isUndecided = true
  }

  /// Passes demand to the machine, or keeps it until the machine needs it.
  @inlinable
  @inline(__always)
  func tellRequested(_ demand: Subscribers.Demand) {
    if Machine.requestsAhead, demand != .unlimited {
      openDemand.addSaturating(demand)
    } else {
      machine.requested(demand)
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Machine.Output) -> Subscribers.Demand? {
    assertNoLockIsHeld()
    isDelivering = true
    defer { isDelivering = false }
    // Performance: the pattern borrows the function; optional chaining would copy it.
    switch downstream {
    case let downstream?: return downstream.functions.next(output)
    case nil: return nil
    }
  }

  /// Enqueues a value for the gate's owner.
  ///
  /// If the machine requests ahead and the downstream has demand for this value, the next one is requested by the
  /// result.
  ///
  /// Performance: out of line, so that the path of a value stays short where it is inlined.
  @inlinable
  @inline(never)
  func enqueue(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    let isAnswered = Machine.requestsAhead && openDemand.takeOne()
    let receive = { [self] in
      if isAnswered {
        machine.requested(.max(1))
        machine.answered(number)
      }
      switch machine.receive(input, from: number) {
      case .deliver(let output), .deliverAndReturn(let output), .deliverFirst(let output): handOn(output)
      case .nothing, .undecided: break
      }
    }
    let kept = number == Machine.mergedUpstream ? pendingValues : .all
    let more = enqueue(.value(receive, keeping: kept), answering: number)
    return isAnswered ? more + 1 : more
  }
}
