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

  @usableFromInline
  var pending: [UpstreamRequest] = []

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
    if pending.isEmpty { return nil }
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return nil }
    return pending.remove(at: index)
  }

  /// Drops the pending requests to a cancelled upstream.
  @usableFromInline
  mutating func forget(_ subscription: SubscriptionObject) {
    if pending.isEmpty { return }
    pending.removeAll { $0.upstream.combineIdentifier == subscription.combineIdentifier }
  }
}
