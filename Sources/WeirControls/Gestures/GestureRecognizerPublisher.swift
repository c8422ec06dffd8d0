public import Weir

/// The description of a gesture, such as `.tap(count: 2)`.
@MainActor
public struct Gesture<Recognizer: GestureRecognizer> {
  let make: @MainActor () -> Recognizer

  /// Creates a gesture from a closure that creates a recognizer for each subscription.
  public init(make: @escaping @MainActor () -> Recognizer) {
    self.make = make
  }

  init(_ recognizer: @escaping @MainActor () -> Recognizer, _ configure: @escaping @MainActor (Recognizer) -> Void) {
    make = {
      let recognizer = recognizer()
      configure(recognizer)
      return recognizer
    }
  }
}

extension View {
  /// A publisher of a gesture in this view, which sends the recognizer at each of its states.
  ///
  ///     photo.publisher(for: .tap(count: 2)).sink { zoom(at: $0.location) }.store(in: &bag)
  ///
  /// - Demand: see ``GestureRecognizerPublisher``: a state without demand is dropped.
  /// - Completion and cancellation: finishes when the view is deallocated.
  /// - Threading: subscribe on the main actor. Events arrive there.
  public final func publisher<Recognizer>(for gesture: Gesture<Recognizer>) -> GestureRecognizerPublisher<Recognizer> {
    GestureRecognizerPublisher(view: self, make: gesture.make)
  }
}

/// A publisher of a gesture's states.
///
/// Each subscription adds its own recognizer to the view.
///
/// - Demand: never exceeded. A state that arrives without demand is dropped.
/// - Completion and cancellation: finishes when the view is deallocated, or when the recognizer is removed from it. The
///   publisher doesn't retain the view. Cancellation removes the recognizer; a gesture in progress sends no more
///   states.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Events arrive there.
public struct GestureRecognizerPublisher<Recognizer: GestureRecognizer>: _DirectPublisher {
  /// The recognizer, at each of its states from `began` on.
  public typealias Output = Recognizer

  /// It can't fail.
  public typealias Failure = Never

  private(set) weak var view: View?
  let make: @MainActor () -> Recognizer

  @usableFromInline
  package let assemblySite = AssemblySite()

  init(view: View, make: @escaping @MainActor () -> Recognizer) {
    self.view = view
    self.make = make
  }

  /// Attaches a downstream.
  ///
  /// - Precondition: the caller is on the main actor.
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    requireMainActor(toSubscribeTo: "A publisher of \(Recognizer.self)")
    guard let view else { return Downstream.complete(downstream, with: .finished) }
    let subject = PassthroughSubject<Recognizer, Never>(named: "GestureRecognizer")
    // The recognizer stays on the main actor, where the caller is.
    let recognizer = MainActor.assumeIsolated { [make] in
      let recognizer = make()
      // Safety: a recognizer calls its listener with itself. (`GestureRecognizerTests`)
      recognizer.listener = (
        action: { subject.send(unsafeDowncast($0, to: Recognizer.self)) }, end: { subject.send(completion: .finished) }
      )
      view.addGestureRecognizer(recognizer)
      return recognizer
    }
    subject.attach(
      downstream.member(named: "GestureRecognizer", isToConnect: false) { [weak recognizer] in
        onMainActor {
          // A subscriber that cancels must not receive the finish.
          recognizer?.listener = nil
          if let recognizer { recognizer.view?.removeGestureRecognizer(recognizer) }
        }
      })
  }
}

// MARK: - The gestures

extension Gesture where Recognizer == TapGestureRecognizer {
  /// A number of taps in a row.
  public static func tap(
    count: Int = 1, configure: @escaping @MainActor (TapGestureRecognizer) -> Void = { _ in }
  ) -> Self {
    Self({ TapGestureRecognizer() }) {
      $0.numberOfTapsRequired = count
      configure($0)
    }
  }
}

extension Gesture where Recognizer == LongPressGestureRecognizer {
  /// Fingers that stay in place for some time.
  public static func longPress(
    configure: @escaping @MainActor (LongPressGestureRecognizer) -> Void = { _ in }
  ) -> Self {
    Self({ LongPressGestureRecognizer() }, configure)
  }
}

extension Gesture where Recognizer == PanGestureRecognizer {
  /// Fingers that move.
  public static func pan(configure: @escaping @MainActor (PanGestureRecognizer) -> Void = { _ in }) -> Self {
    Self({ PanGestureRecognizer() }, configure)
  }
}

extension Gesture where Recognizer == SwipeGestureRecognizer {
  /// Fingers that quickly move a distance in a direction.
  public static func swipe(
    direction: SwipeGestureRecognizer.Direction = .right,
    configure: @escaping @MainActor (SwipeGestureRecognizer) -> Void = { _ in }
  ) -> Self {
    Self({ SwipeGestureRecognizer() }) {
      $0.direction = direction
      configure($0)
    }
  }
}

extension Gesture where Recognizer == PinchGestureRecognizer {
  /// Two fingers that move together or apart.
  public static func pinch(configure: @escaping @MainActor (PinchGestureRecognizer) -> Void = { _ in }) -> Self {
    Self({ PinchGestureRecognizer() }, configure)
  }
}

extension Gesture where Recognizer == RotationGestureRecognizer {
  /// Two fingers that rotate around each other.
  public static func rotation(configure: @escaping @MainActor (RotationGestureRecognizer) -> Void = { _ in }) -> Self {
    Self({ RotationGestureRecognizer() }, configure)
  }
}

extension Publisher where Output: GestureRecognizer {
  /// Forwards the gesture only in some of its states.
  ///
  /// - Demand: the downstream's. A state that is filtered out consumes none.
  /// - Completion and cancellation: the upstream's.
  /// - Threading: the upstream's, which is the main actor.
  public func when(_ states: GestureRecognizer.State...) -> Publishers.Filter<Self> {
    filter { (recognizer: Output) -> Bool in
      assumingMainActor(recognizer) { states.contains($0.state) }
    }
  }
}

extension Reactive where Base: View {
  /// A gesture in the view.
  @MainActor
  public func gesture<Recognizer>(_ gesture: Gesture<Recognizer>) -> ControlEvent<Recognizer> {
    ControlEvent(events: base.publisher(for: gesture))
  }

  /// A number of taps in a row.
  @MainActor
  public func tapGesture(count: Int = 1) -> ControlEvent<TapGestureRecognizer> { gesture(.tap(count: count)) }

  /// Fingers that stay in place for some time.
  @MainActor
  public func longPressGesture() -> ControlEvent<LongPressGestureRecognizer> { gesture(.longPress()) }

  /// Fingers that move.
  @MainActor
  public func panGesture() -> ControlEvent<PanGestureRecognizer> { gesture(.pan()) }

  /// Fingers that quickly move a distance in a direction.
  @MainActor
  public func swipeGesture(
    _ direction: SwipeGestureRecognizer.Direction = .right
  ) -> ControlEvent<SwipeGestureRecognizer> {
    gesture(.swipe(direction: direction))
  }

  /// Two fingers that move together or apart.
  @MainActor
  public func pinchGesture() -> ControlEvent<PinchGestureRecognizer> { gesture(.pinch()) }

  /// Two fingers that rotate around each other.
  @MainActor
  public func rotationGesture() -> ControlEvent<RotationGestureRecognizer> { gesture(.rotation()) }
}
