extension View {
  /// Has a gesture recognised in this view and in what lies in it.
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    gestureRecognizers.append(recognizer)
    recognizer.view = self
  }

  /// Has a gesture recognised no more: one that is under way is cancelled.
  public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    gestureRecognizers.removeAll { $0 === recognizer }
    recognizer.leave()
  }

  /// A person's fingers touch this view, one after the other.
  ///
  /// The gestures of this view and of all around it are told. A finger that comes while the view is out of reach is
  /// ignored until it is lifted.
  public final func touch(_ touches: Touch...) {
    for touch in touches {
      if touch.phase == .began, !isReachable { continue }
      wait(until: touch.timestamp)
      for recognizer in recognizersInReach { recognizer.handle(touch, in: self) }
    }
  }

  /// Time passes: long presses begin, and double taps that don't come fail.
  public final func wait(until timestamp: Double) {
    for recognizer in recognizersInReach where recognizer.isEnabled { recognizer.timePassed(to: timestamp) }
  }

  /// Those who want more taps first: they take a tap from the others, and not the other way round.
  var recognizersInReach: [GestureRecognizer] {
    let all = sequence(first: self, next: \.superview).flatMap(\.gestureRecognizers)
    return all.filter { $0.taps > 1 }.sorted { $0.taps > $1.taps } + all.filter { $0.taps <= 1 }
  }
}
