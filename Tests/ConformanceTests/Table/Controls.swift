import Weir
import WeirControls
import WeirRx
import WeirTesting

@testable import TestSupport

extension Table {
  static let controls: [Row] = [
    .hot("TargetActionPublisher") {
      let bell = Bell()
      let publisher = TargetActionPublisher<Int> { listener in
        userCode("the closure that adds a listener")
        bell.listeners.append(listener)
      } remove: { _ in
        userCode("the closure that removes a listener")
      }
      return Hot(publisher, send: { number in bell.listeners.forEach { $0.send(number) } }) {
        bell.listeners.forEach { $0.finish() }
      }
    },
    .hot("ControlPublisher", "", [.deliversNested, .outlivesUpstream, .staysOnMainActor]) {
      let button = Button()
      return Hot(
        ControlPublisher(control: button, controlEvents: .touchUpInside).map { _ in 1 },
        send: { _ in MainActor.assumeIsolated { button.tap() } }, end: {})
    },
    .hot("ControlEvent", "", [.deliversNested, .staysOnMainActor]) {
      let button = Held(Button())
      return Hot(
        button.view?.rx.tap.map { _ in 1 }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in MainActor.assumeIsolated { button.view?.tap() } },
        end: { MainActor.assumeIsolated { button.view = nil } })
    },
    .hot("ControlProperty", "", [.deliversNested, .staysOnMainActor]) {
      let slider = Held(Slider())
      return Hot(
        slider.view?.rx.value.map { Int($0) }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in
          MainActor.assumeIsolated { if let view = slider.view { view.slide(to: view.value == 1 ? 0 : 1) } }
        }, end: { MainActor.assumeIsolated { slider.view = nil } })
    },
    .hot("GestureRecognizerPublisher", "", [.deliversNested, .staysOnMainActor]) {
      let view = Held(View())
      var time = 0.0
      return Hot(
        view.view?.publisher(for: .tap()).map { _ in 1 }.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher(),
        send: { _ in
          time += 10
          let now = time
          MainActor.assumeIsolated { view.view?.touch(Touch(.began, at: now), Touch(.ended, at: now + 0.1)) }
        }, end: { MainActor.assumeIsolated { view.view = nil } })
    }
    .excusing("1.11", because: "of the recognisers of one touch one wins, as in UIKit")
    .excusing("C9", because: "a touch inside a touch is part of the same gesture"),
  ]
}

private final class Bell {
  var listeners: [TargetActionPublisher<Int>.Listener] = []
}

/// Keeps a view until it is to go.
@MainActor
private final class Held<Kept: View> {
  var view: Kept?

  init(_ view: Kept) {
    self.view = view
  }
}
