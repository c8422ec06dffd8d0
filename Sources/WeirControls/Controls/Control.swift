import WeirDispatch

/// A simulated control with a state, which sends its events to its targets.
///
/// Controls behave as in UIKit, without a screen: each user action is a method such as ``Button/tap()``. A control that
/// is disabled or hidden, also by a superview, ignores user actions, but not ``sendActions(for:)``. Setting a property
/// sends no event. For your own control, write a subclass that calls ``sendActions(for:)`` for each event.
///
/// Targets (see ``TargetActionSender``) and subscribers (``CombineCompatible/publisher(for:)``) receive events in the
/// order in which they were added.
///
/// - Threading: controls are isolated to the main actor. Any thread may release one.
@MainActor
open class Control: View {
  /// Whether the control reacts to user actions.
  open var isEnabled = true

  /// Whether the control is selected; the application defines the meaning.
  open var isSelected = false

  /// Whether the control is drawn as pressed.
  open var isHighlighted = false

  @usableFromInline
  let targets = TargetList()

  /// Creates an enabled control without targets.
  public override init() {
    super.init()
  }

  deinit {
    // Any thread may release the last reference, but subscribers receive the finish on the main actor.
    if isOnMainActor() {
      MainActor.assumeIsolated { targets.close() }
    } else {
      Task { @MainActor [targets] in targets.close() }
    }
  }

  /// Whether a person can use the control: it is enabled and reachable.
  public final var isUsable: Bool { isEnabled && isReachable }

  /// Sends `valueChanged` and then `primaryActionTriggered`, for a change by a person.
  public final func sendChange() {
    sendActions(for: .valueChanged)
    sendActions(for: .primaryActionTriggered)
  }

  /// Runs the actions that were added for any of the events, each once, in the order of their addition.
  ///
  /// Actions may change the list. An action that is removed before its turn doesn't run; an added action runs from the
  /// next time on. A nested call sends its events immediately.
  open func sendActions(for controlEvents: Event) {
    targets.send(controlEvents, from: self)
  }

  // MARK: The targets

  /// Removes actions for the given events; an action without events is released.
  ///
  /// A publisher's subscription is a target too. If it is removed in this way, it finishes, because its subscriber
  /// can't receive more events.
  ///
  /// - Parameters:
  ///   - target: The target, or `nil` for every target.
  ///   - name: The name with which the action was added, or `nil` for every action of the target.
  ///   - controlEvents: The events for which the actions no longer run.
  public final func removeTarget(_ target: AnyObject?, action name: String?, for controlEvents: Event) {
    targets.remove(target, name, for: controlEvents)
  }

  /// The targets, each once, in the order of their addition.
  public final var allTargets: [AnyObject] {
    var known: Set<ObjectIdentifier> = []
    return targets.live.compactMap(\.listener.target).filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// All events for which there is an action.
  public final var allControlEvents: Event {
    targets.live.reduce(into: []) { all, entry in all.formUnion(entry.events) }
  }

  /// The names of a target's actions for an event, in the order of execution; `nil` if there are none.
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
