/// The targets of a control, in the order in which they were added.
///
///     Control ──▶ TargetList ──▶ TargetAction ─ ─ weakly ─ ─▶ target
///                  ▲      └────▶ ControlSubscription ──▶ subscriber
///                  └──────────────────────┘
///
/// A subscription knows the list and not the control, so it needs no weak reference, which would slow down every use of
/// the control. The circle ends with the subscription or the control, whichever goes first.
///
/// Nothing moves while a dispatch walks the list: who leaves then is replaced by a gap, who comes stands behind the end.
@MainActor
@usableFromInline
final class TargetList {
  private struct Entry {
    /// Empty in a gap.
    var events: Control.Event

    /// `nil` in a gap.
    var listener: (any TargetListener)?

    // Safety: `listener`, or from its removal to the end of the dispatch `leaving`, retains it. (`ControlTests`)
    /// The listener without a count of references: it stays until no dispatch is under way.
    let unretained: Unmanaged<AnyObject>

    /// Tells the listener of the events; false if it has nobody to tell any more.
    ///
    /// Formed where the listener's type is known, so that a subscription's function is specialised for its subscriber.
    let fire: Fire
  }

  // Safety: the reference is that of the entry, which is retained meanwhile. (`ControlTests`)
  @usableFromInline
  typealias Fire = @MainActor (Unmanaged<AnyObject>, Control, Control.Event) -> Bool

  // Safety: only the main actor accesses the four properties below. No access lasts while user code runs: what is called is
  // copied out before, and what is released is moved out before. (`ControlTests`, `ControlSubscriptionTests`)
  @exclusivity(unchecked)
  private var entries: ContiguousArray<Entry> = []

  @exclusivity(unchecked)
  private var gaps = 0

  /// Listeners that left in the middle of a dispatch and are let go of after it.
  @exclusivity(unchecked)
  private var leaving: [any TargetListener] = []

  /// How many dispatches are under way, one inside the other.
  @exclusivity(unchecked)
  private var depth = 0

  /// The entries that have somebody to tell.
  var live: [(events: Control.Event, listener: any TargetListener)] {
    entries.compactMap { entry in
      guard let listener = entry.listener, listener.target != nil else { return nil }
      return (entry.events, listener)
    }
  }

  func send(_ events: Control.Event, from control: Control) {
    depth += 1
    let end = entries.count
    var index = 0
    while index < end {
      let wanted = entries[index].events.intersection(events)
      if !wanted.isEmpty {
        let isLive = entries[index].fire(entries[index].unretained, control, wanted)
        if !isLive, let listener = entries[index].listener { remove(listener) }
      }
      index += 1
    }
    depth -= 1
    if depth == 0, gaps > 0 { tidy() }
  }

  // MARK: Coming

  @usableFromInline
  func add(_ listener: some TargetListener, for events: Control.Event, _ fire: @escaping Fire) {
    listener.index = entries.count
    entries.append(Entry(events: events, listener: listener, unretained: .passUnretained(listener), fire: fire))
  }

  func add(
    _ target: AnyObject, named name: String, for events: Control.Event, _ action: @escaping TargetAction.Body
  ) {
    // An address may be that of a target that has gone: they make room first.
    for entry in entries {
      if let listener = entry.listener, listener.target == nil { remove(listener) }
    }
    for index in entries.indices {
      guard let known = entries[index].listener as? TargetAction, known.name == name, known.target === target else {
        continue
      }
      entries[index].events.formUnion(events)
      return known.replaceBody(with: action)
    }
    add(TargetAction(target, name, action), for: events) { listener, control, events in
      // Safety: the list passes the listener that the function was added with, which has this type. (`ControlTests`)
      unsafeDowncast(listener.takeUnretainedValue(), to: TargetAction.self).run(control, events)
    }
  }

  // MARK: Going

  func remove(_ target: AnyObject?, _ name: String?, for events: Control.Event) {
    var finished: [any TargetListener] = []
    for index in entries.indices {
      guard let listener = entries[index].listener else { continue }
      guard target == nil || listener.target === target, name == nil || listener.name == name else { continue }
      entries[index].events.subtract(events)
      if entries[index].events.isEmpty { finished.append(listener) }
    }
    for listener in finished { remove(listener) }
    for listener in finished { listener.finish() }
  }

  @usableFromInline
  func remove(_ listener: any TargetListener) {
    guard let index = listener.index else { return }
    listener.index = nil
    leaving.append(listener)
    entries[index].events = []
    entries[index].listener = nil
    gaps += 1
    if depth == 0 { tidy() }
  }

  /// The control has gone.
  func close() {
    let last = entries
    entries = []
    gaps = 0
    for entry in last { entry.listener?.index = nil }
    for entry in last { entry.listener?.finish() }
  }

  /// Lets go of who has left, when no dispatch walks the list any more.
  private func tidy() {
    // Leaving costs the same however many there are, because the gaps are closed only when they are half of the list.
    if gaps > entries.count / 2 {
      entries.removeAll { $0.listener == nil }
      gaps = 0
      for (index, entry) in entries.enumerated() { entry.listener?.index = index }
    }
    var released: [any TargetListener] = []
    swap(&released, &leaving)
    // What a target's closure holds goes here, and may come back to this list.
    withExtendedLifetime(released) {}
  }
}

/// Who stands in a control's list.
@MainActor
@usableFromInline
protocol TargetListener: AnyObject {
  /// Where it stands, `nil` when it doesn't.
  var index: Int? { get set }

  /// Who is told, `nil` if nobody is any more.
  var target: AnyObject? { get }

  var name: String { get }

  /// There will be no more events.
  func finish()
}

/// A target and its action.
@MainActor
@usableFromInline
final class TargetAction: TargetListener {
  @usableFromInline
  typealias Body = @MainActor (AnyObject, Control, Control.Event) -> Void

  @usableFromInline
  var index: Int?

  @usableFromInline
  private(set) weak var target: AnyObject?

  @usableFromInline
  let name: String

  // Safety: only the main actor accesses it. It is copied out before it is called, and moved out before it is released.
  // (`ControlTests`)
  @exclusivity(unchecked)
  private var body: Body

  init(_ target: AnyObject, _ name: String, _ body: @escaping Body) {
    self.target = target
    self.name = name
    self.body = body
  }

  func run(_ control: Control, _ events: Control.Event) -> Bool {
    guard let target else { return false }
    body(target, control, events)
    return true
  }

  func replaceBody(with new: @escaping Body) {
    var released = new
    swap(&released, &body)
    // What the old one holds goes here, and may come back to this action.
    withExtendedLifetime(released) {}
  }

  @usableFromInline
  func finish() {}
}
