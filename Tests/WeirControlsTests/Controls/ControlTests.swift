import Testing
import WeirControls

@Suite("A control")
@MainActor
struct ControlTests {
  let button = Button(title: "OK")
  let target = Target()

  @Test("is enabled initially, and neither selected nor highlighted")
  func state() {
    #expect(button.isEnabled)
    #expect(!button.isSelected)
    #expect(!button.isHighlighted)
  }

  @Test("runs methods without parameters, with the control, or with the control and the event")
  func methods() {
    button.addTarget(target, action: Target.first, for: .touchUpInside)
    button.addTarget(target, action: Target.sender, for: .touchUpInside)
    button.addTarget(target, action: Target.senderAndEvent, for: .touchUpInside)

    button.sendActions(for: .touchUpInside)

    #expect(target.events == ["first", "sender OK", "OK [touchUpInside]"])
  }

  @Test("runs methods of a nonisolated target")
  func freeMethods() {
    let target = FreeTarget()
    button.addTarget(target, action: FreeTarget.plain, for: .touchUpInside)
    button.addTarget(target, action: FreeTarget.sender, for: .touchUpInside)
    button.addTarget(target, action: FreeTarget.senderAndEvent, for: .touchUpInside)
    button.addTarget(target, action: { $0.plain() }, for: .touchUpInside)

    button.sendActions(for: .touchUpInside)

    #expect(target.events == ["plain", "sender", "[touchUpInside]", "plain"])
  }

  @Test("runs closures with the target, or with the target, the control and the event")
  func closures() {
    button.addTarget(target, action: { $0.note("closure") }, for: .touchDown)
    button.addTarget(target, action: { $0.note("\($1.title) \($2)") }, for: .touchDown)

    button.sendActions(for: .touchDown)

    #expect(target.events == ["closure", "OK [touchDown]"])
  }

  @Test("takes closures of several statements, for a target of the main actor and another one")
  func longClosures() {
    let free = FreeTarget()
    button.addTarget(
      target,
      action: { target in
        target.first()
        target.second()
      }, for: .touchDown)
    button.addTarget(
      target,
      action: { (target: Target, button: Button) in
        target.first()
        target.sender(button)
      }, for: .touchDown)
    button.addTarget(
      free,
      action: { target in
        target.plain()
        target.plain()
      }, for: .touchDown)

    button.sendActions(for: .touchDown)

    #expect(target.events == ["first", "second", "first", "sender OK"])
    #expect(free.events == ["plain", "plain"])
  }

  @Test("runs the actions of an event only")
  func otherEvents() {
    button.addTarget(target, action: Target.first, for: .touchDown)
    button.addTarget(target, action: Target.second, for: .allTouchEvents)

    button.sendActions(for: .touchUpInside)
    button.sendActions(for: .valueChanged)

    #expect(target.events == ["second"])
  }

  @Test("runs an action once for several events of one call, and passes those that it was added for")
  func severalEvents() {
    button.addTarget(target, action: Target.senderAndEvent, for: [.touchDown, .touchUpInside])

    button.sendActions(for: [.touchDown, .touchUpInside, .valueChanged])

    #expect(target.events == ["OK [touchDown, touchUpInside]"])
  }

  @Test("runs actions in the order of their addition, for all targets")
  func order() {
    let other = Target()
    var log: [String] = []
    for (name, target) in [("a", target), ("b", other), ("c", target), ("d", other)] {
      button.addTarget(target, action: { _ in log.append(name) }, named: name, for: .touchDown)
    }

    button.sendActions(for: .touchDown)

    #expect(log == ["a", "b", "c", "d"])
  }

  @Test("runs an action that was added twice once, for both events and at its first position")
  func samePair() {
    button.addTarget(target, action: Target.first, named: "first", for: .touchDown)
    button.addTarget(target, action: Target.second, named: "second", for: .allEvents)
    button.addTarget(target, action: Target.first, named: "first", for: .touchDown)
    button.addTarget(target, action: Target.first, named: "first", for: .touchUpInside)

    button.sendActions(for: .touchDown)
    button.sendActions(for: .touchUpInside)

    #expect(target.events == ["first", "second", "first", "second"])
  }

  @Test("identifies the actions of setup code that runs twice")
  func samePlace() {
    for _ in 1...2 {
      button.addTarget(target, action: Target.first, for: .touchDown)
      button.addTarget(target, action: Target.second, for: .touchDown)
    }

    button.sendActions(for: .touchDown)

    #expect(target.events == ["first", "second"])
  }

  @Test("runs the last function that was added with a name")
  func lastFunction() {
    button.addTarget(target, action: Target.first, named: "save", for: .touchDown)
    button.addTarget(target, action: Target.second, named: "save", for: .touchDown)

    button.sendActions(for: .touchDown)

    #expect(target.events == ["second"])
  }

  @Test("runs the same action of two targets for both")
  func twoTargets() {
    let other = Target()
    for target in [target, other] { button.addTarget(target, action: Target.first, for: .touchDown) }

    button.sendActions(for: .touchDown)

    #expect(target.events == ["first"])
    #expect(other.events == ["first"])
  }

  @Test("holds a target weakly, and removes its actions when it is deallocated")
  func weakTarget() {
    var gone: Target? = Target()
    weak let weakGone = gone
    button.addTarget(Target(), action: Target.first, for: .touchDown)
    if let gone { button.addTarget(gone, action: Target.first, named: "gone", for: .touchDown) }
    button.addTarget(target, action: Target.first, for: .touchUpInside)
    gone = nil

    #expect(weakGone == nil)
    #expect(button.allTargets.map(ObjectIdentifier.init) == [ObjectIdentifier(target)])
    #expect(button.allControlEvents == .touchUpInside)
    #expect(button.actions(forTarget: nil, forControlEvent: .touchDown) == nil)
    button.sendActions(for: .allEvents)
    #expect(target.events == ["first"])
  }

  @Test("releases the captures of a deallocated target's closure at the next event or addition")
  func releaseOfClosures() {
    for adds in [false, true] {
      var held: Target? = Target()
      weak let weakHeld = held
      button.addTarget(Target(), action: { [held] _ in held?.first() }, named: "gone", for: .touchDown)
      held = nil
      #expect(weakHeld != nil)
      if adds {
        button.addTarget(target, action: Target.first, for: .touchDown)
      } else {
        button.sendActions(for: .touchDown)
      }
      #expect(weakHeld == nil)
    }
  }

  @Test("doesn't run an action for an event that it was removed from")
  func removal() {
    button.addTarget(target, action: Target.first, named: "first", for: [.touchDown, .touchUpInside])
    button.addTarget(target, action: Target.second, named: "second", for: [.touchDown, .touchUpInside])

    button.removeTarget(target, action: "first", for: .touchDown)
    button.sendActions(for: .touchDown)
    button.sendActions(for: .touchUpInside)
    #expect(target.events == ["second", "first", "second"])

    button.removeTarget(target, action: nil, for: .touchUpInside)
    #expect(button.actions(forTarget: target, forControlEvent: .touchUpInside) == nil)
    #expect(button.actions(forTarget: target, forControlEvent: .touchDown) == ["second"])

    button.removeTarget(nil, action: nil, for: .allEvents)
    #expect(button.allTargets.isEmpty)
    #expect(button.allControlEvents == [])
  }

  @Test("removes the actions of one target, not those of another")
  func removalOfOneTarget() {
    let other = Target()
    for target in [target, other] {
      button.addTarget(target, action: Target.first, named: "first", for: .touchDown)
    }

    button.removeTarget(other, action: "first", for: .allEvents)
    button.sendActions(for: .touchDown)

    #expect(target.events == ["first"])
    #expect(other.events == [])
  }

  @Test("names the actions of a target")
  func names() {
    let other = Target()
    button.addTarget(target, action: Target.first, named: "first", for: .touchDown)
    button.addTarget(target, action: Target.second, for: .touchDown)
    button.addTarget(other, action: Target.second, named: "other", for: .touchDown)

    let names = button.actions(forTarget: target, forControlEvent: .touchDown) ?? []
    #expect(names.count == 2)
    #expect(names.first == "first")
    #expect(names.last?.hasPrefix("WeirControlsTests/ControlTests.swift:") == true)
    #expect(button.actions(forTarget: nil, forControlEvent: .touchDown)?.count == 3)
    #expect(button.actions(forTarget: target, forControlEvent: .touchUpInside) == nil)
    #expect(button.allTargets.count == 2)
  }

  @Test("doesn't run an action that was removed during the dispatch before its turn")
  func removalDuringDispatch() {
    let other = Target()
    button.addTarget(target, action: { $0.note("before") }, named: "before", for: .touchDown)
    button.addTarget(
      target,
      action: { target, button, _ in
        target.note("removes")
        button.removeTarget(target, action: nil, for: .allEvents)
      }, named: "removes", for: .touchDown)
    button.addTarget(target, action: Target.first, for: .touchDown)
    button.addTarget(other, action: Target.second, for: .touchDown)

    button.sendActions(for: .touchDown)
    button.sendActions(for: .touchDown)

    #expect(target.events == ["before", "removes"])
    #expect(other.events == ["second", "second"])
  }

  @Test("runs an action that was added during the dispatch from the next time on")
  func additionDuringDispatch() {
    button.addTarget(
      target,
      action: { target, button, _ in
        target.note("adds")
        button.addTarget(target, action: Target.first, for: .touchDown)
      }, for: .touchDown)

    button.sendActions(for: .touchDown)
    #expect(target.events == ["adds"])
    button.sendActions(for: .touchDown)
    #expect(target.events == ["adds", "adds", "first"])
  }

  @Test("tolerates any change during the dispatch")
  func upheavalDuringDispatch() {
    let others = (0..<50).map { _ in Target() }
    for (index, other) in others.enumerated() {
      button.addTarget(other, action: Target.first, named: "\(index)", for: .touchDown)
    }
    button.addTarget(
      target,
      action: { target, button, _ in
        target.note("changes")
        for (index, other) in others.enumerated() {
          button.removeTarget(other, action: nil, for: .allEvents)
          if index % 2 == 0 { button.addTarget(other, action: Target.second, named: "again", for: .touchDown) }
        }
      }, for: .touchDown)
    button.addTarget(target, action: { $0.note("last") }, for: .touchDown)

    button.sendActions(for: .touchDown)
    #expect(others.allSatisfy { $0.events == ["first"] })
    #expect(target.events == ["changes", "last"])

    button.sendActions(for: .touchDown)
    #expect(others.allSatisfy { $0.events == ["first"] })
    button.removeTarget(target, action: nil, for: .allEvents)
    button.sendActions(for: .touchDown)
    #expect(others.enumerated().allSatisfy { $1.events == ($0 % 2 == 0 ? ["first", "second"] : ["first"]) })
  }

  @Test("sends re-entrant events immediately")
  func nestedDispatch() {
    button.addTarget(
      target,
      action: { target, button, _ in
        target.note("begins")
        button.sendActions(for: .touchUpInside)
        target.note("ends")
      }, for: .touchDown)
    button.addTarget(target, action: Target.first, for: .touchUpInside)
    button.addTarget(target, action: Target.second, for: .touchDown)

    button.sendActions(for: .touchDown)

    #expect(target.events == ["begins", "first", "ends", "second"])
  }

  @Test("may be deallocated during its own action")
  func releaseDuringDispatch() {
    var control: Button? = Button()
    weak let weakControl = control
    control?.addTarget(target, action: { _ in control = nil }, named: "1", for: .touchDown)
    control?.addTarget(target, action: Target.second, named: "2", for: .touchDown)

    control?.sendActions(for: .touchDown)

    #expect(target.events == ["second"])
    #expect(weakControl == nil)
  }

  @Test("sends actions of the application while it is disabled")
  func disabled() {
    button.isEnabled = false
    button.addTarget(target, action: Target.first, for: .touchUpInside)

    button.sendActions(for: .touchUpInside)

    #expect(target.events == ["first"])
  }

  @Test("passes a user's own control to actions with its own type")
  func ownControl() {
    let dial = Dial()
    dial.addTarget(target, action: { $0.note("\($1.value) \($2)") }, for: .valueChanged)

    dial.turn(to: 0.5)

    #expect(target.events == ["0.5 [valueChanged]"])
  }
}

/// A control as in user code.
final class Dial: Control {
  private(set) var value = 0.0

  func turn(to value: Double) {
    guard isEnabled else { return }
    self.value = value
    sendActions(for: .valueChanged)
  }

  func set(_ value: Double) { self.value = value }
}
