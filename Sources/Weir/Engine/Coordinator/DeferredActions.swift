/// The request and the effects that a coordinator performs when its gate is open again.
@usableFromInline
struct DeferredActions {
  /// The number of the upstream whose event is being handled.
  let number: Int

  /// The demand to return to that upstream.
  var answer = Subscribers.Demand.none

  /// The upstream that receives `answer`; its cancellation drops the answer.
  private var answered = OptionalSubscription()

  // Performance: usually there is one request, or one effect. A collection for it would be an allocation, for each value of
  // `receive(on:)` for example.

  /// The request to make; further ones are in ``InFlightRequests/queued``.
  private var request: UpstreamRequest?

  /// Identifies these actions there; 0 if they have queued nothing.
  var maker = 0

  /// The effects to perform.
  private var firstEffect: (() -> Void)?
  private var otherEffects: [() -> Void]?

  init(answering number: Int = .min) {
    self.number = number
  }

  /// Whether there is nothing to perform.
  ///
  /// Performance: in a debug build, a getter that doesn't mutate copies these actions, which takes 500 instructions, and a
  /// comparison of the closure with `nil` allocates a thunk for it.
  var isEmpty: Bool {
    mutating get {
      if case .some = firstEffect { return false }
      return request == nil
    }
  }

  /// Removes and returns the request to make.
  mutating func nextRequest() -> UpstreamRequest? { request.take() }

  /// Records a request to an upstream.
  ///
  /// To the upstream whose event is being handled, only `requestedInside` is requested; the rest is returned.
  @usableFromInline
  mutating func add(
    request: UpstreamRequest, _ inFlight: inout InFlightRequests, requestedInside: Subscribers.Demand = .none
  ) {
    var demand = request.demand
    if request.number == number {
      let requested = min(demand, requestedInside)
      if requested < demand { answer += demand - requested }
      answered = OptionalSubscription(request.upstream)
      if requested == .none { return }
      demand = requested
    }
    let recorded = UpstreamRequest(request.number, request.upstream, demand)
    if !inFlight.begin(recorded.number) {
      inFlight.addPending(recorded)
    } else if self.request == nil {
      self.request = recorded
    } else {
      inFlight.queue(recorded, for: &maker)
    }
  }

  /// Records an effect, to be performed behind the requests.
  @usableFromInline
  mutating func add(effect: @escaping () -> Void) {
    guard case .some = firstEffect else {
      firstEffect = effect
      return
    }
    otherEffects = otherEffects ?? []
    otherEffects?.append(effect)
  }

  func performEffects() {
    firstEffect?()
    guard let otherEffects else { return }
    for effect in otherEffects { effect() }
  }

  /// Records that a request of another maker has returned, and continues in its place.
  mutating func endRequest(_ number: Int, of other: Int, _ inFlight: inout InFlightRequests) {
    if other != 0 { inFlight.pass(from: other, to: &maker) }
    endRequest(number, &inFlight)
  }

  /// Records that a request has returned, and then makes the queued one and the pending one to that upstream.
  mutating func endRequest(_ number: Int, _ inFlight: inout InFlightRequests) {
    inFlight.end(number)
    if request == nil, maker != 0 { request = inFlight.takeQueued(of: maker) }
    if let next = inFlight.takePending(for: number) { add(request: next, &inFlight) }
  }

  /// Drops the requests to an upstream that has completed.
  mutating func completed(_ number: Int, _ inFlight: inout InFlightRequests) {
    if request?.number == number { dropRequest(&inFlight) }
  }

  /// Cancels an upstream, and drops the requests to it.
  @usableFromInline
  mutating func cancel(_ subscription: SubscriptionObject, _ inFlight: inout InFlightRequests) {
    inFlight.forget(subscription)
    let cancelled = subscription.combineIdentifier
    if answered.content?.combineIdentifier == cancelled { answer = .none }
    if request?.upstream.combineIdentifier == cancelled { dropRequest(&inFlight) }
  }

  /// Replaces the request by a queued one.
  private mutating func dropRequest(_ inFlight: inout InFlightRequests) {
    if let dropped = request.take() { inFlight.end(dropped.number) }
    request = maker == 0 ? nil : inFlight.takeQueued(of: maker)
  }
}
