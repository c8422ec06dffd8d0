import Weir

// Safety: only the thread that created it accesses it, because `current` returns it to no other thread.
// (`ChannelTests`, `BindTwoWayTests`)
/// The propagation of one change through bindings, on one thread.
///
///     a ──▶ b ──▶ c ──▶ a?    no: `a` has this change, or a newer one
///
/// The propagation assigns a version to each side. A written side takes the version of its source. A side that changes
/// by itself, such as a setter that corrects its value, takes a new version. A binding propagates a value only to a
/// side with a smaller version. So a change reaches each side once, in every topology. Values are not compared.
final class ChangePropagation: @unchecked Sendable {
  /// The endpoint of a binding, which observes a side.
  typealias Observer = ObjectIdentifier

  private struct Entry {
    var version = 0
    /// The side is being written, so the first event from it announces the written value.
    var isBeingWritten = false
    var corrections = 0

    /// Returns whether it was being written already.
    mutating func beginWriting(_ version: Int) -> Bool {
      defer { (self.version, isBeingWritten) = (version, true) }
      return isBeingWritten
    }
  }

  // Child tasks inherit this value, so the propagation may have finished or may belong to another thread. `current`
  // checks both.
  @TaskLocal private static var innermost: ChangePropagation?

  /// The maximum number of corrections of one side in a propagation.
  ///
  /// It stops two sides that never agree.
  private static let mostCorrections = 2

  private let thread = currentThread()
  private var isTerminated = false
  private var last = 0
  private var entries: [BindingEndpointID: Entry] = [:]
  private var observed: [Observer: Int] = [:]

  /// The propagation that is running on this thread.
  static var current: ChangePropagation? {
    guard let propagation = innermost, propagation.isHere else { return nil }
    return propagation
  }

  /// Whether the propagation is running on this thread.
  var isHere: Bool { thread == currentThread() && !isTerminated }

  func run(_ body: () -> Void) {
    ChangePropagation.$innermost.withValue(self, operation: body)
    isTerminated = true
  }

  func version(of side: BindingEndpointID) -> Int {
    entries[side]?.version ?? 0
  }

  func isBeingWritten(_ side: BindingEndpointID) -> Bool {
    entries[side]?.isBeingWritten ?? false
  }

  func hasObserved(_ observer: Observer, of side: BindingEndpointID) -> Bool {
    observed[observer] == version(of: side)
  }

  /// Records that a side has announced a change to a binding.
  ///
  /// Returns `false` if it has done so too often.
  func recordEvent(of side: BindingEndpointID, by observer: Observer) -> Bool {
    if isBeingWritten(side), !hasObserved(observer, of: side) {
      observed[observer] = version(of: side)
      return true
    }
    return change(side, by: observer)
  }

  /// Records that a side has changed by itself.
  ///
  /// Returns `false` if it has done so too often.
  func change(_ side: BindingEndpointID, by observer: Observer) -> Bool {
    var entry = entries[side] ?? Entry()
    if entry.corrections > Self.mostCorrections { return false }
    last += 1
    entry.corrections += 1
    entry.version = last
    entries[side] = entry
    observed[observer] = last
    return true
  }

  /// Writes a side, which takes the version of the source.
  func write(_ side: BindingEndpointID, from source: BindingEndpointID, _ body: () -> Void) {
    let wasBeingWritten = entries[side, default: Entry()].beginWriting(version(of: source))
    body()
    entries[side, default: Entry()].isBeingWritten = wasBeingWritten
  }
}
