import WeirControls

/// A target that records which of its methods run.
@MainActor
final class Target {
  private(set) var events: [String] = []

  func first() { events.append("first") }

  func second() { events.append("second") }

  func sender(_ button: Button) { events.append("sender \(button.title)") }

  func senderAndEvent(_ button: Button, event: Control.Event) { events.append("\(button.title) \(event)") }

  func note(_ event: String) { events.append(event) }
}

/// A target without actor isolation.
final class FreeTarget {
  private(set) var events: [String] = []

  func plain() { events.append("plain") }

  func sender(_ button: Button) { events.append("sender") }

  func senderAndEvent(_ button: Button, event: Control.Event) { events.append("\(event)") }
}

extension TargetActionSender {
  /// Makes a target record all events, with a value that is read from the control.
  func note(to target: Target, _ read: @escaping @MainActor (Self) -> String) {
    addTarget(target, action: { $0.note("\(read($1)) \($2)") }, named: "note", for: .allEvents)
  }
}
