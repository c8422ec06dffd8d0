import Weir
import WeirControls
import WeirRx
import WeirTesting

extension Catalogue {
  static let controls = Family("Controls") {
    Diagram("ControlPublisher", "slider.publisher(for: .valueChanged)", in: "func publisher(for controlEvents") {
      stage in
      let slider = Slider(in: 0...9)
      stage.keep(slider)
      try stage.send("-1-2-3", as: "slide to") { slider.slide(to: Float($0) ?? 0) }
      let changes = slider.publisher(for: .valueChanged)
      try stage.subscribe(to: changes.map { Int($0.value) }, as: "slider.publisher(for: .valueChanged)", demand: "2")
    }
    Diagram("ControlEvent", "button.rx.controlEvent(.touchUpInside)", in: "struct ControlEvent") { stage in
      let button = Button()
      stage.keep(button)
      try stage.send("-t-t", as: "tap") { _ in button.tap() }
      let taps = button.rx.controlEvent(.touchUpInside)
      try stage.subscribe(to: taps.map { "t" }, as: "button.rx.controlEvent(.touchUpInside)")
    }
    Diagram("ControlProperty", "slider.rx.value", in: "struct ControlProperty") { stage in
      let slider = Slider(in: 0...9)
      stage.keep(slider)
      try stage.send("-1-2-3", as: "slide to") { slider.slide(to: Float($0) ?? 0) }
      let value = slider.rx.value
      try stage.subscribe(to: value.map { Int($0) }, as: "slider.rx.value")
      try stage.subscribe(to: value.changed.map { Int($0) }, as: "changed")
    }
    Diagram("ControlProperty.map", "value.map(get: { Int($0) * 10 }, set: { Float($0 / 10) })") { stage in
      let slider = Slider(in: 0...9)
      stage.keep(slider)
      try stage.send("-1-2-3", as: "slide to") { slider.slide(to: Float($0) ?? 0) }
      let value = slider.rx.value
      try stage.subscribe(
        to: value.map(get: { Int($0) * 10 }, set: { Float($0 / 10) }),
        as: "value.map(get: { Int($0) * 10 }, set: { Float($0 / 10) })")
    }
    Diagram("TargetActionPublisher", "TargetActionPublisher(add: start, remove: stop)") { stage in
      let source = CallbackSource()
      try stage.send("-1-2-3-|", as: "callback", end: { source.listener?.finish() }) {
        source.listener?.send(Int($0) ?? 0)
      }
      func start(_ listener: TargetActionPublisher<Int>.Listener) -> CallbackSource {
        source.listener = listener
        return source
      }
      func stop(_ source: CallbackSource) { source.listener = nil }
      let numbers = TargetActionPublisher(add: start, remove: stop)
      try stage.subscribe(to: numbers, as: "TargetActionPublisher(add: start, remove: stop)", demand: "2")
    }
    Diagram("DelegatePublisher", "Delegate()", in: "class DelegatePublisher") { stage in
      let delegate = Delegate()
      stage.keep(delegate)
      try stage.send("-1-2-3-|", as: "callback", end: { delegate.finish() }) { delegate.send(Int($0) ?? 0) }
      try stage.subscribe(to: delegate, as: "Delegate()", demand: "2")
      try stage.subscribe(to: delegate, as: "later", at: 4)
    }
  }
}

/// A delegate that receives numbers.
final class Delegate: DelegatePublisher<Int> {
  override init() {}
}

/// A callback API.
final class CallbackSource {
  var listener: TargetActionPublisher<Int>.Listener?
}
