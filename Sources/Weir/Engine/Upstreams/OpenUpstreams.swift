/// The open upstreams of an operator or a subject, with the subscriptions that have arrived, in the order of their
/// numbers.
///
/// Performance: numbers only increase, so a new entry is appended and the array stays sorted. An upstream often sends
/// several values in a row, and is then found without a search. A closed upstream leaves a gap, until half of the
/// entries are gaps, so that closing takes logarithmic time. A new entry replaces a gap at the end. An upstream with
/// buffered values leaves its gap when the last of them has been delivered.
@usableFromInline
struct OpenUpstreams {
  @usableFromInline
  struct Entry: Numbered {
    let number: Int
    var subscription = OptionalSubscription()
    var isClosed = false

    /// The number of its buffered values after which the next has been requested already.
    var answered: Int32 = 0

    /// The number of its buffered values, if they are counted.
    var buffered = 0

    var isGap: Bool { isClosed && buffered == 0 }
  }

  @usableFromInline
  var entries: ContiguousArray<Entry> = []

  private var gaps = 0

  /// The index of the entry that was opened or found last, and isn't a gap; -1 if there is none.
  private var recent = -1

  /// The number of the upstream that sent last, if it is open.
  @usableFromInline
  var lastOpen = Int.min

  init() {}

  var isEmpty: Bool { entries.count == gaps }

  mutating func open(_ number: Int) {
    let last = entries.count - 1
    if last >= 0, entries[last].isGap {
      recent = last
      entries[last] = Entry(number: number)
      gaps -= 1
    } else {
      recent = entries.count
      entries.append(Entry(number: number))
    }
  }

  mutating func subscribe(_ number: Int, _ subscription: SubscriptionObject) -> Bool {
    guard let index = index(of: number), !entries[index].subscription.isFull else { return false }
    entries[index].subscription = OptionalSubscription(subscription)
    return true
  }

  mutating func subscription(of number: Int) -> OptionalSubscription {
    guard let index = index(of: number) else { return OptionalSubscription() }
    return entries[index].subscription
  }

  mutating func answered(_ number: Int) {
    if let index = index(of: number) { entries[index].answered += 1 }
  }

  /// Removes the mark of a value after which the next has been requested; returns `false` if there is none.
  mutating func takeAnswered(_ number: Int) -> Bool {
    guard let index = index(of: number), entries[index].answered > 0 else { return false }
    entries[index].answered -= 1
    return true
  }

  /// Returns the outermost gate on the way of the upstreams' values that this thread has entered.
  func outermostGate(of thread: UInt) -> _Gated? {
    for entry in entries {
      if let gate = entry.subscription.outermostGate(of: thread) { return gate }
    }
    return nil
  }

  /// Whether the upstream can send values; as in Combine, it can also send them before its subscription.
  @inlinable
  @inline(__always)
  mutating func isOpen(_ number: Int) -> Bool {
    number == lastOpen || findOpen(number)
  }

  mutating func contains(_ number: Int) -> Bool { index(of: number) != nil }

  @usableFromInline
  mutating func findOpen(_ number: Int) -> Bool {
    guard contains(number) else { return false }
    lastOpen = number
    return true
  }

  mutating func addBuffered(_ number: Int) {
    if let index = index(of: number) { entries[index].buffered += 1 }
  }

  /// Subtracts a value that has been delivered; returns whether it was the last one of a closed upstream.
  mutating func removeBuffered(_ number: Int) -> Bool {
    guard let index = entries.index(of: number), entries[index].buffered > 0 else { return false }
    entries[index].buffered -= 1
    guard entries[index].isGap else { return false }
    leaveGap(at: index)
    return true
  }

  /// Closes an upstream; returns whether none of its values is buffered, or `nil` if it was not open.
  mutating func close(_ number: Int) -> Bool? {
    guard let index = index(of: number) else { return nil }
    lastOpen = .min
    if entries[index].buffered > 0 {
      recent = -1
      entries[index].isClosed = true
      entries[index].subscription = OptionalSubscription()
      return false
    }
    leaveGap(at: index)
    return true
  }

  private mutating func leaveGap(at index: Int) {
    recent = -1
    entries[index] = Entry(number: entries[index].number, isClosed: true)
    gaps += 1
    if gaps > 8, gaps > entries.count / 2 { removeGaps() }
  }

  private mutating func removeGaps() {
    entries.removeAll { $0.isGap }
    gaps = 0
  }

  mutating func removeAll() {
    entries = []
    gaps = 0
    lastOpen = .min
    recent = -1
  }

  private mutating func index(of number: Int) -> Int? {
    if recent >= 0, entries[recent].number == number { return recent }
    guard let index = entries.index(of: number), !entries[index].isClosed else { return nil }
    recent = index
    return index
  }
}
