extension Control {
  /// The events of a control, with UIKit's numbers.
  public struct Event: OptionSet, Hashable, Sendable {
    /// One bit for each event.
    public let rawValue: UInt

    /// Creates a set of events from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// A finger touches the control.
    public static let touchDown = Event(rawValue: 1 << 0)

    /// A finger touches the control again, soon after the previous touch.
    public static let touchDownRepeat = Event(rawValue: 1 << 1)

    /// A finger moves inside the control.
    public static let touchDragInside = Event(rawValue: 1 << 2)

    /// A finger that touched the control moves outside of it.
    public static let touchDragOutside = Event(rawValue: 1 << 3)

    /// A finger moves into the control.
    public static let touchDragEnter = Event(rawValue: 1 << 4)

    /// A finger moves out of the control.
    public static let touchDragExit = Event(rawValue: 1 << 5)

    /// A finger is lifted inside the control.
    public static let touchUpInside = Event(rawValue: 1 << 6)

    /// A finger that touched the control is lifted outside of it.
    public static let touchUpOutside = Event(rawValue: 1 << 7)

    /// The system cancels a touch.
    public static let touchCancel = Event(rawValue: 1 << 8)

    /// A person changes the value.
    public static let valueChanged = Event(rawValue: 1 << 12)

    /// A person triggers the primary action of the control.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)

    /// The control is about to show its menu.
    public static let menuActionTriggered = Event(rawValue: 1 << 14)

    /// A person enters a text field.
    public static let editingDidBegin = Event(rawValue: 1 << 16)

    /// A person changes the text of a text field.
    public static let editingChanged = Event(rawValue: 1 << 17)

    /// A person leaves a text field.
    public static let editingDidEnd = Event(rawValue: 1 << 18)

    /// A person is about to leave a text field by the Return key.
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)

    /// A person cancels a search in a search field; an event that only Weir has.
    public static let searchCancelled = Event(rawValue: 1 << 28)

    /// A row of a table view was selected; an event that only Weir has.
    public static let rowSelected = Event(rawValue: 1 << 29)

    /// A row of a table view was deselected; an event that only Weir has.
    public static let rowDeselected = Event(rawValue: 1 << 30)

    /// All touch events.
    public static let allTouchEvents = Event(rawValue: 0x0000_0FFF)

    /// All editing events of text fields.
    public static let allEditingEvents = Event(rawValue: 0x000F_0000)

    /// The range of events that is reserved for the application.
    public static let applicationReserved = Event(rawValue: 0x0F00_0000)

    /// The range of events that is reserved for Weir.
    public static let systemReserved = Event(rawValue: 0xF000_0000)

    /// All events, including those of the application.
    public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
  }
}

extension Control.Event: CustomStringConvertible {
  private static let names: [(Self, String)] = [
    (.touchDown, "touchDown"), (.touchDownRepeat, "touchDownRepeat"), (.touchDragInside, "touchDragInside"),
    (.touchDragOutside, "touchDragOutside"), (.touchDragEnter, "touchDragEnter"), (.touchDragExit, "touchDragExit"),
    (.touchUpInside, "touchUpInside"), (.touchUpOutside, "touchUpOutside"), (.touchCancel, "touchCancel"),
    (.valueChanged, "valueChanged"), (.primaryActionTriggered, "primaryActionTriggered"),
    (.menuActionTriggered, "menuActionTriggered"), (.editingDidBegin, "editingDidBegin"),
    (.editingChanged, "editingChanged"), (.editingDidEnd, "editingDidEnd"),
    (.editingDidEndOnExit, "editingDidEndOnExit"), (.searchCancelled, "searchCancelled"),
    (.rowSelected, "rowSelected"), (.rowDeselected, "rowDeselected"),
  ]

  /// The names of the events, such as `[touchDown, touchUpInside]`; events without a name as a number.
  public var description: String {
    let groups: [(Self, String)] = [
      (.allEvents, "allEvents"), (.allTouchEvents, "allTouchEvents"), (.allEditingEvents, "allEditingEvents"),
    ]
    var (rest, found) = (self, [String]())
    for (event, name) in groups + Self.names where rest.isSuperset(of: event) {
      rest.subtract(event)
      found.append(name)
    }
    if !rest.isEmpty { found.append("0x" + String(rest.rawValue, radix: 16)) }
    return "[" + found.joined(separator: ", ") + "]"
  }
}
