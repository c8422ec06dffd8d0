extension View {
  /// Adds a recognizer for gestures in this view and its subviews.
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    gestureRecognizers.append(recognizer)
    recognizer.view = self
  }

  /// Removes a recognizer, and cancels its gesture in progress.
  public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    gestureRecognizers.removeAll { $0 === recognizer }
    recognizer.leave()
  }

  /// Simulates touches of this view, one after the other.
  ///
  /// The recognizers of this view and of its superviews receive the touches. A finger that touches an unreachable view
  /// is ignored until it is lifted.
  public final func touch(_ touches: Touch...) {
    for touch in touches {
      if touch.phase == .began, !isReachable { continue }
      wait(until: touch.timestamp)
      for recognizer in recognizersInReach { recognizer.handle(touch, in: self) }
    }
  }

  /// Simulates the passage of time: long presses begin, and incomplete double taps fail.
  public final func wait(until timestamp: Double) {
    for recognizer in recognizersInReach where recognizer.isEnabled { recognizer.timePassed(to: timestamp) }
  }

  /// Recognizers that require more taps come first, because they take precedence over the others.
  var recognizersInReach: [GestureRecognizer] {
    let all = sequence(first: self, next: \.superview).flatMap(\.gestureRecognizers)
    return all.filter { $0.taps > 1 }.sorted { $0.taps > $1.taps } + all.filter { $0.taps <= 1 }
  }
}
