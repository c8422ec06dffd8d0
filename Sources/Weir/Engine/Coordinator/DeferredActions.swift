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

  /// The request to make.
  private var request: UpstreamRequest?

  /// The first and the last of the requests to make behind it, a list through `QueuedRequest.following`.
  ///
  /// If each answer could make the next, answers would be nested as deeply as there are requests.
  private var queued: QueuedRequest?
  private var lastQueued: QueuedRequest?

  /// The upstream whose subscription is being handled, and the request to it.
  ///
  /// It is made behind the effects: a timer starts before the first value, and what others answer can end this upstream.
  var subscribing: Int?
  private var last: QueuedRequest?

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
      if case .some = queued { return false }
      if case .some = subscribing { return false }
      return request == nil
    }
  }

  /// Removes and returns the request to make.
  mutating func nextRequest() -> UpstreamRequest? {
    if let request = request.take() { return request }
    while let next = queued {
      queued = next.following.take()
      if queued == nil { lastQueued = nil }
      if next.take() { return next.request }
    }
    return nil
  }

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
    if recorded.number == subscribing, last == nil {
      let last = QueuedRequest(recorded)
      inFlight.queue(last)
      self.last = last
    } else if !inFlight.begin(recorded.number) {
      inFlight.addPending(recorded)
    } else if self.request == nil, queued == nil {
      self.request = recorded
    } else {
      let next = QueuedRequest(recorded)
      inFlight.queue(next)
      if let lastQueued { lastQueued.following = next } else { queued = next }
      lastQueued = next
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

  /// Begins anew behind the effects, and returns the request to the upstream whose subscription is being handled.
  ///
  /// It returns none if that request has been dropped.
  mutating func takeLast() -> UpstreamRequest? {
    subscribing = nil
    firstEffect = nil
    otherEffects = nil
    guard let last = last.take(), last.take() else { return nil }
    return last.request
  }

  /// Records that a request has returned, and then makes the pending one to that upstream.
  mutating func endRequest(_ number: Int, _ inFlight: inout InFlightRequests) {
    inFlight.end(number)
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

  private mutating func dropRequest(_ inFlight: inout InFlightRequests) {
    if let dropped = request.take() { inFlight.end(dropped.number) }
  }
}
