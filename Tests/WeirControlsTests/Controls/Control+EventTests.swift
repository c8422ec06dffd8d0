import Testing
import WeirControls

@Suite("Control events")
struct ControlEventsTests {
  typealias Event = Control.Event

  @Test("have UIKit's numbers")
  func numbers() {
    let events: [(Event, UInt)] = [
      (.touchDown, 1), (.touchDownRepeat, 2), (.touchDragInside, 4), (.touchDragOutside, 8), (.touchDragEnter, 16),
      (.touchDragExit, 32), (.touchUpInside, 64), (.touchUpOutside, 128), (.touchCancel, 256), (.valueChanged, 4096),
      (.primaryActionTriggered, 8192), (.menuActionTriggered, 16384), (.editingDidBegin, 65536),
      (.editingChanged, 131_072), (.editingDidEnd, 262_144), (.editingDidEndOnExit, 524_288),
      (.allTouchEvents, 0xFFF), (.allEditingEvents, 0xF0000), (.applicationReserved, 0x0F00_0000),
      (.systemReserved, 0xF000_0000), (.allEvents, 0xFFFF_FFFF),
    ]
    for (event, number) in events { #expect(event.rawValue == number) }
  }

  @Test("belong to one group each")
  func groups() {
    let touches: Event = [
      .touchDown, .touchDownRepeat, .touchDragInside, .touchDragOutside, .touchDragEnter, .touchDragExit,
      .touchUpInside, .touchUpOutside, .touchCancel,
    ]
    let editing: Event = [.editingDidBegin, .editingChanged, .editingDidEnd, .editingDidEndOnExit]

    #expect(Event.allTouchEvents.isSuperset(of: touches))
    #expect(Event.allEditingEvents == editing)
    #expect(Event.allTouchEvents.isDisjoint(with: .allEditingEvents))
    #expect(Event.allEvents.isSuperset(of: [touches, editing, .valueChanged, .primaryActionTriggered]))
  }

  @Test("print their names")
  func description() {
    #expect("\(Event.touchUpInside)" == "[touchUpInside]")
    #expect("\([Event.editingChanged, .touchDown] as Event)" == "[touchDown, editingChanged]")
    #expect("\([Event.allTouchEvents, .valueChanged] as Event)" == "[allTouchEvents, valueChanged]")
    #expect("\(Event.allEvents)" == "[allEvents]")
    #expect("\([Event.touchDown, Event(rawValue: 0x0100_0000)] as Event)" == "[touchDown, 0x1000000]")
    #expect("\([] as Event)" == "[]")
  }
}
