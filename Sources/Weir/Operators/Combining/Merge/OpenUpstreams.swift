/// The upstreams that are open, with their subscriptions as they come, in the order of their numbers.
///
/// Numbers only rise, so a new one stands last and the array stays sorted. Mostly the upstream that has just been heard is
/// heard again: it is found without a search.
@usableFromInline
struct OpenUpstreams {
  @usableFromInline
  struct Entry: Numbered {
    let number: Int
    var subscription = SubscriptionSlot()
  }

  @usableFromInline
  var entries: ContiguousArray<Entry> = []

  /// Where the one stood that was looked for last.
  private var recent = 0

  /// The upstream that sent last, if it is live: the answer to most questions.
  @usableFromInline
  var lastLive = Int.min

  init() {}

  mutating func open(_ number: Int) {
    entries.append(Entry(number: number))
  }

  mutating func subscribe(_ number: Int, _ subscription: any Subscription) -> Bool {
    guard let index = index(of: number), !entries[index].subscription.isFull else { return false }
    entries[index].subscription = SubscriptionSlot(subscription)
    return true
  }

  mutating func subscription(of number: Int) -> SubscriptionSlot {
    guard let index = index(of: number) else { return SubscriptionSlot() }
    return entries[index].subscription
  }

  /// Whether it is open and has handed over its subscription, so that values may come from it.
  @inlinable
  @inline(__always)
  mutating func isLive(_ number: Int) -> Bool {
    number == lastLive || findLive(number)
  }

  @usableFromInline
  mutating func findLive(_ number: Int) -> Bool {
    guard let index = index(of: number), entries[index].subscription.isFull else { return false }
    lastLive = number
    return true
  }

  /// Closes one; false if it was not open.
  mutating func close(_ number: Int) -> Bool {
    guard let index = index(of: number) else { return false }
    entries.remove(at: index)
    lastLive = .min
    return true
  }

  mutating func removeAll() {
    entries = []
    lastLive = .min
  }

  private mutating func index(of number: Int) -> Int? {
    if recent < entries.count, entries[recent].number == number { return recent }
    guard let index = entries.index(of: number) else { return nil }
    recent = index
    return index
  }
}
