/// The requests of a coordinator that are in flight, and those that are pending behind them.
///
/// A request can deliver for a long time, so it is made with the gate open. Invariant: at most one request to each
/// upstream is in flight, so two threads never call one upstream concurrently. Only the gate's owner accesses this.
@usableFromInline
struct InFlightRequests {
  /// Performance: usually only one request is in flight, and no array is created for it.
  @usableFromInline
  var one = Int.min

  @usableFromInline
  var others: [Int] = []

  // Performance: usually there is at most one pending request, and no array is created for it.

  private var firstPending: UpstreamRequest?
  private var otherPending: [UpstreamRequest] = []

  /// A request, and the number of the ``DeferredActions`` that make it.
  private struct Queued {
    var maker: Int
    let request: UpstreamRequest
  }

  /// The requests that follow when the previous one of their maker has returned; `nil` if there are none.
  ///
  /// Their numbers count as in flight. Invariant: their maker has a request to make or in flight, or has passed them on. An
  /// upstream that answers a request can end the others, so the queue is here, where their requests are dropped. Only
  /// their maker takes them. If each answer could take the next, answers would be nested as deeply as there are requests.
  private var queued: CircularBuffer<Queued>?

  /// The number of the latest maker.
  private var makers = 0

  /// The upstream of the request that was taken from the queue last; no other request to it is queued.
  ///
  /// Performance: usually this upstream completes next, and the queue need not be searched for requests to it.
  private var taken = Int.min

  @usableFromInline
  init() {}

  /// Records a request that is about to be made; returns `false` if one to this upstream is in flight.
  @usableFromInline
  mutating func begin(_ number: Int) -> Bool {
    if one == number || !others.isEmpty && others.contains(number) { return false }
    if one == .min { one = number } else { others.append(number) }
    return true
  }

  /// Records that the request has returned.
  @usableFromInline
  mutating func end(_ number: Int) {
    if one == number {
      one = .min
    } else if let index = others.firstIndex(of: number) {
      others.remove(at: index)
    }
  }

  /// Removes and returns the next pending request to the upstream with this number.
  @usableFromInline
  mutating func takePending(for number: Int) -> UpstreamRequest? {
    if firstPending?.number == number { return firstPending.take() }
    guard otherPending.count > 0 else { return nil }
    return otherPending.firstIndex { $0.number == number }.map { otherPending.remove(at: $0) }
  }

  /// Stores a request behind the one to the same upstream that is in flight.
  mutating func addPending(_ request: UpstreamRequest) {
    if firstPending == nil, otherPending.count == 0 { firstPending = request } else { otherPending.append(request) }
  }

  private mutating func dropPending(where isDropped: (UpstreamRequest) -> Bool) {
    if let first = firstPending, isDropped(first) { firstPending = nil }
    if otherPending.count > 0 { otherPending.removeAll(where: isDropped) }
  }

  /// Queues a request; a maker without a number gets one.
  mutating func queue(_ request: UpstreamRequest, for maker: inout Int) {
    if maker == 0 {
      makers &+= 1
      maker = makers
    }
    if taken == request.number { taken = .min }
    queued = queued ?? CircularBuffer()
    queued?.append(Queued(maker: maker, request: request))
  }

  /// Removes and returns the next request of a maker.
  mutating func takeQueued(of maker: Int) -> UpstreamRequest? {
    var position = 0
    while let entry = queuedRequest(at: position), entry.maker != maker { position += 1 }
    guard let next = queued?.remove(at: position)?.request else { return nil }
    if queued?.isEmpty == true { queued = nil }
    taken = next.number
    return next
  }

  /// Passes the requests of a maker, whose thread doesn't own the gate, on to the owner's.
  mutating func pass(from previous: Int, to maker: inout Int) {
    if maker == 0 { maker = previous }
    var position = 0
    while maker != previous, let entry = queuedRequest(at: position) {
      if entry.maker == previous { queued?[position].maker = maker }
      position += 1
    }
  }

  private var isNothingWaiting: Bool { firstPending == nil && otherPending.count == 0 && queued == nil }

  /// Drops the requests to a completed upstream.
  @usableFromInline
  mutating func completed(_ number: Int) {
    if isNothingWaiting { return }
    dropPending { $0.number == number }
    if queued != nil, taken != number { dropQueued { $0.number == number } }
  }

  /// Drops the requests to a cancelled upstream.
  @usableFromInline
  mutating func forget(_ subscription: SubscriptionObject) {
    if isNothingWaiting { return }
    let cancelled = subscription.combineIdentifier
    dropPending { $0.upstream.combineIdentifier == cancelled }
    if queued != nil { dropQueued { $0.upstream.combineIdentifier == cancelled } }
  }

  private func queuedRequest(at position: Int) -> Queued? {
    guard let queued, position < queued.count else { return nil }
    return queued[position]
  }

  private mutating func dropQueued(where isDropped: (UpstreamRequest) -> Bool) {
    var position = 0
    while let entry = queuedRequest(at: position) {
      if isDropped(entry.request) {
        end(entry.request.number)
        _ = queued?.remove(at: position)
      } else {
        position += 1
      }
    }
    if queued?.isEmpty == true { queued = nil }
  }
}
