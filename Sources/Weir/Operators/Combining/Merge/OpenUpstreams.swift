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

  /// The upstream that sent last, if it is open: the answer to most questions.
  @usableFromInline
  var lastOpen = Int.min

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

  /// Whether values may come from it: as in Combine, also before its subscription.
  @inlinable
  @inline(__always)
  mutating func isOpen(_ number: Int) -> Bool {
    number == lastOpen || findOpen(number)
  }

  @usableFromInline
  mutating func findOpen(_ number: Int) -> Bool {
    guard index(of: number) != nil else { return false }
    lastOpen = number
    return true
  }

  /// Closes one; false if it was not open.
  mutating func close(_ number: Int) -> Bool {
    guard let index = index(of: number) else { return false }
    entries.remove(at: index)
    lastOpen = .min
    return true
  }

  mutating func removeAll() {
    entries = []
    lastOpen = .min
  }

  private mutating func index(of number: Int) -> Int? {
    if recent < entries.count, entries[recent].number == number { return recent }
    guard let index = entries.index(of: number) else { return nil }
    recent = index
    return index
  }
}
