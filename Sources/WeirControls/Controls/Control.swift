import WeirDispatch

/// A simulated control: it has a state, and tells its targets of the events that happen to it.
///
/// Controls behave as a user of UIKit knows them, without a screen: what a person does with one is a method such as
/// ``Button/tap()``. A control that is disabled, or hidden by itself or by a view around it, ignores the person and still
/// obeys ``sendActions(for:)``. What the program sets sends no event. Subclass it for a control of your own, and call
/// ``sendActions(for:)`` where something happens to it.
///
/// Events reach targets (see ``TargetActionSender``) and subscribers (``CombineCompatible/publisher(for:)``) alike, in the
/// order in which they were added.
///
/// - Threading: controls belong to the main actor. One may be let go of anywhere.
@MainActor
open class Control: View {
  /// Tells whether the control reacts to a person.
  open var isEnabled = true

  /// Tells whether the control is selected: what that means is up to the program.
  open var isSelected = false

  /// Tells whether the control is drawn as pressed.
  open var isHighlighted = false

  @usableFromInline
  let targets = TargetList()

  /// Makes a control that is enabled and has no targets.
  public override init() {
    super.init()
  }

  deinit {
    // Whoever has the last reference need not be on the main actor, but subscribers of a control hear from it there.
    if isOnMainActor() {
      MainActor.assumeIsolated { targets.close() }
    } else {
      Task { @MainActor [targets] in targets.close() }
    }
  }

  /// Tells whether a person can use it: it is enabled, and reachable.
  public final var isUsable: Bool { isEnabled && isReachable }

  /// A person has changed the value: sends `valueChanged` and then `primaryActionTriggered`.
  public final func sendChange() {
    sendActions(for: .valueChanged)
    sendActions(for: .primaryActionTriggered)
  }

  /// Runs the actions that were added for any of the events, each once, in the order in which they were added.
  ///
  /// The list may change meanwhile: an action that is removed before its turn doesn't run, one that is added runs from
  /// the next time on. Sent from inside an action, events go out at once.
  open func sendActions(for controlEvents: Event) {
    targets.send(controlEvents, from: self)
  }

  // MARK: The targets

  /// Removes actions: they no longer run for the events given, and go when no event is left.
  ///
  /// The subscription of a publisher is a target like any other. One that goes in this way finishes: its subscriber is
  /// not left waiting for events that can't come.
  ///
  /// - Parameters:
  ///   - target: the target, or `nil` for every target.
  ///   - name: the name with which the action was added, or `nil` for every action of the target.
  ///   - controlEvents: the events for which it doesn't run any more.
  public final func removeTarget(_ target: AnyObject?, action name: String?, for controlEvents: Event) {
    targets.remove(target, name, for: controlEvents)
  }

  /// The targets, each once, in the order in which they were added.
  public final var allTargets: [AnyObject] {
    var all: [AnyObject] = []
    for (_, listener) in targets.live {
      guard let target = listener.target, !all.contains(where: { $0 === target }) else { continue }
      all.append(target)
    }
    return all
  }

  /// All events for which there is an action.
  public final var allControlEvents: Event {
    targets.live.reduce(into: []) { all, entry in all.formUnion(entry.events) }
  }

  /// The names of a target's actions for an event, in the order in which they run; `nil` if there are none.
  public final func actions(forTarget target: AnyObject?, forControlEvent controlEvent: Event) -> [String]? {
    let names = targets.live.compactMap { entry -> String? in
      guard !entry.events.isDisjoint(with: controlEvent), target == nil || entry.listener.target === target else {
        return nil
      }
      return entry.listener.name
    }
    return names.isEmpty ? nil : names
  }
}

extension Control: TargetActionSender, CombineCompatible {}
