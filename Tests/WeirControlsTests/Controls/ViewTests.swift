import Testing
import WeirControls

@Suite("A view")
@MainActor
struct ViewTests {
  let screen = View()
  let panel = View()
  let button = Button()
  let target = Target()

  init() {
    screen.addSubview(panel)
    panel.addSubview(button)
    button.addTarget(target, action: Target.first, for: .touchUpInside)
  }

  @Test("has one superview at a time")
  func hierarchy() {
    #expect(button.superview === panel)
    #expect(button.isDescendant(of: screen) && button.isDescendant(of: button) && !screen.isDescendant(of: button))

    screen.addSubview(button)
    #expect(panel.subviews.isEmpty)
    #expect(screen.subviews.map(ObjectIdentifier.init) == [panel, button].map(ObjectIdentifier.init))

    screen.addSubview(panel)
    #expect(screen.subviews.map(ObjectIdentifier.init) == [button, panel].map(ObjectIdentifier.init))

    button.removeFromSuperview()
    #expect(button.superview == nil && screen.subviews.count == 1)
  }

  @Test("retains its subviews, which don't retain it")
  func lifetime() {
    weak var inner: View?
    var outer: View? = View()
    weak let weakOuter = outer
    do {
      let view = View()
      outer?.addSubview(view)
      inner = view
    }
    #expect(inner != nil)
    outer = nil
    #expect(inner == nil && weakOuter == nil)
  }

  @Test("can't contain itself")
  func circle() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let (outer, inner) = (View(), View())
      outer.addSubview(inner)
      inner.addSubview(outer)
    }
  }

  @Test("blocks user actions on its controls while it is hidden, transparent or disabled for touches")
  func reach() {
    let changes: [(View) -> Void] = [
      { $0.isHidden = true }, { $0.alpha = 0 }, { $0.isUserInteractionEnabled = false },
    ]
    for change in changes {
      for view in [screen, panel, button] {
        change(view)
        button.tap()
        #expect(target.events == [] && !button.isReachable)
        (view.isHidden, view.alpha, view.isUserInteractionEnabled) = (false, 1, true)
      }
    }
    button.tap()
    #expect(target.events == ["first"])
  }
}
