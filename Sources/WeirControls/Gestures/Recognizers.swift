// The distances and times are UIKit's, or approximations where UIKit doesn't document them.

/// A tap, or several in a row.
open class TapGestureRecognizer: GestureRecognizer {
  /// The required number of taps, for instance two for a double tap.
  public final var numberOfTapsRequired = 1

  /// The required number of fingers.
  public final var numberOfTouchesRequired = 1

  private var count = 0
  private var since = 0.0
  private var mostFingers = 0
  private var origin = Touch.Point.zero
  private var starts: [Int: Touch.Point] = [:]

  override var taps: Int { numberOfTapsRequired }

  override var isBetweenTouches: Bool { count > 0 }

  /// A tap isn't prevented by a tap recognizer that requires fewer taps.
  open override func canBePrevented(by other: GestureRecognizer) -> Bool {
    other.taps == 0 || other.taps >= taps
  }

  open override func touchBegan(_ touch: Touch) {
    if touches.count == 1 {
      // The next tap must be near the previous one.
      if count > 0, (touch.location - origin).length > 45 { return move(to: .failed) }
      (origin, since, mostFingers) = (touch.location, touch.timestamp, 0)
    }
    starts[touch.finger] = touch.location
    mostFingers = max(mostFingers, touches.count)
    if touches.count > numberOfTouchesRequired { move(to: .failed) }
  }

  open override func touchMoved(_ touch: Touch) {
    if let start = starts[touch.finger], (touch.location - start).length > 10 { move(to: .failed) }
  }

  open override func touchEnded(_ touch: Touch) {
    guard touches.isEmpty else { return }
    guard mostFingers == numberOfTouchesRequired else { return move(to: .failed) }
    count += 1
    since = touch.timestamp
    starts = [:]
    if count == numberOfTapsRequired { move(to: .ended) }
  }

  open override func timePassed(to timestamp: Double) {
    if touches.isEmpty {
      if count > 0, count < numberOfTapsRequired, timestamp - since > 0.35 { move(to: .failed) }
    } else if timestamp - since > 0.75 {
      move(to: .failed)
    }
  }

  open override func reset() {
    count = 0
    starts = [:]
  }
}

/// Fingers that stay in place on the view for some time.
open class LongPressGestureRecognizer: GestureRecognizer {
  /// The required duration, in seconds.
  public final var minimumPressDuration = 0.5

  /// The required number of fingers.
  public final var numberOfTouchesRequired = 1

  /// The maximum movement of the fingers before the gesture begins.
  public final var allowableMovement = 10.0

  private var start: Touch?

  open override func touchBegan(_ touch: Touch) {
    if isUnderWay { return }
    if touches.count > numberOfTouchesRequired { return move(to: .failed) }
    if touches.count == numberOfTouchesRequired {
      start = Touch(.began, x: touches.center.x, y: touches.center.y, at: touch.timestamp)
    }
  }

  open override func touchMoved(_ touch: Touch) {
    if isUnderWay {
      move(to: .changed)
    } else if let start, (touches.center - start.location).length > allowableMovement {
      move(to: .failed)
    }
  }

  open override func touchEnded(_ touch: Touch) {
    move(to: isUnderWay ? .ended : .failed)
  }

  open override func timePassed(to timestamp: Double) {
    guard let start, !isUnderWay, timestamp - start.timestamp >= minimumPressDuration else { return }
    move(to: .began)
  }

  open override func reset() {
    start = nil
  }
}

/// Fingers that move over the view.
open class PanGestureRecognizer: GestureRecognizer {
  /// The minimum number of fingers.
  public final var minimumNumberOfTouches = 1

  /// The maximum number of fingers.
  public final var maximumNumberOfTouches = Int.max

  /// The movement of the fingers; setting it restarts the measurement at that value.
  public final var translation = Touch.Point.zero

  /// The movement of the fingers per second.
  public private(set) final var velocity = Touch.Point.zero

  private var last = Touch.Point.zero
  private var lastTime = 0.0

  open override func touchBegan(_ touch: Touch) {
    // Another finger moves the center of the fingers, but is not a movement.
    (last, lastTime) = (touches.center, touch.timestamp)
    if !isUnderWay, touches.count > maximumNumberOfTouches { move(to: .failed) }
  }

  open override func touchMoved(_ touch: Touch) {
    let step = touches.center - last
    translation = translation + step
    if touch.timestamp > lastTime { velocity = step / (touch.timestamp - lastTime) }
    (last, lastTime) = (touches.center, touch.timestamp)
    if isUnderWay {
      move(to: .changed)
    } else if touches.count >= minimumNumberOfTouches, translation.length >= 10 {
      move(to: .began)
    }
  }

  open override func touchEnded(_ touch: Touch) {
    (last, lastTime) = (touches.center, touch.timestamp)
    if isUnderWay {
      if touches.count < minimumNumberOfTouches { move(to: .ended) }
    } else if touches.isEmpty {
      move(to: .failed)
    }
  }

  open override func reset() {
    (translation, velocity) = (.zero, .zero)
  }
}

/// Fingers that quickly move a distance in one direction.
open class SwipeGestureRecognizer: GestureRecognizer {
  /// One direction, or a set of alternatives.
  public struct Direction: OptionSet, Hashable, Sendable {
    /// UIKit's number.
    public let rawValue: UInt

    /// Creates a set of directions from their bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// To the right.
    public static let right = Direction(rawValue: 1 << 0)

    /// To the left.
    public static let left = Direction(rawValue: 1 << 1)

    /// Upwards.
    public static let up = Direction(rawValue: 1 << 2)

    /// Downwards.
    public static let down = Direction(rawValue: 1 << 3)
  }

  /// The directions that are recognized.
  public final var direction = Direction.right

  /// The required number of fingers.
  public final var numberOfTouchesRequired = 1

  private var starts: [Int: Touch] = [:]

  open override func touchBegan(_ touch: Touch) {
    starts[touch.finger] = touch
    if touches.count > numberOfTouchesRequired { move(to: .failed) }
  }

  open override func touchMoved(_ touch: Touch) {
    let way = touches.center - touches.compactMap { starts[$0.finger] }.center
    guard touches.count == numberOfTouchesRequired, max(abs(way.x), abs(way.y)) >= 50 else { return }
    let (along, across) = abs(way.x) > abs(way.y) ? (way.x, way.y) : (way.y, way.x)
    let found: Direction =
      abs(way.x) > abs(way.y) ? (along > 0 ? .right : .left) : (along > 0 ? .down : .up)
    move(to: direction.contains(found) && abs(across) * 2 <= abs(along) ? .ended : .failed)
  }

  open override func touchEnded(_ touch: Touch) {
    if touches.isEmpty, !isUnderWay { move(to: .failed) }
  }

  open override func timePassed(to timestamp: Double) {
    if let start = starts.values.map(\.timestamp).min(), !isUnderWay, timestamp - start > 0.5 { move(to: .failed) }
  }

  open override func reset() {
    starts = [:]
  }
}

/// Two fingers that move together or apart.
open class PinchGestureRecognizer: GestureRecognizer {
  /// The distance of the fingers relative to the initial one; setting it restarts the measurement at that value.
  public final var scale = 1.0

  /// The change of the scale per second.
  public private(set) final var velocity = 0.0

  private var last = 0.0
  private var lastTime = 0.0

  private var distance: Double { (touches[0].location - touches[1].location).length }

  open override func touchBegan(_ touch: Touch) {
    if touches.count == 2 { (last, lastTime) = (distance, touch.timestamp) }
  }

  open override func touchMoved(_ touch: Touch) {
    guard touches.count >= 2, last > 0 else { return }
    let distance = distance
    // Before the gesture begins, the distance is relative to the first one.
    if !isUnderWay, abs(distance - last) < 8 { return }
    let new = scale * distance / last
    if touch.timestamp > lastTime { velocity = (new - scale) / (touch.timestamp - lastTime) }
    (scale, last, lastTime) = (new, distance, touch.timestamp)
    move(to: isUnderWay ? .changed : .began)
  }

  open override func touchEnded(_ touch: Touch) {
    endPair(touch)
    if touches.count >= 2 { (last, lastTime) = (distance, touch.timestamp) }
  }

  open override func reset() {
    (scale, velocity, last) = (1, 0, 0)
  }
}

/// Two fingers that rotate around each other.
open class RotationGestureRecognizer: GestureRecognizer {
  /// The clockwise rotation in radians; setting it restarts the measurement at that value.
  public final var rotation = 0.0

  /// The change of the rotation per second.
  public private(set) final var velocity = 0.0

  private var last = 0.0
  private var lastTime = 0.0

  private var angle: Double { (touches[1].location - touches[0].location).angle }

  open override func touchBegan(_ touch: Touch) {
    if touches.count == 2 { (last, lastTime) = (angle, touch.timestamp) }
  }

  open override func touchMoved(_ touch: Touch) {
    guard touches.count >= 2 else { return }
    let angle = angle
    let turn = (angle - last).remainder(dividingBy: 2 * .pi)
    // Before the gesture begins, the angle is relative to the first one.
    if !isUnderWay, abs(turn) < .pi / 36 { return }
    if touch.timestamp > lastTime { velocity = turn / (touch.timestamp - lastTime) }
    (rotation, last, lastTime) = (rotation + turn, angle, touch.timestamp)
    move(to: isUnderWay ? .changed : .began)
  }

  open override func touchEnded(_ touch: Touch) {
    endPair(touch)
    if touches.count >= 2 { (last, lastTime) = (angle, touch.timestamp) }
  }

  open override func reset() {
    (rotation, velocity) = (0, 0)
  }
}

extension GestureRecognizer {
  /// Ends a gesture of two fingers when the first finger is lifted.
  fileprivate func endPair(_ touch: Touch) {
    if isUnderWay {
      if touches.count < 2 { move(to: .ended) }
    } else if touches.isEmpty {
      move(to: .failed)
    }
  }
}
