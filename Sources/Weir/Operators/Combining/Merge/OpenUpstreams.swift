/// The upstreams that are open, with their subscriptions as they come, in the order of their numbers.
///
/// Numbers only rise, so a new one stands last and the array stays sorted. Mostly the upstream that has just been heard is
/// heard again: it is found without a search.
@usableFromInline
struct OpenUpstreams {
  @usableFromInline
  var entries: ContiguousArray<(number: Int, subscription: (any Subscription)?)> = []

  /// Where the one stood that was looked for last.
  @usableFromInline
  var recent = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { entries.isEmpty }

  @inlinable
  mutating func open(_ number: Int) {
    entries.append((number, nil))
  }

  @inlinable
  mutating func index(of number: Int) -> Int? {
    if recent < entries.count, entries[recent].number == number { return recent }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].number == number else { return nil }
    recent = low
    return low
  }

  @inlinable
  mutating func subscription(of number: Int) -> (any Subscription)? {
    index(of: number).flatMap { entries[$0].subscription }
  }

  /// Whether it is open and has handed over its subscription, so that values may come from it.
  @inlinable
  mutating func isLive(_ number: Int) -> Bool {
    index(of: number).map { entries[$0].subscription != nil } ?? false
  }

  /// Closes one; false if it was not open.
  @inlinable
  mutating func close(_ number: Int) -> Bool {
    guard let index = index(of: number) else { return false }
    entries.remove(at: index)
    return true
  }

  @inlinable
  mutating func removeAll() {
    entries = []
  }
}
