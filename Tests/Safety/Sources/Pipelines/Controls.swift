// The table of the publishers of controls: an event handler sends events, cancels, requests and subscribes.

import Weir
import WeirControls
import WeirRx

/// A control that carries the token of its latest event.
private final class TokenControl: Control {
  var token: Token?

  func receive(_ token: Token) {
    self.token = token
    sendActions(for: .valueChanged)
  }
}

/// The source of a target-action publisher.
private final class Bell {
  var listeners: [Int: TargetActionPublisher<Token>.Listener] = [:]

  private var count = 0

  func add(_ listener: TargetActionPublisher<Token>.Listener) -> Int {
    count += 1
    listeners[count] = listener
    return count
  }

  func ring(_ token: Token) {
    for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) { listener.send(token) }
  }
}

extension Entry {
  /// Creates the entry of a publisher of a control, on the main actor.
  fileprivate init<Output>(
    control name: String, _ traits: Traits = [],
    _ make: @escaping @MainActor (TokenControl, Hook) -> AnyPublisher<Output, Never>
  ) {
    self.init(name, [.closure], deeds: Deed.endless, traits) { (hook: Hook) in
      // Safety: this program has one thread, the main one.
      nonisolated(unsafe) let hook = hook
      nonisolated(unsafe) var stage: Stage?
      MainActor.assumeIsolated {
        let control = TokenControl()
        stage = Stage(
          publisher: shown(make(control, hook)),
          send: { token in
            nonisolated(unsafe) let token = token
            MainActor.assumeIsolated { control.receive(token) }
          })
      }
      guard let stage else { fatalError("no stage") }
      return stage
    }
  }
}

package var controls: [Entry] {
  [
    Entry(control: "ControlPublisher", .passesSubscriptionOn) { control, hook in
      control.publisher(for: .valueChanged).map { _ in
        hook.reach(.closure)
        return 1
      }.eraseToAnyPublisher()
    },
    Entry(control: "ControlEvent", .passesSubscriptionOn) { control, hook in
      control.rx.controlEvent(.valueChanged).map { _ in
        hook.reach(.closure)
        return 1
      }.eraseToAnyPublisher()
    },
    Entry(control: "ControlProperty", .isUnordered) { control, hook in
      let property: ControlProperty<Int> = control.rx.controlProperty(editingEvents: .valueChanged) { control in
        let number = control.token?.number ?? 0
        hook.reach(.closure)
        return number
      } setter: { _, _ in
      }
      return property.eraseToAnyPublisher()
    },
    Entry("TargetActionPublisher", [.closure, .cancel], deeds: Deed.endless) { (hook: Hook) in
      let bell = Bell()
      let publisher = TargetActionPublisher<Token> { listener in
        hook.reach(.closure)
        return bell.add(listener)
      } remove: { (number: Int) in
        bell.listeners[number] = nil
        hook.reach(.cancel)
      }
      return Stage(publisher: shown(publisher.eraseToAnyPublisher()), send: { bell.ring($0) })
    },
  ]
}
