import Weir

/// Something on the screen: it may lie in another view, and may be hidden.
///
/// - Threading: views belong to the main actor. One may be let go of anywhere.
@MainActor
open class View {
  /// Tells whether it is left out, with all that lies in it.
  open var isHidden = false

  /// How opaque it is, from 0 to 1.
  open var alpha = 1.0

  /// Tells whether a person's touches reach it and what lies in it.
  open var isUserInteractionEnabled = true

  /// The view in which it lies.
  public private(set) weak var superview: View?

  /// What lies in it, the lowest first.
  public private(set) var subviews: [View] = []

  /// The gestures that are recognised in it and in what lies in it, in the order in which they were added.
  public internal(set) var gestureRecognizers: [GestureRecognizer] = []

  /// Makes a view without a superview.
  public init() {}

  deinit {
    if gestureRecognizers.isEmpty { return }
    // Whoever has the last reference need not be on the main actor, but subscribers hear from it there.
    let recognizers = gestureRecognizers
    onMainActor { for recognizer in recognizers { recognizer.viewHasGone() } }
  }

  /// Lays a view on top of what lies in this one, and takes it from where it was.
  ///
  /// - Precondition: this view doesn't lie in the other one.
  open func addSubview(_ view: View) {
    require(!isDescendant(of: view), "A view can't lie in itself: remove it from its superview first.")
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Takes this view out of its superview.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// Tells whether this view is the other one or lies in it, however deep.
  public final func isDescendant(of view: View) -> Bool {
    self === view || superview?.isDescendant(of: view) == true
  }

  /// Tells whether a person's touches reach it: neither it nor a view around it is hidden, transparent, or shut off.
  open var isReachable: Bool {
    !isHidden && alpha > 0.01 && isUserInteractionEnabled && superview?.isReachable ?? true
  }
}
