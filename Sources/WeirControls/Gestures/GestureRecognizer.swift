import Weir

/// Recognizes a gesture from touches, with UIKit's states.
///
///     discrete    possible ──▶ ended (recognized) ──▶ possible
///                    └──────▶ failed ───────────────▶ possible
///     continuous  possible ──▶ began ──▶ changed … ──▶ ended or cancelled ──▶ possible
///
/// The state returns to `possible` when all fingers are lifted. When a recognizer recognizes its gesture, all other
/// recognizers of the same touches fail, unless one of the two allows simultaneous recognition
/// (``shouldRecognizeSimultaneously``).
///
/// For your own gesture, override the methods for touches and time, and report each state with ``move(to:)``.
///
/// - Threading: a recognizer is isolated to the main actor.
@MainActor
open class GestureRecognizer {
  /// The progress of a gesture.
  public enum State: Sendable {
    /// The touches may still become the gesture.
    case possible
    /// The gesture was recognized and continues.
    case began
    /// The gesture continues and has changed.
    case changed
    /// The gesture has ended.
    case ended
    /// The gesture was cancelled.
    case cancelled
    /// The touches are not the gesture.
    case failed

    /// The final state of a discrete gesture.
    public static var recognized: State { .ended }
  }

  /// The progress of the gesture.
  public private(set) final var state = State.possible

  /// The view whose touches the recognizer receives.
  public internal(set) final weak var view: View?

  /// Whether the recognizer receives touches; setting `false` cancels a gesture in progress.
  public final var isEnabled = true {
    didSet { if !isEnabled { abandon() } }
  }

  /// Whether another gesture may be recognized from the same touches.
  public final var shouldRecognizeSimultaneously: @MainActor (GestureRecognizer) -> Bool = { _ in false }

  /// The fingers on the screen.
  public private(set) final var touches: [Touch] = []

  /// The center of the fingers, including the one that was lifted last.
  public private(set) final var location = Touch.Point.zero

  /// The closures of a publisher.
  final var listener: (action: @MainActor (GestureRecognizer) -> Void, end: @MainActor () -> Void)?

  private struct Target {
    weak var target: AnyObject?
    let action: @MainActor (AnyObject, GestureRecognizer) -> Void
  }

  private var targets = WeakList<Target> { $0.target }
  private var requirements = WeakList<Reference> { $0.recognizer }
  private var dependents = WeakList<Reference> { $0.recognizer }
  private weak var touchedView: View?

  /// States that are pending until other recognizers fail.
  private var pending: [State] = []

  /// The number of gestures that have been finished or abandoned.
  ///
  /// A target can abandon the gesture of which it is notified, for instance by setting ``isEnabled``.
  private var finishedGestures = 0

  /// Whether the targets are being notified of the present state.
  private var isNotifying = false

  /// Whether the recognizer starts over when all targets have been notified of the final state.
  private var startsOverLater = false

  private struct Reference {
    weak var recognizer: GestureRecognizer?
  }

  /// Creates a recognizer in the state `possible`.
  public init() {}

  // MARK: Targets and dependencies

  /// Adds a target, which is held weakly and receives each state from `began` on.
  public final func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, GestureRecognizer) -> Void
  ) {
    // Safety: the list passes the action the target that it was added with. (`GestureRecognizerTests`)
    _ = targets.append(Target(target: target) { action(unsafeDowncast($0, to: T.self), $1) })
  }

  /// Removes a target.
  public final func removeTarget(_ target: AnyObject) {
    _ = targets.remove(of: target)
  }

  /// Delays recognition until the other recognizer has failed, for instance until no second tap has followed.
  ///
  /// This recognizer fails when the other one recognizes its gesture.
  public final func require(toFail other: GestureRecognizer) {
    _ = requirements.append(Reference(recognizer: other))
    _ = other.dependents.append(Reference(recognizer: self))
  }

  // MARK: Overridable methods

  /// Called when a finger touches the view.
  open func touchBegan(_ touch: Touch) {}

  /// Called when a finger moves.
  open func touchMoved(_ touch: Touch) {}

  /// Called when a finger is lifted.
  open func touchEnded(_ touch: Touch) {}

  /// Called when the system cancels a touch.
  open func touchCancelled(_ touch: Touch) {
    move(to: isUnderWay ? .cancelled : .failed)
  }

  /// Called when time passes.
  open func timePassed(to timestamp: Double) {}

  /// Called when the state returns to `possible`; discards the recognizer's data.
  open func reset() {}

  /// Whether another gesture of the same touches, when it is recognized, makes this recognizer fail.
  open func canBePrevented(by other: GestureRecognizer) -> Bool { true }

  /// Whether a gesture is in progress; it may also be pending until another recognizer fails.
  public final var isUnderWay: Bool { state == .began || state == .changed || !pending.isEmpty }

  /// Moves to a state.
  ///
  /// Ignores a state that can't follow the present one. The state is pending until the required recognizers have
  /// failed.
  public final func move(to new: State) {
    guard isListening, new != .possible else { return }
    if state != .possible {
      if new != .failed, new != .began { enter(new) }
    } else if new == .failed || (new == .cancelled) {
      pending = []
      state = .failed
      giveWay()
    } else if !pending.isEmpty || new != .changed {
      if new != .changed || pending.last != .changed { pending.append(new) }
      recognize()
    }
  }

  // MARK: State changes

  /// The required number of taps.
  var taps: Int { 0 }

  /// Whether the gesture continues without a finger.
  var isBetweenTouches: Bool { false }

  private var isListening: Bool { state == .possible || state == .began || state == .changed }

  /// Whether the touches may still become the gesture.
  private var isEngaged: Bool {
    state == .possible && (!touches.isEmpty || isBetweenTouches || !pending.isEmpty)
  }

  final func handle(_ touch: Touch, in view: View) {
    guard isEnabled, self.view != nil else { return }
    let known = touches.firstIndex { $0.finger == touch.finger }
    if touch.phase == .began {
      // A recognizer with pending states needs no more touches.
      guard known == nil, !touches.isEmpty || pending.isEmpty else { return }
      touchedView = view
      touches.append(touch)
    } else {
      guard let known else { return }
      touches[known] = touch
    }
    location = touches.center
    if touch.phase == .ended || touch.phase == .cancelled { touches.removeAll { $0.finger == touch.finger } }
    if isListening {
      switch touch.phase {
      case .began: touchBegan(touch)
      case .moved: touchMoved(touch)
      case .stationary: break
      case .ended: touchEnded(touch)
      case .cancelled: touchCancelled(touch)
      }
    }
    settle()
  }

  private func recognize() {
    if state != .possible || requirements.elements.contains(where: { $0.recognizer?.isEngaged == true }) { return }
    let (states, gesture) = (pending, finishedGestures)
    pending = []
    for state in states where isListening && finishedGestures == gesture { enter(state) }
    settle()
  }

  private func enter(_ new: State) {
    let (isFirst, gesture) = (state == .possible, finishedGestures)
    state = new
    if isFirst { takeTouches() }
    // A target that changes the state has notified the others of its new state already.
    var isCurrent: Bool { state == new && finishedGestures == gesture }
    isNotifying = true
    for target in targets.elements where isCurrent {
      if let object = target.target { target.action(object, self) }
    }
    if isCurrent { listener?.action(self) }
    isNotifying = false
    if startsOverLater { startOver() }
  }

  /// Claims the touches for this gesture.
  private func takeTouches() {
    for dependent in dependents.elements { dependent.recognizer?.move(to: .failed) }
    for other in touchedView?.recognizersInReach ?? [] where other !== self && other.isEngaged {
      if shouldRecognizeSimultaneously(other) || other.shouldRecognizeSimultaneously(self) { continue }
      if other.canBePrevented(by: self) { other.move(to: .failed) }
    }
  }

  /// Resumes the recognizers that are pending until this one fails.
  private func giveWay() {
    settle()
    for dependent in dependents.elements { dependent.recognizer?.recognize() }
  }

  private func settle() {
    if isListening || !touches.isEmpty { return }
    startOver()
  }

  private func startOver() {
    startsOverLater = isNotifying && !isListening
    if startsOverLater { return }
    finishedGestures += 1
    state = .possible
    reset()
  }

  private func abandon() {
    touches = []
    if isUnderWay { move(to: .cancelled) }
    pending = []
    startOver()
    for dependent in dependents.elements { dependent.recognizer?.recognize() }
  }

  /// Called after the recognizer was removed from its view.
  final func leave() {
    abandon()
    viewHasGone()
  }

  final func viewHasGone() {
    view = nil
    let last = listener
    listener = nil
    last?.end()
  }
}
