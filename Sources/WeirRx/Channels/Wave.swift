import Weir

// Safety: only the thread that made it accesses it, because `current` returns it to no other. (`ChannelTests`, `BindTwoWayTests`)
/// One change on its way through bindings: from where it happened to all that is bound to it, on one thread.
///
///     a ──▶ b ──▶ c ──▶ a?    no: `a` has this change, or a newer one
///
/// It gives each side a number. A side that is written gets the number of the side whose value that is; one that changes
/// by itself, a setter that corrects what it gets, gets a new one. A binding carries a value only to a side whose number
/// is smaller. So a change comes to each side once, however the bindings are laid out and whatever the values are:
/// they are not compared.
final class Wave: @unchecked Sendable {
  /// Who hears of a side: one end of a binding.
  struct Hearer: Hashable {
    let binding: ObjectIdentifier
    let isLeft: Bool
  }

  private struct Entry {
    var number = 0
    /// It is being written, so the first that is heard of it is what was written.
    var isOpen = false
    var corrections = 0
  }

  // Tasks inherit it, so a wave that is found here may be over or another thread's.
  @TaskLocal private static var innermost: Wave?

  /// How often a side may change by itself on the way of one change: two that never agree must come to an end.
  private static let mostCorrections = 2

  private let thread = currentThread()
  private var isOver = false
  private var last = 0
  private var entries: [SideIdentity: Entry] = [:]
  private var heard: [Hearer: Int] = [:]

  /// The wave that this thread is in.
  static var current: Wave? {
    guard let wave = innermost, wave.isHere else { return nil }
    return wave
  }

  /// Whether it is under way on this thread.
  var isHere: Bool { thread == currentThread() && !isOver }

  func run(_ body: () -> Void) {
    Wave.$innermost.withValue(self, operation: body)
    isOver = true
  }

  func number(of side: SideIdentity) -> Int {
    entries[side]?.number ?? 0
  }

  func isOpen(_ side: SideIdentity) -> Bool {
    entries[side]?.isOpen ?? false
  }

  func hasHeard(_ hearer: Hearer, of side: SideIdentity) -> Bool {
    heard[hearer] == number(of: side)
  }

  /// A side has told a binding of a change; false if it has done so too often.
  func hear(of side: SideIdentity, by hearer: Hearer) -> Bool {
    if isOpen(side), !hasHeard(hearer, of: side) {
      heard[hearer] = number(of: side)
      return true
    }
    return change(side, heardBy: hearer)
  }

  /// A side has changed by itself; false if it has done so too often.
  func change(_ side: SideIdentity, heardBy hearer: Hearer) -> Bool {
    var entry = entries[side] ?? Entry()
    if entry.corrections > Self.mostCorrections { return false }
    last += 1
    entry.corrections += 1
    entry.number = last
    entries[side] = entry
    heard[hearer] = last
    return true
  }

  /// Writes a side with the value of another.
  func write(_ side: SideIdentity, from source: SideIdentity, _ body: () -> Void) {
    let wasOpen = isOpen(side)
    entries[side, default: Entry()].number = number(of: source)
    entries[side, default: Entry()].isOpen = true
    body()
    entries[side, default: Entry()].isOpen = wasOpen
  }
}
