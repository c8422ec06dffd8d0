import Weir

// Safety: only the thread that created it accesses it, because `current` returns it to no other thread.
// (`ChannelTests`, `BindTwoWayTests`)
/// The propagation of one change through bindings, on one thread.
///
///     a ──▶ b ──▶ c ──▶ a?    no: `a` has this change, or a newer one
///
/// The wave assigns a version to each side. A written side takes the version of its source. A side that changes by
/// itself, such as a setter that corrects its value, takes a new version. A binding propagates a value only to a side
/// with a smaller version. So a change reaches each side once, in every topology. Values are not compared.
final class Wave: @unchecked Sendable {
  /// One end of a binding, which observes a side.
  struct Hearer: Hashable {
    let binding: ObjectIdentifier
    let isLeft: Bool
  }

  private struct Entry {
    var number = 0
    /// The side is being written, so the first event from it announces the written value.
    var isOpen = false
    var corrections = 0
  }

  // Child tasks inherit this value, so the wave may have finished or may belong to another thread. `current` checks
  // both.
  @TaskLocal private static var innermost: Wave?

  /// The maximum number of corrections of one side in a wave.
  ///
  /// It stops two sides that never agree.
  private static let mostCorrections = 2

  private let thread = currentThread()
  private var isTerminated = false
  private var last = 0
  private var entries: [SideIdentity: Entry] = [:]
  private var heard: [Hearer: Int] = [:]

  /// The wave that is running on this thread.
  static var current: Wave? {
    guard let wave = innermost, wave.isHere else { return nil }
    return wave
  }

  /// Whether the wave is running on this thread.
  var isHere: Bool { thread == currentThread() && !isTerminated }

  func run(_ body: () -> Void) {
    Wave.$innermost.withValue(self, operation: body)
    isTerminated = true
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

  /// Records that a side has announced a change to a binding.
  ///
  /// Returns `false` if it has done so too often.
  func hear(of side: SideIdentity, by hearer: Hearer) -> Bool {
    if isOpen(side), !hasHeard(hearer, of: side) {
      heard[hearer] = number(of: side)
      return true
    }
    return change(side, heardBy: hearer)
  }

  /// Records that a side has changed by itself.
  ///
  /// Returns `false` if it has done so too often.
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

  /// Writes a side, which takes the version of the source.
  func write(_ side: SideIdentity, from source: SideIdentity, _ body: () -> Void) {
    let wasOpen = isOpen(side)
    entries[side, default: Entry()].number = number(of: source)
    entries[side, default: Entry()].isOpen = true
    body()
    entries[side, default: Entry()].isOpen = wasOpen
  }
}
