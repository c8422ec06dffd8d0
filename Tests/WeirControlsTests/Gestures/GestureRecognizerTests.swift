import Testing
import Weir
import WeirControls

@testable import TestSupport

@Suite("Gestures")
@MainActor
struct GestureRecognizerTests {
  let view = View()
  let log = Target()

  /// Adds a recognizer whose states are recorded with a name.
  func add<R: GestureRecognizer>(_ recognizer: R, _ name: String = "", to view: View? = nil) -> R {
    recognizer.addTarget(log) { $0.note(name.isEmpty ? "\($1.state)" : "\(name) \($1.state)") }
    (view ?? self.view).addGestureRecognizer(recognizer)
    return recognizer
  }

  /// Adds a target that records the states, and disables the recognizer at one of them.
  private func addTarget(to recognizer: GestureRecognizer, disablingAt state: GestureRecognizer.State) -> Target {
    let target = Target()
    recognizer.addTarget(target) { target, recognizer in
      target.note("\(recognizer.state)")
      if recognizer.state == state { recognizer.isEnabled = false }
    }
    return target
  }

  func tap(_ view: View? = nil, x: Double = 0, at time: Double) {
    (view ?? self.view).touch(Touch(.began, x: x, at: time), Touch(.ended, x: x, at: time + 0.1))
  }

  // MARK: Single recognizers

  @Test("sends no state after the cancellation when its states were pending")
  func disabledWhilePending() {
    let rotation = RotationGestureRecognizer()
    view.addGestureRecognizer(rotation)
    let recognizer = PanGestureRecognizer()
    recognizer.require(toFail: rotation)
    let target = addTarget(to: recognizer, disablingAt: .began)
    view.addGestureRecognizer(recognizer)
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 0.1), Touch(.moved, x: 60, at: 0.2))
    #expect(target.events == [])
    view.touch(Touch(.ended, x: 60, at: 0.3))
    #expect(target.events == ["began", "cancelled"] && recognizer.state == .possible)
  }

  @Test("sends a state to no other target after one has cancelled the gesture")
  func disabledByTarget() {
    let recognizer = PanGestureRecognizer()
    let first = addTarget(to: recognizer, disablingAt: .began)
    _ = add(recognizer)
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 0.1), Touch(.moved, x: 60, at: 0.2))
    #expect(first.events == ["began", "cancelled"])
    #expect(log.events == ["cancelled"] && recognizer.state == .possible)
  }

  @Test("sends the final state to all targets, also if one disables the recognizer then")
  func disabledAtTheEnd() {
    let recognizer = PanGestureRecognizer()
    let first = addTarget(to: recognizer, disablingAt: .ended)
    _ = add(recognizer)
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 0.1), Touch(.ended, x: 50, at: 0.2))
    #expect(first.events == ["began", "ended"])
    #expect(log.events == ["began", "ended"] && recognizer.state == .possible)
    recognizer.isEnabled = true
    view.touch(Touch(.began, at: 1), Touch(.moved, x: 50, at: 1.1))
    #expect(log.events == ["began", "ended", "began"])
  }

  @Test("a tap is short and stays in place")
  func tap() {
    let recognizer = add(TapGestureRecognizer())
    tap(at: 0)
    #expect(log.events == ["ended"] && recognizer.state == .possible && recognizer.touches.isEmpty)

    view.touch(Touch(.began, at: 1), Touch(.moved, x: 11, at: 1.1))
    #expect(recognizer.state == .failed)
    view.touch(Touch(.ended, at: 1.2))
    #expect(recognizer.state == .possible)
    view.touch(Touch(.began, at: 2), Touch(.ended, at: 3))
    view.touch(Touch(.began, at: 4), Touch(.cancelled, at: 4.1))
    view.touch(Touch(.began, at: 5), Touch(.began, finger: 1, at: 5))
    view.touch(Touch(.ended, at: 5.1), Touch(.ended, finger: 1, at: 5.1))
    #expect(log.events == ["ended"])
    tap(at: 6)
    #expect(log.events == ["ended", "ended"])
  }

  @Test("a tap of two fingers requires both")
  func twoFingers() {
    let recognizer = add(TapGestureRecognizer())
    recognizer.numberOfTouchesRequired = 2
    tap(at: 0)
    #expect(log.events == [])
    view.touch(Touch(.began, at: 1), Touch(.began, x: 200, finger: 1, at: 1), Touch(.ended, at: 1.1))
    #expect(log.events == [])
    view.touch(Touch(.ended, x: 200, finger: 1, at: 1.2))
    #expect(log.events == ["ended"])
  }

  @Test("a double tap is two taps, close in time and position")
  func doubleTap() {
    let recognizer = add(TapGestureRecognizer())
    recognizer.numberOfTapsRequired = 2
    tap(at: 0)
    tap(at: 0.3)
    #expect(log.events == ["ended"])

    tap(at: 1)
    tap(at: 2)
    #expect(log.events == ["ended"])
    tap(at: 2.3)
    #expect(log.events == ["ended", "ended"])

    tap(at: 3)
    tap(x: 50, at: 3.2)
    #expect(log.events == ["ended", "ended"])
  }

  @Test("a long press begins after its duration, changes, and ends")
  func longPress() {
    let recognizer = add(LongPressGestureRecognizer())
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 9, at: 0.2))
    view.wait(until: 0.4)
    #expect(log.events == [])
    view.wait(until: 0.5)
    #expect(log.events == ["began"] && recognizer.state == .began)
    view.touch(Touch(.moved, x: 90, at: 0.6), Touch(.ended, x: 90, at: 0.7))
    #expect(log.events == ["began", "changed", "ended"] && recognizer.state == .possible)

    view.touch(Touch(.began, at: 1), Touch(.moved, x: 11, at: 1.1), Touch(.stationary, x: 11, at: 2))
    view.touch(Touch(.ended, at: 3))
    tap(at: 4)
    #expect(log.events.count == 3)
    view.touch(Touch(.began, at: 5), Touch(.stationary, at: 6), Touch(.cancelled, at: 7))
    #expect(log.events.dropFirst(3) == ["began", "cancelled"])
  }

  @Test("a pan begins after a distance, and measures its translation and velocity")
  func pan() {
    let recognizer = add(PanGestureRecognizer())
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 9, at: 1))
    #expect(log.events == [])
    view.touch(Touch(.moved, x: 9, y: 12, at: 2))
    #expect(log.events == ["began"])
    #expect(recognizer.translation == .init(x: 9, y: 12) && recognizer.velocity == .init(x: 0, y: 12))
    recognizer.translation = .zero
    // Another finger is not a movement.
    view.touch(Touch(.began, x: 99, finger: 1, at: 2), Touch(.moved, x: 13, y: 12, at: 3))
    #expect(recognizer.translation == .init(x: 2, y: 0))
    view.touch(Touch(.ended, x: 13, y: 12, at: 4))
    #expect(log.events == ["began", "changed"])
    view.touch(Touch(.ended, x: 99, finger: 1, at: 5))
    #expect(log.events == ["began", "changed", "ended"] && recognizer.translation == .zero)
  }

  @Test("a swipe is quick and has one direction")
  func swipe() {
    let recognizer = add(SwipeGestureRecognizer())
    recognizer.direction = [.left, .up]
    func swipe(_ x: Double, _ y: Double, in duration: Double = 0.2, at time: Double) {
      view.touch(Touch(.began, at: time), Touch(.moved, x: x / 2, y: y / 2, at: time + duration / 2))
      view.touch(Touch(.moved, x: x, y: y, at: time + duration), Touch(.ended, x: x, y: y, at: time + duration))
    }
    swipe(-60, 0, at: 0)
    swipe(10, -60, at: 1)
    #expect(log.events == ["ended", "ended"])
    swipe(60, 0, at: 2)
    swipe(0, 60, at: 3)
    swipe(-60, 50, at: 4)
    swipe(-40, 0, at: 5)
    swipe(-60, 0, in: 2, at: 6)
    #expect(log.events.count == 2)
  }

  @Test("a pinch measures the distance of two fingers")
  func pinch() {
    let recognizer = add(PinchGestureRecognizer())
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 0.1), Touch(.moved, x: 0, at: 0.2))
    view.touch(Touch(.began, x: 100, finger: 1, at: 1), Touch(.moved, x: 107, finger: 1, at: 2))
    #expect(log.events == [])
    view.touch(Touch(.moved, x: 150, finger: 1, at: 3))
    #expect(recognizer.scale == 1.5 && recognizer.velocity == 0.25)
    view.touch(Touch(.moved, x: 50, at: 4))
    #expect(recognizer.scale == 1 && log.events == ["began", "changed"])
    view.touch(Touch(.ended, x: 50, at: 5), Touch(.ended, x: 150, finger: 1, at: 5))
    #expect(log.events == ["began", "changed", "ended"])
  }

  @Test("a rotation measures the angle between two fingers")
  func rotation() {
    let recognizer = add(RotationGestureRecognizer())
    view.touch(
      Touch(.began, at: 0), Touch(.began, x: 100, finger: 1, at: 0), Touch(.moved, x: 100, y: 1, finger: 1, at: 1))
    #expect(log.events == [])
    view.touch(Touch(.moved, x: 0, y: 100, finger: 1, at: 2))
    #expect(abs(recognizer.rotation - .pi / 2) < 1e-9)
    view.touch(Touch(.moved, x: -100, y: -1, finger: 1, at: 3))
    #expect(recognizer.rotation > .pi)
    view.touch(Touch(.ended, finger: 1, at: 4), Touch(.ended, at: 4))
    #expect(log.events == ["began", "changed", "ended"])
  }

  // MARK: Several recognizers

  @Test("a tap that requires a double tap to fail waits for that")
  func requireToFail() {
    let single = add(TapGestureRecognizer(), "single")
    let double = add(TapGestureRecognizer(), "double")
    double.numberOfTapsRequired = 2
    single.require(toFail: double)

    tap(at: 0)
    #expect(log.events == [])
    view.wait(until: 0.6)
    #expect(log.events == ["single ended"] && single.state == .possible)

    tap(at: 1)
    tap(at: 1.2)
    view.wait(until: 3)
    #expect(log.events == ["single ended", "double ended"])

    tap(at: 4)
    #expect(log.events.count == 2)
    tap(at: 5)
    #expect(log.events.dropFirst(2) == ["single ended"])
    view.wait(until: 6)
    #expect(log.events.dropFirst(2) == ["single ended", "single ended"])
  }

  @Test("a tap that requires a double tap to fail yields to it even if both may be recognized")
  func requireToFailSimultaneously() {
    let single = add(TapGestureRecognizer(), "single")
    let double = add(TapGestureRecognizer(), "double")
    double.numberOfTapsRequired = 2
    single.require(toFail: double)
    single.shouldRecognizeSimultaneously = { _ in true }

    tap(at: 0)
    tap(at: 0.2)
    view.wait(until: 3)
    #expect(log.events == ["double ended"] && !single.isUnderWay)
    tap(at: 4)
    view.wait(until: 5)
    #expect(log.events == ["double ended", "single ended"])
  }

  @Test("without that requirement, the tap is recognized first and the double tap too")
  func tapAndDoubleTap() {
    _ = add(TapGestureRecognizer(), "single")
    add(TapGestureRecognizer(), "double").numberOfTapsRequired = 2
    tap(at: 0)
    tap(at: 0.2)
    #expect(log.events == ["single ended", "double ended"])
  }

  @Test("a pan that waits for a swipe to fail begins late, and sends all its states")
  func panAndSwipe() {
    let pan = add(PanGestureRecognizer(), "pan")
    pan.require(toFail: add(SwipeGestureRecognizer(), "swipe"))
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 20, at: 0.1), Touch(.moved, x: 40, at: 0.2))
    #expect(log.events == [])
    view.touch(Touch(.moved, x: 45, at: 0.6))
    #expect(log.events == ["pan began", "pan changed", "pan changed"])
    view.touch(Touch(.ended, x: 45, at: 0.7))
    view.touch(
      Touch(.began, at: 1), Touch(.moved, x: 20, at: 1.1), Touch(.moved, x: 60, at: 1.2), Touch(.ended, at: 1.3))
    #expect(log.events.dropFirst(3) == ["pan ended", "swipe ended"])
  }

  @Test("a recognized gesture makes the others fail, unless one of the two allows both")
  func prevention() {
    let press = add(LongPressGestureRecognizer(), "press")
    let tap = add(TapGestureRecognizer(), "tap")
    view.touch(Touch(.began, at: 0), Touch(.stationary, at: 0.5), Touch(.ended, at: 0.6))
    #expect(log.events == ["press began", "press ended"])

    tap.shouldRecognizeSimultaneously = { $0 === press }
    view.touch(Touch(.began, at: 1), Touch(.stationary, at: 1.5), Touch(.ended, at: 1.6))
    #expect(log.events.dropFirst(2) == ["press began", "press ended", "tap ended"])
  }

  @Test("the gestures of a view receive the touches of its subviews")
  func hierarchy() {
    let inner = View()
    view.addSubview(inner)
    _ = add(TapGestureRecognizer(), "outer")
    tap(inner, at: 0)
    #expect(log.events == ["outer ended"])
    _ = add(TapGestureRecognizer(), "inner", to: inner)
    tap(inner, at: 1)
    tap(at: 2)
    #expect(log.events.dropFirst() == ["inner ended", "outer ended"])
  }

  @Test("no gesture is recognized in a hidden view, or while the recognizer is disabled")
  func disabled() {
    let recognizer = add(PanGestureRecognizer())
    view.isHidden = true
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 1), Touch(.ended, at: 2))
    view.isHidden = false
    recognizer.isEnabled = false
    view.touch(Touch(.began, at: 3), Touch(.moved, x: 50, at: 4), Touch(.ended, at: 5))
    #expect(log.events == [])

    recognizer.isEnabled = true
    view.touch(Touch(.began, at: 6), Touch(.moved, x: 50, at: 7))
    recognizer.isEnabled = false
    view.touch(Touch(.moved, x: 90, at: 8), Touch(.ended, at: 9))
    #expect(log.events == ["began", "cancelled"] && recognizer.state == .possible)
  }

  @Test("a recognizer has one view, and holds targets weakly")
  func attachment() {
    let recognizer = add(TapGestureRecognizer())
    let other = View()
    other.addGestureRecognizer(recognizer)
    #expect(view.gestureRecognizers.isEmpty && recognizer.view === other)
    recognizer.removeTarget(log)
    weak var gone: Target?
    do {
      let target = Target()
      recognizer.addTarget(target) { target, _ in target.first() }
      gone = target
    }
    #expect(gone == nil)
    tap(other, at: 0)
    #expect(log.events == [])
    other.removeGestureRecognizer(recognizer)
    #expect(recognizer.view == nil)
  }

  @Test("a recognizer releases the actions of deallocated targets when it has many")
  func deallocatedTargets() {
    let recognizer = add(TapGestureRecognizer())
    weak var first: Target?
    for number in 1...100 {
      let token = Target()
      if number == 1 { first = token }
      recognizer.addTarget(Target()) { _, _ in token.note("") }
    }
    #expect(first == nil)
    tap(at: 0)
    #expect(log.events == ["ended"])
  }

  @Test("the deallocation of what an action captures may change the targets", arguments: [true, false])
  func deinitThatChangesTargets(_ isRemoved: Bool) {
    final class Remover {
      let body: @MainActor () -> Void

      init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
      }

      deinit {
        MainActor.assumeIsolated(body)
      }
    }
    let (recognizer, other, later) = (add(TapGestureRecognizer()), Target(), Target())
    recognizer.addTarget(other) { target, _ in target.note("other") }
    var target: Target? = Target()
    if let target {
      let remover = Remover {
        recognizer.removeTarget(other)
        recognizer.addTarget(later) { later, _ in later.note("later") }
      }
      recognizer.addTarget(target) { _, _ in withExtendedLifetime(remover) {} }
    }
    if isRemoved, let target { recognizer.removeTarget(target) }
    target = nil
    if !isRemoved { for _ in 1...100 { recognizer.addTarget(Target()) { _, _ in } } }
    tap(at: 0)
    #expect(log.events == ["ended"])
    #expect(other.events == [])
    #expect(later.events == ["later"])
  }

  // MARK: Publishers

  @Test("a publisher adds a recognizer for each subscription and removes it at the cancellation")
  func publisher() {
    var taps = 0
    let publisher = view.publisher(for: .tap(count: 2))
    #expect(view.gestureRecognizers.isEmpty)
    let cancellable = publisher.sink {
      #expect($0.state == .recognized)
      taps += 1
    }
    #expect(view.gestureRecognizers.count == 1)
    tap(at: 0)
    tap(at: 0.2)
    #expect(taps == 1)
    cancellable.cancel()
    #expect(view.gestureRecognizers.isEmpty)
    tap(at: 1)
    tap(at: 1.2)
    #expect(taps == 1)
  }

  @Test("a publisher sends the selected states for which there is demand")
  func states() {
    var states: [GestureRecognizer.State] = []
    let all = view.publisher(for: .pan { $0.shouldRecognizeSimultaneously = { _ in true } }).map(\.state)
      .record(demanding: .max(2))
    let ends = view.rx.panGesture().when(.ended, .cancelled).sink { states.append($0.state) }
    view.touch(Touch(.began, at: 0), Touch(.moved, x: 50, at: 1), Touch(.moved, x: 60, at: 2), Touch(.ended, at: 3))
    #expect(all.events == [.subscription, .value(.began), .value(.changed)])
    #expect(states == [.ended])
    #expect(all.subscription.map { String(describing: $0) } == "GestureRecognizer")
    withExtendedLifetime(ends) {}
  }

  @Test("a publisher that is cancelled during its gesture sends no more states, and finishes with the view")
  func ends() {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    view.publisher(for: .longPress()).map { _ in 1 }.subscribe(recorder)
    view.touch(Touch(.began, at: 0), Touch(.stationary, at: 1), Touch(.moved, x: 1, at: 2), Touch(.ended, at: 3))
    #expect(recorder.events == [.subscription, .value(1)] && view.gestureRecognizers.isEmpty)

    var photo: View? = View()
    weak let weakPhoto = photo
    let publisher = photo?.publisher(for: .pinch())
    let (first, second) = (publisher?.map { _ in 1 }.record(), photo?.rx.rotationGesture().map { _ in 1 }.record())
    if let recognizer = photo?.gestureRecognizers.last { photo?.removeGestureRecognizer(recognizer) }
    #expect(first?.events == [.subscription] && second?.events == [.subscription, .finished])
    photo = nil
    #expect(weakPhoto == nil && first?.events == [.subscription, .finished])
    #expect(publisher?.map { _ in 1 }.record().events == [.subscription, .finished])
  }
}
