import Weir

/// An element of the screen, which can have a superview and can be hidden.
///
/// - Threading: views are isolated to the main actor. Any thread may release one.
@MainActor
open class View {
  /// Whether the view and its subviews are hidden.
  open var isHidden = false

  /// The opacity, from 0 to 1.
  open var alpha = 1.0

  /// Whether touches reach the view and its subviews.
  open var isUserInteractionEnabled = true

  /// The view that contains this one.
  public private(set) weak var superview: View?

  /// The views in this one, the lowest first.
  public private(set) var subviews: [View] = []

  /// The recognizers for gestures in this view and its subviews, in the order of their addition.
  public internal(set) var gestureRecognizers: [GestureRecognizer] = []

  /// Creates a view without a superview.
  public init() {}

  deinit {
    if gestureRecognizers.isEmpty { return }
    // Any thread may release the last reference, but subscribers receive the finish on the main actor.
    let recognizers = gestureRecognizers
    onMainActor { for recognizer in recognizers { recognizer.viewHasGone() } }
  }

  /// Adds a view on top of the subviews, and removes it from its previous superview.
  ///
  /// - Precondition: this view is not a descendant of the other one.
  open func addSubview(_ view: View) {
    require(
      !isDescendant(of: view),
      "addSubview(_:) requires a view that doesn't contain this one. Call removeFromSuperview() first.")
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Removes this view from its superview.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// Whether this view is the other one or one of its descendants.
  public final func isDescendant(of view: View) -> Bool {
    self === view || superview?.isDescendant(of: view) == true
  }

  /// Whether touches reach the view: neither it nor a superview is hidden, transparent, or disabled for touches.
  open var isReachable: Bool {
    !isHidden && alpha > 0.01 && isUserInteractionEnabled && superview?.isReachable ?? true
  }
}
