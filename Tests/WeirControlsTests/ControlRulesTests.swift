import Foundation
import Testing
import Weir
import WeirControls

@testable import TestSupport

/// A publisher of a control or view, and actions on that.
///
/// Values are compared as texts, so that all publishers fit in one table.
struct ControlCase: CustomTestStringConvertible, Sendable {
  let name: String

  /// Whether it sends an initial value.
  let isProperty: Bool

  let make: @MainActor () -> Made

  struct Made {
    let view: View
    let publisher: AnyPublisher<String, Never>

    /// Simulates the user action that the publisher observes.
    let act: @MainActor () -> Void
  }

  var testDescription: String { name }

  init<V: View, P: Publisher<Value, Never>, Value>(
    _ name: String, property: Bool, _ make: @escaping @MainActor () -> V, _ publisher: @escaping @MainActor (V) -> P,
    act: @escaping @MainActor (V) -> Void
  ) {
    self.name = name
    isProperty = property
    self.make = {
      let view = make()
      let publisher = publisher(view).map { (value: Value) -> String in "\(value)" }.eraseToAnyPublisher()
      return Made(view: view, publisher: publisher) { [weak view] in
        if let view { act(view) }
      }
    }
  }

  static func property<V: View, P: Publisher<Value, Never>, Value>(
    _ name: String, _ make: @autoclosure @escaping @MainActor () -> V,
    _ publisher: @escaping @MainActor (V) -> P, act: @escaping @MainActor (V) -> Void
  ) -> Self { Self(name, property: true, make, publisher, act: act) }

  static func event<V: View, P: Publisher<Value, Never>, Value>(
    _ name: String, _ make: @autoclosure @escaping @MainActor () -> V,
    _ publisher: @escaping @MainActor (V) -> P, act: @escaping @MainActor (V) -> Void
  ) -> Self { Self(name, property: false, make, publisher, act: act) }

  static let all: [ControlCase] = properties + events + gestures

  private static let properties: [ControlCase] = [
    .property("textField.rx.text", TextField(text: "a"), { $0.rx.text }, act: { $0.type("b") }),
    .property("textField.rx.text.orEmpty", TextField(), { $0.rx.text.orEmpty }, act: { $0.type("b") }),
    .property("textField.textPublisher", TextField(), { $0.textPublisher }, act: { $0.type("b") }),
    .property("textView.rx.text", TextView(), { $0.rx.text }, act: { $0.pressReturn() }),
    .property("textView.textPublisher", TextView(), { $0.textPublisher }, act: { $0.type("b") }),
    .property("searchField.rx.text", SearchField(), { $0.rx.text }, act: { $0.type("b") }),
    .property("toggle.rx.isOn", Switch(), { $0.rx.isOn }, act: { $0.flip() }),
    .property("toggle.isOnPublisher", Switch(), { $0.isOnPublisher }, act: { $0.flip() }),
    .property("slider.rx.value", Slider(), { $0.rx.value }, act: { $0.slide(to: $0.value == 1 ? 0 : 1) }),
    .property("slider.valuePublisher", Slider(), { $0.valuePublisher }, act: { $0.slide(to: $0.value == 1 ? 0 : 1) }),
    .property("stepper.rx.value", Stepper(), { $0.rx.value }, act: { $0.increment() }),
    .property("stepper.valuePublisher", Stepper(), { $0.valuePublisher }, act: { $0.increment() }),
    .property(
      "segmented.rx.selectedSegmentIndex", SegmentedControl(titles: ["a", "b"]), { $0.rx.selectedSegmentIndex },
      act: { $0.select($0.selectedSegmentIndex == 0 ? 1 : 0) }),
    .property(
      "segmented.rx.value", SegmentedControl(titles: ["a", "b"]), { $0.rx.value },
      act: { $0.select($0.selectedSegmentIndex == 0 ? 1 : 0) }),
    .property(
      "segmented.selectedSegmentIndexPublisher", SegmentedControl(titles: ["a", "b"]),
      { $0.selectedSegmentIndexPublisher }, act: { $0.select($0.selectedSegmentIndex == 0 ? 1 : 0) }),
    .property("picker.rx.date", DatePicker(), { $0.rx.date }, act: { $0.pick($0.date.addingTimeInterval(1)) }),
    .property(
      "picker.datePublisher", DatePicker(), { $0.datePublisher }, act: { $0.pick($0.date.addingTimeInterval(1)) }),
    .property(
      "pages.rx.currentPage", PageControl(numberOfPages: 99), { $0.rx.currentPage }, act: { $0.turnForward() }),
    .property(
      "pages.currentPagePublisher", PageControl(numberOfPages: 99), { $0.currentPagePublisher },
      act: { $0.turnForward() }),
    .property(
      "slider.rx.value.map", Slider(), { $0.rx.value.map(get: { Int($0 * 9) }, set: { Float($0) / 9 }) },
      act: { $0.slide(to: $0.value == 1 ? 0 : 1) }),
  ]

  private static let row = IndexPath(row: 1, section: 0)

  private static let events: [ControlCase] = [
    .event("button.rx.tap", Button(), { $0.rx.tap }, act: { $0.tap() }),
    .event("button.tapPublisher", Button(), { $0.tapPublisher }, act: { $0.tap() }),
    .event("control.rx.controlEvent", Button(), { $0.rx.controlEvent(.touchDown) }, act: { $0.tap() }),
    .event("toggle.rx.isOn.changed", Switch(), { $0.rx.isOn.changed }, act: { $0.flip() }),
    .event(
      "textField.didBeginEditing", TextField(), { $0.didBeginEditingPublisher },
      act: {
        $0.beginEditing()
        $0.endEditing()
      }),
    .event("textField.didEndEditing", TextField(), { $0.didEndEditingPublisher }, act: { $0.pressReturn() }),
    .event("textField.returnPublisher", TextField(), { $0.returnPublisher }, act: { $0.pressReturn() }),
    .event("searchField.search", SearchField(), { $0.searchButtonClickedPublisher }, act: { $0.search() }),
    .event("searchField.cancel", SearchField(), { $0.cancelButtonClickedPublisher }, act: { $0.cancelSearch() }),
    .event("table.rx.itemSelected", TableView(rows: 2), { $0.rx.itemSelected }, act: { $0.tapRow(at: row) }),
    .event(
      "table.didSelectRowPublisher", TableView(rows: 2), { $0.didSelectRowPublisher }, act: { $0.tapRow(at: row) }),
    .event(
      "table.rx.itemDeselected", TableView(rows: 2), { $0.rx.itemDeselected },
      act: {
        $0.allowsMultipleSelection = true
        $0.selectRow(at: row)
        $0.tapRow(at: row)
      }),
    .event(
      "table.didDeselectRowPublisher", TableView(rows: 2), { $0.didDeselectRowPublisher },
      act: {
        $0.allowsMultipleSelection = true
        $0.selectRow(at: row)
        $0.tapRow(at: row)
      }),
  ]

  @MainActor
  private static func press(_ view: View) {
    view.touch(Touch(.began, at: 0), Touch(.ended, at: 0.1))
    view.touch(Touch(.began, at: 0.2), Touch(.ended, at: 0.3))
    view.wait(until: 9)
  }

  private static let gestures: [ControlCase] = [
    .event("view.publisher(for: .tap(count: 2))", View(), { $0.publisher(for: .tap(count: 2)) }, act: press),
    .event("view.rx.tapGesture", View(), { $0.rx.tapGesture(count: 2) }, act: press),
    .event(
      "view.publisher(for: .longPress())", View(), { $0.publisher(for: .longPress()).when(.began) },
      act: { $0.touch(Touch(.began, at: 0), Touch(.stationary, at: 1), Touch(.ended, at: 2)) }),
    .event(
      "view.publisher(for: .pan())", View(), { $0.publisher(for: .pan()).when(.began) },
      act: { $0.touch(Touch(.began, at: 0), Touch(.moved, x: 99, at: 1), Touch(.ended, at: 2)) }),
    .event(
      "view.publisher(for: .swipe())", View(), { $0.publisher(for: .swipe()) },
      act: { $0.touch(Touch(.began, at: 0), Touch(.moved, x: 99, at: 0.1), Touch(.ended, at: 0.2)) }),
    .event(
      "view.publisher(for: .pinch())", View(), { $0.publisher(for: .pinch()).when(.began) },
      act: {
        $0.touch(Touch(.began, at: 0), Touch(.began, x: 9, finger: 1, at: 0), Touch(.moved, x: 99, finger: 1, at: 1))
        $0.touch(Touch(.ended, at: 2), Touch(.ended, finger: 1, at: 2))
      }),
    .event(
      "view.publisher(for: .rotation())", View(), { $0.publisher(for: .rotation()).when(.began) },
      act: {
        $0.touch(Touch(.began, at: 0), Touch(.began, x: 9, finger: 1, at: 0), Touch(.moved, y: 9, finger: 1, at: 1))
        $0.touch(Touch(.ended, at: 2), Touch(.ended, finger: 1, at: 2))
      }),
  ]
}

@Suite("Every publisher of a control or view")
@MainActor
struct ControlRulesTests {
  @Test("respects demand", arguments: ControlCase.all)
  func demand(_ control: ControlCase) {
    let made = control.make()
    let recorder = made.publisher.record()
    for _ in 0..<3 { made.act() }
    #expect(recorder.events == [.subscription])

    recorder.request(.max(1))
    #expect(recorder.values.count == (control.isProperty ? 1 : 0))
    for _ in 0..<3 { made.act() }
    #expect(recorder.values.count == 1)

    recorder.onValue = { _ in .max(1) }
    recorder.request(.max(1))
    for _ in 0..<3 { made.act() }
    // A property first delivers its current value.
    #expect(recorder.values.count == (control.isProperty ? 5 : 4))
  }

  @Test("a property sends the current value once, and other publishers no initial value", arguments: ControlCase.all)
  func initialValue(_ control: ControlCase) {
    let made = control.make()
    let recorder = made.publisher.record(demanding: .max(1))
    recorder.request(.max(1))
    recorder.request(.unlimited)
    #expect(recorder.values.count == (control.isProperty ? 1 : 0))
    made.act()
    #expect(recorder.values.count == (control.isProperty ? 2 : 1))
    #expect(recorder.events.count == recorder.values.count + 1)
  }

  @Test("serves each subscriber independently", arguments: ControlCase.all)
  func subscribers(_ control: ControlCase) {
    let made = control.make()
    for recognizer in made.view.gestureRecognizers { recognizer.shouldRecognizeSimultaneously = { _ in true } }
    let (first, second) = (made.publisher.record(demanding: .unlimited), made.publisher.record())
    for recognizer in made.view.gestureRecognizers { recognizer.shouldRecognizeSimultaneously = { _ in true } }
    made.act()
    #expect(first.values.count == (control.isProperty ? 2 : 1))
    #expect(second.values == [])
  }

  @Test("removes its target at cancellation, and sends no event afterwards", arguments: ControlCase.all)
  func cancel(_ control: ControlCase) {
    let made = control.make()
    let recorder = made.publisher.record(demanding: .unlimited)
    #expect(targets(of: made.view) == 1)
    made.act()
    let events = recorder.events
    recorder.cancel()
    recorder.cancel()
    #expect(targets(of: made.view) == 0)
    made.act()
    recorder.request(.max(1))
    #expect(recorder.events == events)
  }

  @Test("finishes when the control is deallocated, which it doesn't retain", arguments: ControlCase.all)
  func end(_ control: ControlCase) {
    var made: ControlCase.Made? = control.make()
    weak let view = made?.view
    let publisher = made?.publisher
    let idle = publisher?.record()
    let recorder = publisher?.record(demanding: .unlimited)
    made = nil

    #expect(view == nil)
    #expect(idle?.events == [.subscription, .finished])
    #expect(recorder?.events.last == .finished)
    #expect(publisher?.record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("retains no object after a cancellation or completion", arguments: ControlCase.all)
  func lifetime(_ control: ControlCase) {
    for cancels in [true, false] {
      var made: ControlCase.Made? = control.make()
      var kept: (any Subscription)?
      weak var remains: Token?
      do {
        let token = Token()
        remains = token
        let recorder = Recorder<String, Never>(demanding: .unlimited)
        recorder.onValue = { _ in withExtendedLifetime(token) { .none } }
        made?.publisher.subscribe(recorder)
        kept = recorder.subscription
        made?.act()
      }
      #expect(remains != nil)
      if cancels { kept?.cancel() } else { made = nil }
      #expect(remains == nil, "after the \(cancels ? "cancel" : "end")")
      withExtendedLifetime((made, kept)) {}
    }
  }

  @Test("ignores user actions while the control is unreachable", arguments: ControlCase.all)
  func reach(_ control: ControlCase) {
    let made = control.make()
    let screen = View()
    screen.addSubview(made.view)
    let recorder = made.publisher.record(demanding: .unlimited)
    let events = recorder.events
    screen.isHidden = true
    made.act()
    screen.isHidden = false
    (made.view as? Control)?.isEnabled = false
    if made.view is Control { made.act() }
    #expect(recorder.events == events)
  }

  private func targets(of view: View) -> Int {
    (view as? Control)?.allTargets.count ?? view.gestureRecognizers.count
  }
}
