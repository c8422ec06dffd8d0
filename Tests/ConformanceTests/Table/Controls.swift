import Weir
import WeirControls
import WeirRx
import WeirTesting

@testable import TestSupport

extension Table {
  static let controls: [Row] = [
    .hot("TargetActionPublisher") {
      let bell = Bell()
      let publisher = TargetActionPublisher<Value> { listener in
        userCode("the closure that adds a listener")
        return bell.add(listener)
      } remove: { number in
        bell.remove(number)
        userCode("the closure that removes a listener")
      }
      return Hot(publisher, send: { number in bell.listeners.forEach { $0.send(number) } }) {
        bell.listeners.forEach { $0.finish() }
      }
    }
    .excusing("1.11", because: "each subscriber adds a listener of its own, which may still receive events"),
    .hot("ControlPublisher", "", [.deliversNested, .outlivesUpstream, .staysOnMainActor]) {
      let button = Button()
      return Hot(
        ControlPublisher(control: button, controlEvents: .touchUpInside).map { _ in Value(1) },
        send: { _ in MainActor.assumeIsolated { button.tap() } }, end: {})
    },
    .hot("ControlEvent", "", [.deliversNested, .staysOnMainActor]) {
      let button = Held(Button())
      return Hot(
        button.view?.rx.tap.map { _ in Value(1) }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in MainActor.assumeIsolated { button.view?.tap() } },
        end: { MainActor.assumeIsolated { button.end() } })
    },
    .hot("ControlProperty", "", [.deliversNested, .staysOnMainActor]) {
      let slider = Held(Slider())
      return Hot(
        slider.view?.rx.value.map { Value(Int($0)) }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in
          MainActor.assumeIsolated { if let view = slider.view { view.slide(to: view.value == 1 ? 0 : 1) } }
        }, end: { MainActor.assumeIsolated { slider.end() } })
    },
    .hot("GestureRecognizerPublisher", "", [.deliversNested, .staysOnMainActor]) {
      let view = Held(View())
      var time = 0.0
      return Hot(
        view.view?.publisher(for: .tap()).map { _ in Value(1) }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in
          time += 10
          let now = time
          MainActor.assumeIsolated { view.view?.touch(Touch(.began, at: now), Touch(.ended, at: now + 0.1)) }
        }, end: { MainActor.assumeIsolated { view.end() } })
    }
    .excusing("1.11", because: "of the recognisers of one touch one wins, as in UIKit")
    .excusing("C9", because: "a touch inside a touch is part of the same gesture")
    .excusing("C15", because: "a touch inside a touch is part of the same gesture")
    .excusing("C16", because: "a touch inside a touch is part of the same gesture"),
  ]
}

private final class Bell {
  typealias Listener = TargetActionPublisher<Value>.Listener

  // A cancellation removes a listener on its own thread, while another thread sends.
  private let state = Locked<(count: Int, listeners: [Int: Listener])>((0, [:]))

  var listeners: [Listener] { state.withLock { Array($0.listeners.values) } }

  func add(_ listener: Listener) -> Int {
    state.withLock { state in
      state.count += 1
      state.listeners[state.count] = listener
      return state.count
    }
  }

  func remove(_ number: Int) {
    let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }
}

/// Retains a view until the end of the test.
@MainActor
private final class Held<Kept: View> {
  private(set) var view: Kept?

  /// A `deinit` of a released object may read this property.
  func end() {
    let last = view
    view = nil
    withExtendedLifetime(last) {}
  }

  init(_ view: Kept) {
    self.view = view
  }
}
