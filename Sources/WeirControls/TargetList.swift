/// The targets of a control, in the order of their addition.
///
///     Control ──▶ TargetList ──▶ TargetAction ─ ─ weakly ─ ─▶ target
///                  ▲      └────▶ ControlSubscription ──▶ subscriber
///                  └──────────────────────┘
///
/// A subscription references the list and not the control. So the control needs no weak reference, which
/// would slow down every use of it. The reference cycle is broken when the subscription or the control terminates.
///
/// Invariant: no index changes during a dispatch. A removed entry becomes a gap, and a new entry is appended.
@MainActor
@usableFromInline
final class TargetList {
  private struct Entry {
    /// Empty in a gap.
    var events: Control.Event

    /// `nil` in a gap.
    var listener: (any TargetListener)?

    // Safety: `listener` retains it; after its removal, `removedDuringDispatch` retains it until the dispatch ends.
    // (`ControlTests`)
    /// The listener without reference counting.
    ///
    /// It is retained until no dispatch is in progress.
    let unretained: Unmanaged<AnyObject>

    /// Sends the events to the listener; returns `false` if the target has been deallocated.
    ///
    /// Created where the listener's type is known, so that the function is specialized for its subscriber.
    let fire: Fire
  }

  // Safety: the reference is that of the entry, which retains the listener during the call. (`ControlTests`)
  @usableFromInline
  typealias Fire = @MainActor (Unmanaged<AnyObject>, Control, Control.Event) -> Bool

  /// What distinguishes the actions of a control.
  fileprivate struct Key: Hashable {
    let target: ObjectIdentifier
    let name: String
  }

  // Safety: only the main actor accesses the six properties below. No access overlaps with user code: callees are
  // copied out before the call, and released values are moved out before the release. (`ControlTests`,
  // `ControlSubscriptionTests`)
  @exclusivity(unchecked)
  private var entries: ContiguousArray<Entry> = []

  @exclusivity(unchecked)
  private var gaps = 0

  /// The actions, of which some may belong to deallocated targets.
  @exclusivity(unchecked)
  private var actions: [Key: TargetAction] = [:]

  /// The number of entries at which those of deallocated targets are removed next from a long list.
  @exclusivity(unchecked)
  private var sweepCount = 0

  /// Listeners that were removed during a dispatch, and are released after it.
  @exclusivity(unchecked)
  private var removedDuringDispatch: [any TargetListener] = []

  /// The number of nested dispatches in progress.
  @exclusivity(unchecked)
  private var depth = 0

  /// The entries whose targets exist.
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
    if depth == 0, gaps > 0 { compact() }
  }

  // MARK: Adding

  @usableFromInline
  func add(_ listener: some TargetListener, for events: Control.Event, _ fire: @escaping Fire) {
    listener.index = entries.count
    entries.append(Entry(events: events, listener: listener, unretained: .passUnretained(listener), fire: fire))
  }

  func add(
    _ target: AnyObject, named name: String, for events: Control.Event, _ action: @escaping TargetAction.Body
  ) {
    let key = Key(target: ObjectIdentifier(target), name: name)
    // The new target can have the address of a deallocated one.
    if let known = actions[key], known.target == nil { remove(known) }
    removeDeallocatedIfDue()
    if let known = actions[key], let index = known.index {
      entries[index].events.formUnion(events)
      return known.replaceBody(with: action)
    }
    let new = TargetAction(target, key, action)
    actions[key] = new
    add(new, for: events) { listener, control, events in
      // Safety: the list passes the listener that the function was added with, which has this type. (`ControlTests`)
      unsafeDowncast(listener.takeUnretainedValue(), to: TargetAction.self).run(control, events)
    }
  }

  // MARK: Removing

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

  /// Removes the entries of deallocated targets, from a long list only when it has doubled.
  private func removeDeallocatedIfDue() {
    guard entries.count <= 16 || entries.count >= sweepCount else { return }
    for entry in entries {
      if let listener = entry.listener, listener.target == nil { remove(listener) }
    }
    sweepCount = 2 * entries.count
  }

  @usableFromInline
  func remove(_ listener: any TargetListener) {
    guard let index = listener.index else { return }
    listener.index = nil
    removedDuringDispatch.append(listener)
    if !actions.isEmpty, let action = listener as? TargetAction { actions[action.key] = nil }
    entries[index].events = []
    entries[index].listener = nil
    gaps += 1
    if depth == 0 { compact() }
  }

  /// Called when the control is deallocated.
  func close() {
    let last = entries
    entries = []
    actions = [:]
    gaps = 0
    for entry in last { entry.listener?.index = nil }
    for entry in last { entry.listener?.finish() }
  }

  /// Releases the removed listeners when no dispatch is in progress.
  private func compact() {
    // Gaps are compacted only when they are half of the list, so a removal takes amortized constant time.
    if gaps > entries.count / 2 {
      entries.removeAll { $0.listener == nil }
      gaps = 0
      for (index, entry) in entries.enumerated() { entry.listener?.index = index }
    }
    var released: [any TargetListener] = []
    swap(&released, &removedDuringDispatch)
    // Releases a target's closure here. Its captures may call this list again.
    withExtendedLifetime(released) {}
  }
}

/// An entry of a control's target list.
@MainActor
@usableFromInline
protocol TargetListener: AnyObject {
  /// The position in the list; `nil` if it has been removed.
  var index: Int? { get set }

  /// The receiver of the events; `nil` after it has been deallocated.
  var target: AnyObject? { get }

  var name: String { get }

  /// Called when no more events can follow.
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

  fileprivate let key: TargetList.Key

  @usableFromInline
  var name: String { key.name }

  // Safety: only the main actor accesses it. It is copied out before it is called, and moved out before it is released.
  // (`ControlTests`)
  @exclusivity(unchecked)
  private var body: Body

  fileprivate init(_ target: AnyObject, _ key: TargetList.Key, _ body: @escaping Body) {
    self.target = target
    self.key = key
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
    // Releases the old closure here. Its captures may call this action again.
    withExtendedLifetime(released) {}
  }

  @usableFromInline
  func finish() {}
}
