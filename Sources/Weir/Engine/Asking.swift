/// What is to be asked of an upstream of a coordinator.
@usableFromInline
@frozen
package struct UpstreamRequest {
  @usableFromInline
  package let number: Int

  @usableFromInline
  package let upstream: any Subscription

  @usableFromInline
  package let demand: Subscribers.Demand

  @inlinable
  package init(_ number: Int, _ upstream: any Subscription, _ demand: Subscribers.Demand) {
    self.number = number
    self.upstream = upstream
    self.demand = demand
  }
}

/// Which upstreams of a coordinator are being asked right now, and what is to be asked of them when that has returned.
///
/// A request may deliver for long, so it is made with the gate open; two threads that have something to ask of one upstream
/// would call it at once. The gate's owner alone touches this.
@usableFromInline
struct Asking {
  /// Mostly there is one, for which no array is made.
  @usableFromInline
  var one = Int.min

  @usableFromInline
  var others: [Int] = []

  @usableFromInline
  var waiting: [UpstreamRequest] = []

  @usableFromInline
  init() {}

  /// Notes that the upstream with this number is about to be asked; false if it is being asked already.
  @usableFromInline
  mutating func begin(_ number: Int) -> Bool {
    if one == number || !others.isEmpty && others.contains(number) { return false }
    if one == .min { one = number } else { others.append(number) }
    return true
  }

  /// Notes that the request has returned.
  @usableFromInline
  mutating func end(_ number: Int) {
    if one == number {
      one = .min
    } else if let index = others.firstIndex(of: number) {
      others.remove(at: index)
    }
  }

  /// What the upstream with this number is to be asked for next: taken out.
  @usableFromInline
  mutating func takeWaiting(for number: Int) -> UpstreamRequest? {
    if waiting.isEmpty { return nil }
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    return waiting.remove(at: index)
  }

  /// What has been cancelled is not asked any more.
  @usableFromInline
  mutating func forget(_ subscription: any Subscription) {
    if waiting.isEmpty { return }
    waiting.removeAll { $0.upstream.combineIdentifier == subscription.combineIdentifier }
  }
}
