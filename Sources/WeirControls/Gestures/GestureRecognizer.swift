/// Makes a gesture of touches, with UIKit's states.
///
///     discrete    possible ──▶ ended (recognized) ──▶ possible
///                    └──────▶ failed ───────────────▶ possible
///     continuous  possible ──▶ began ──▶ changed … ──▶ ended or cancelled ──▶ possible
///
/// It is possible again when all fingers are lifted. One that recognises its gesture lets the others fail that were told
/// of the same touches, unless one of both says otherwise (``shouldRecognizeSimultaneously``).
///
/// For a gesture of your own, override what is told of touches and time, and say with ``move(to:)`` what you make of it.
///
/// - Threading: it belongs to the main actor.
@MainActor
open class GestureRecognizer {
  /// How far the gesture is.
  public enum State: Sendable {
    /// It may still become one.
    case possible
    /// It has been recognised and goes on.
    case began
    /// It goes on and has changed.
    case changed
    /// It is over.
    case ended
    /// It has been stopped.
    case cancelled
    /// The touches are another gesture, or none.
    case failed

    /// What a discrete gesture calls its end.
    public static var recognized: State { .ended }
  }

  /// How far the gesture is.
  public private(set) final var state = State.possible

  /// The view in which it is recognised.
  public internal(set) final weak var view: View?

  /// Tells whether it listens: a gesture that is under way is cancelled when this becomes false.
  public final var isEnabled = true {
    didSet { if !isEnabled { abandon() } }
  }

  /// Tells whether another gesture may be recognised of the same touches.
  public final var shouldRecognizeSimultaneously: @MainActor (GestureRecognizer) -> Bool = { _ in false }

  /// The fingers that are on the screen.
  public private(set) final var touches: [Touch] = []

  /// The middle of the fingers, the one that was lifted last included.
  public private(set) final var location = Touch.Point.zero

  /// What hears of it on behalf of a publisher.
  final var listener: (action: @MainActor (GestureRecognizer) -> Void, end: @MainActor () -> Void)?

  private struct Target {
    weak var target: AnyObject?
    let action: @MainActor (AnyObject, GestureRecognizer) -> Void
  }

  private var targets: [Target] = []
  private var requirements: [Reference] = []
  private var dependents: [Reference] = []
  private weak var touchedView: View?

  /// States that wait for others to fail.
  private var pending: [State] = []

  private struct Reference {
    weak var recognizer: GestureRecognizer?
  }

  /// Makes one that is possible.
  public init() {}

  // MARK: For users

  /// Has a target, which isn't kept, told of each state from `began` on.
  public final func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, GestureRecognizer) -> Void
  ) {
    // Safety: the action is called with the target that it was added with. (`GestureRecognizerTests`)
    targets.append(Target(target: target) { action(unsafeDowncast($0, to: T.self), $1) })
  }

  /// Has a target told no more.
  public final func removeTarget(_ target: AnyObject) {
    targets.removeAll { $0.target == nil || $0.target === target }
  }

  /// Recognises this gesture only when the other one has failed, for instance a tap when no second one has followed.
  ///
  /// It fails when the other is recognised.
  public final func require(toFail other: GestureRecognizer) {
    requirements.append(Reference(recognizer: other))
    other.dependents.append(Reference(recognizer: self))
  }

  // MARK: For gestures

  /// A finger has touched the view.
  open func touchBegan(_ touch: Touch) {}

  /// A finger has moved.
  open func touchMoved(_ touch: Touch) {}

  /// A finger was lifted.
  open func touchEnded(_ touch: Touch) {}

  /// The system has put an end to a touch.
  open func touchCancelled(_ touch: Touch) {
    move(to: isUnderWay ? .cancelled : .failed)
  }

  /// Time has passed.
  open func timePassed(to timestamp: Double) {}

  /// It is possible again: forget what was.
  open func reset() {}

  /// Tells whether a gesture that was recognised of the same touches lets this one fail.
  open func canBePrevented(by other: GestureRecognizer) -> Bool { true }

  /// Tells whether a gesture has begun that goes on: it may also wait for another to fail.
  public final var isUnderWay: Bool { state == .began || state == .changed || !pending.isEmpty }

  /// The gesture has come so far.
  ///
  /// What doesn't follow from the state is ignored. It waits for those that must fail before.
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

  // MARK: What happens

  /// How many taps it wants.
  var taps: Int { 0 }

  /// Tells whether it goes on without a finger.
  var isBetweenTouches: Bool { false }

  private var isListening: Bool { state == .possible || state == .began || state == .changed }

  /// Tells whether it may still come to something.
  private var isEngaged: Bool {
    state == .possible && (!touches.isEmpty || isBetweenTouches || !pending.isEmpty)
  }

  final func handle(_ touch: Touch, in view: View) {
    guard isEnabled, self.view != nil else { return }
    let known = touches.firstIndex { $0.finger == touch.finger }
    if touch.phase == .began {
      // What waits for another one to fail has all the touches that it needs.
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
    guard state == .possible, !requirements.contains(where: { $0.recognizer?.isEngaged == true }) else { return }
    let states = pending
    pending = []
    for state in states where isListening { enter(state) }
    settle()
  }

  private func enter(_ new: State) {
    let isFirst = state == .possible
    state = new
    if isFirst { takeTouches() }
    for target in targets {
      if let object = target.target { target.action(object, self) }
    }
    listener?.action(self)
  }

  /// The touches are this gesture's.
  private func takeTouches() {
    for dependent in dependents { dependent.recognizer?.move(to: .failed) }
    for other in touchedView?.recognizersInReach ?? [] where other !== self && other.isEngaged {
      if shouldRecognizeSimultaneously(other) || other.shouldRecognizeSimultaneously(self) { continue }
      if other.canBePrevented(by: self) { other.move(to: .failed) }
    }
  }

  /// Lets those go on that wait for this one to fail.
  private func giveWay() {
    settle()
    for dependent in dependents { dependent.recognizer?.recognize() }
  }

  private func settle() {
    if isListening || !touches.isEmpty { return }
    state = .possible
    reset()
  }

  private func abandon() {
    touches = []
    if isUnderWay { move(to: .cancelled) }
    pending = []
    state = .possible
    reset()
    for dependent in dependents { dependent.recognizer?.recognize() }
  }

  /// It was removed from its view.
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
