// The distances and times are UIKit's, or near it where UIKit doesn't tell them.

/// A tap, or several in a row.
open class TapGestureRecognizer: GestureRecognizer {
  /// How many taps, for instance two for a double tap.
  public final var numberOfTapsRequired = 1

  /// How many fingers.
  public final var numberOfTouchesRequired = 1

  private var count = 0
  private var since = 0.0
  private var mostFingers = 0
  private var origin = Touch.Point.zero
  private var starts: [Int: Touch.Point] = [:]

  override var taps: Int { numberOfTapsRequired }

  override var isBetweenTouches: Bool { count > 0 }

  /// A tap isn't prevented by one of fewer taps.
  open override func canBePrevented(by other: GestureRecognizer) -> Bool {
    other.taps == 0 || other.taps >= taps
  }

  open override func touchBegan(_ touch: Touch) {
    if touches.count == 1 {
      // The next tap is near the one before.
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

/// Fingers that stay on the view for a while.
open class LongPressGestureRecognizer: GestureRecognizer {
  /// How long, in seconds.
  public final var minimumPressDuration = 0.5

  /// How many fingers.
  public final var numberOfTouchesRequired = 1

  /// How far they may move before it begins.
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
  /// The fewest fingers.
  public final var minimumNumberOfTouches = 1

  /// The most fingers.
  public final var maximumNumberOfTouches = Int.max

  /// How far the fingers have moved; a program may set it to count from there.
  public final var translation = Touch.Point.zero

  /// How far they move in a second.
  public private(set) final var velocity = Touch.Point.zero

  private var last = Touch.Point.zero
  private var lastTime = 0.0

  open override func touchBegan(_ touch: Touch) {
    // A finger more or less moves their middle, but that is no movement.
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

/// Fingers that move a distance in one direction, quickly.
open class SwipeGestureRecognizer: GestureRecognizer {
  /// One direction, or several of which any will do.
  public struct Direction: OptionSet, Hashable, Sendable {
    /// UIKit's number.
    public let rawValue: UInt

    /// Makes a set of directions from their bits.
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

  /// The directions that will do.
  public final var direction = Direction.right

  /// How many fingers.
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

/// Two fingers that come closer or go apart.
open class PinchGestureRecognizer: GestureRecognizer {
  /// How many times farther apart they are than at first; a program may set it to count from there.
  public final var scale = 1.0

  /// How much the scale changes in a second.
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
    // Before it begins, the distance counts from the first.
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

/// Two fingers that turn around each other.
open class RotationGestureRecognizer: GestureRecognizer {
  /// The angle that they have turned by, clockwise, in radians; a program may set it to count from there.
  public final var rotation = 0.0

  /// How much it changes in a second.
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
    // Before it begins, the angle counts from the first.
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
  /// A gesture of two fingers ends with the last but one.
  fileprivate func endPair(_ touch: Touch) {
    if isUnderWay {
      if touches.count < 2 { move(to: .ended) }
    } else if touches.isEmpty {
      move(to: .failed)
    }
  }
}
