import Synchronization

/// The requests of a coordinator that are in flight, and those that are pending behind them.
///
/// A request can deliver for a long time, so it is made with the gate open. Invariant: at most one request to each
/// upstream is in flight, so two threads never call one upstream concurrently. Only the gate's owner accesses this.
@usableFromInline
struct InFlightRequests {
  /// Performance: usually only one request is in flight, and no array is created for it.
  @usableFromInline
  var one = Int.min

  /// Performance: a few numbers are searched faster than hashed.
  private var few: [Int] = []

  /// A request to an upstream that is answering another one.
  private var firstPending: UpstreamRequest?

  /// Further numbers in flight, and further pending and queued requests; `nil` until there are any.
  private var crowd: InFlightCrowd?

  /// The requests that follow when the previous one of their ``DeferredActions`` has returned, a list through
  /// `QueuedRequest.other`.
  ///
  /// Their numbers count as in flight. An upstream that answers a request can end the others, so the queue is here,
  /// where their requests are dropped. Those that have been made are removed when they return.
  ///
  /// Performance: these are few and are searched. All others are in `crowd`.
  private var queued: QueuedRequest?

  @usableFromInline
  init() {}

  /// Records a request that is about to be made; returns `false` if one to this upstream is in flight.
  @usableFromInline
  mutating func begin(_ number: Int) -> Bool {
    if one == number || !few.isEmpty && few.contains(number) { return false }
    if let crowd, crowd.numbers.contains(number) { return false }
    if one == .min {
      one = number
    } else if few.count < 16 {
      few.append(number)
    } else {
      makeCrowd().numbers.insert(number)
    }
    return true
  }

  /// Records that the request has returned.
  @usableFromInline
  mutating func end(_ number: Int) {
    if !isNothingWaiting { _ = removeQueued(number) }
    if one == number {
      one = .min
    } else if let index = few.firstIndex(of: number) {
      few.remove(at: index)
    } else {
      crowd?.numbers.remove(number)
    }
  }

  /// Removes and returns the oldest pending request to the upstream with this number.
  mutating func takePending(for number: Int) -> UpstreamRequest? {
    if firstPending?.number == number { return firstPending.take() }
    return crowd?.takePending(for: number)
  }

  /// Stores a request behind the one to the same upstream that is in flight.
  mutating func addPending(_ request: UpstreamRequest) {
    if firstPending == nil, crowd?.hasPending(for: request.number) != true {
      firstPending = request
    } else {
      makeCrowd().addPending(request)
    }
  }

  private mutating func makeCrowd() -> InFlightCrowd {
    if let crowd { return crowd }
    let new = InFlightCrowd()
    crowd = new
    return new
  }

  /// Queues a request, which its maker takes.
  mutating func queue(_ request: QueuedRequest) {
    if let queued, queued.count == 16 { return makeCrowd().queue(request) }
    request.other = queued
    queued = request
  }

  private var isNothingWaiting: Bool { firstPending == nil && crowd == nil && queued == nil }

  /// Drops the requests to a completed upstream.
  @usableFromInline
  mutating func completed(_ number: Int) {
    if isNothingWaiting { return }
    if firstPending?.number == number { firstPending = nil }
    crowd?.dropPending(for: number)
    drop(removeQueued(number))
  }

  /// Drops the requests to a cancelled upstream.
  @usableFromInline
  mutating func forget(_ subscription: SubscriptionObject) {
    if isNothingWaiting { return }
    let cancelled = subscription.combineIdentifier
    if firstPending?.upstream.combineIdentifier == cancelled { firstPending = nil }
    crowd?.dropPending(to: cancelled)
    drop(removeFromFew { $0.upstream.combineIdentifier == cancelled } ?? crowd?.removeQueued(to: cancelled))
  }

  /// Drops a queued request, unless it has been made.
  private mutating func drop(_ queued: QueuedRequest?) {
    if let queued, queued.take() { end(queued.request.number) }
  }

  /// Removes and returns the queued request to an upstream; there is at most one.
  private mutating func removeQueued(_ number: Int) -> QueuedRequest? {
    removeFromFew { $0.number == number } ?? crowd?.removeQueued(number)
  }

  private mutating func removeFromFew(where isRemoved: (UpstreamRequest) -> Bool) -> QueuedRequest? {
    guard let first = queued else { return nil }
    guard isRemoved(first.request) else { return first.removeOther(where: isRemoved) }
    queued = first.other.take()
    return first
  }
}

/// A request that is made behind another, unless it is dropped before.
///
/// Performance: both happen without the gate that the other thread may own, so an upstream has its demand when the call
/// that requests it returns.
final class QueuedRequest {
  let request: UpstreamRequest

  /// The request that the same thread makes next; only that thread accesses this.
  var following: QueuedRequest?

  /// Another queued request of the same coordinator; only the gate's owner accesses this.
  var other: QueuedRequest?

  private let isTaken = Atomic<Bool>(false)

  init(_ request: UpstreamRequest) {
    self.request = request
  }

  /// The number of requests in the list that begins here.
  var count: Int {
    var count = 1
    var last = self
    while let other = last.other {
      count += 1
      last = other
    }
    return count
  }

  /// Removes a request behind this one from the list, and returns it.
  func removeOther(where isRemoved: (UpstreamRequest) -> Bool) -> QueuedRequest? {
    var previous = self
    while let other = previous.other {
      if isRemoved(other.request) {
        previous.other = other.other.take()
        return other
      }
      previous = other
    }
    return nil
  }

  /// Returns whether this is the first call.
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// The numbers, the pending and the queued requests of many upstreams.
///
/// Performance: it takes constant time for each, and is rarely needed.
private final class InFlightCrowd {
  var numbers: Set<Int> = []

  private var pending: [CombineIdentifier: PendingRequests] = [:]

  /// The upstreams of the pending requests by their numbers.
  private var upstreams: [Int: CombineIdentifier] = [:]

  private var queued: [Int: QueuedRequest] = [:]

  /// The numbers of the queued requests by their upstreams.
  private var numbersOfQueued: [CombineIdentifier: Int] = [:]

  func queue(_ request: QueuedRequest) {
    queued[request.request.number] = request
    numbersOfQueued[request.request.upstream.combineIdentifier] = request.request.number
  }

  func removeQueued(_ number: Int) -> QueuedRequest? {
    guard let removed = queued.removeValue(forKey: number) else { return nil }
    numbersOfQueued[removed.request.upstream.combineIdentifier] = nil
    return removed
  }

  func removeQueued(to upstream: CombineIdentifier) -> QueuedRequest? {
    numbersOfQueued[upstream].flatMap { removeQueued($0) }
  }

  func hasPending(for number: Int) -> Bool { upstreams[number] != nil }

  func addPending(_ request: UpstreamRequest) {
    let upstream = request.upstream.combineIdentifier
    upstreams[request.number] = upstream
    pending[upstream, default: PendingRequests(number: request.number)].add(request)
  }

  func takePending(for number: Int) -> UpstreamRequest? {
    guard let upstream = upstreams[number], let next = pending[upstream]?.take() else { return nil }
    if pending[upstream]?.isEmpty == true { dropPending(to: upstream) }
    return next
  }

  func dropPending(for number: Int) {
    if let upstream = upstreams[number] { dropPending(to: upstream) }
  }

  func dropPending(to upstream: CombineIdentifier) {
    if let dropped = pending.removeValue(forKey: upstream) { upstreams[dropped.number] = nil }
  }
}

/// The pending requests to one upstream, the oldest first.
///
/// Each is made by itself, as in Combine. Equal ones in a row are counted, so that any number of them takes no more
/// memory.
private struct PendingRequests {
  let number: Int
  private var runs = CircularBuffer<(request: UpstreamRequest, count: Int)>()

  init(number: Int) {
    self.number = number
  }

  var isEmpty: Bool { runs.isEmpty }

  mutating func add(_ request: UpstreamRequest) {
    let last = runs.count - 1
    if last >= 0, runs[last].request.demand == request.demand, runs[last].request.upstream === request.upstream {
      runs[last].count += 1
    } else {
      runs.append((request, 1))
    }
  }

  mutating func take() -> UpstreamRequest? {
    guard !runs.isEmpty else { return nil }
    if runs[0].count == 1 { return runs.popFirst()?.request }
    runs[0].count -= 1
    return runs[0].request
  }
}
