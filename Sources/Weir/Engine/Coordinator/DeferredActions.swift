/// The request and the effects that a coordinator performs when its gate is open again.
@usableFromInline
struct DeferredActions {
  /// The number of the upstream whose event is being handled.
  let number: Int

  /// The demand to return to that upstream.
  var answer = Subscribers.Demand.none

  /// The upstream that receives `answer`; its cancellation drops the answer.
  private var answered = OptionalSubscription()

  // Performance: usually there is one request, or one effect. A collection for it would be an allocation, for each
  // value of `receive(on:)` for example.

  /// The request to make.
  private var request: UpstreamRequest?

  /// The first and the last of the requests to make behind it, a list through `QueuedRequest.following`.
  ///
  /// If each answer could make the next, answers would be nested as deeply as there are requests.
  private var queued: QueuedRequest?
  private var lastQueued: QueuedRequest?

  /// The upstream whose subscription is being handled, and the request to it.
  ///
  /// It is made behind the effects: a timer starts before the first value, and what others answer can end this
  /// upstream.
  var subscribing: Int?
  private var last: UpstreamRequest?

  /// The same request in a form that can be dropped, if others are made or effects are performed before it.
  private var droppableLast: QueuedRequest?

  /// The effects to perform.
  private var firstEffect: (() -> Void)?
  private var otherEffects: [Work]?

  init(answering number: Int = .min) {
    self.number = number
  }

  /// Whether there is nothing to perform.
  ///
  /// Performance: in a debug build, a getter that doesn't mutate copies these actions, which takes 500 instructions,
  /// and a comparison of the closure with `nil` allocates a thunk for it.
  var isEmpty: Bool {
    mutating get {
      if case .some = subscribing { return false }
      return isLastAlone
    }
  }

  /// Whether there is nothing to perform before the last request.
  private var isLastAlone: Bool {
    mutating get {
      if case .some = firstEffect { return false }
      if case .some = queued { return false }
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
    if recorded.number == subscribing, last == nil, droppableLast == nil {
      last = recorded
      if !isLastAlone { queueLast(&inFlight) }
    } else if !inFlight.begin(recorded.number) {
      inFlight.addPending(recorded)
    } else if self.request == nil, queued == nil {
      self.request = recorded
      queueLast(&inFlight)
    } else {
      let next = QueuedRequest(recorded)
      inFlight.queue(next)
      if let lastQueued { lastQueued.following = next } else { queued = next }
      lastQueued = next
      queueLast(&inFlight)
    }
  }

  /// Records an effect, to be performed behind the requests.
  @usableFromInline
  mutating func add(effect: @escaping () -> Void, _ inFlight: inout InFlightRequests) {
    queueLast(&inFlight)
    guard case .some = firstEffect else {
      firstEffect = effect
      return
    }
    otherEffects = otherEffects ?? []
    otherEffects?.append(Work(run: effect))
  }

  func performEffects() {
    firstEffect?()
    guard let otherEffects else { return }
    for effect in otherEffects { effect.run() }
  }

  /// Queues the requests that were recorded before buffers deliver, where an upstream can end.
  mutating func queueRequests(_ inFlight: inout InFlightRequests) {
    if let request = request.take() {
      let first = QueuedRequest(request)
      inFlight.queue(first)
      first.following = queued
      queued = first
      if lastQueued == nil { lastQueued = first }
    }
    queueLast(&inFlight)
  }

  /// Queues the last request, so that what precedes it can end its upstream, which drops it.
  private mutating func queueLast(_ inFlight: inout InFlightRequests) {
    guard let request = last.take() else { return }
    let queued = QueuedRequest(request)
    droppableLast = queued
    inFlight.queue(queued)
  }

  /// Begins anew behind the effects, and returns the request to the upstream whose subscription is being handled.
  ///
  /// It returns none if that request has been dropped.
  mutating func takeLast() -> UpstreamRequest? {
    subscribing = nil
    firstEffect = nil
    otherEffects = nil
    if let last = last.take() { return last }
    guard let queued = droppableLast.take(), queued.take() else { return nil }
    return queued.request
  }

  /// Records that a request has returned, and then makes the pending one to that upstream, or returns all pending demand.
  mutating func endRequest(_ number: Int, _ inFlight: inout InFlightRequests) {
    inFlight.end(number)
    while let next = inFlight.takePending(for: number) {
      add(request: next, &inFlight)
      // It is in flight now, and the others follow when it has returned.
      if number != self.number { return }
    }
  }

  /// Drops the requests to an upstream that has completed.
  mutating func completed(_ number: Int, _ inFlight: inout InFlightRequests) {
    if request?.number == number { dropRequest(&inFlight) }
    if last?.number == number { last = nil }
  }

  /// Cancels an upstream, and drops the requests to it.
  @usableFromInline
  mutating func cancel(_ subscription: SubscriptionObject, _ inFlight: inout InFlightRequests) {
    inFlight.forget(subscription)
    let cancelled = subscription.combineIdentifier
    if answered.content?.combineIdentifier == cancelled { answer = .none }
    if request?.upstream.combineIdentifier == cancelled { dropRequest(&inFlight) }
    if last?.upstream.combineIdentifier == cancelled { last = nil }
  }

  private mutating func dropRequest(_ inFlight: inout InFlightRequests) {
    if let dropped = request.take() { inFlight.end(dropped.number) }
  }
}
