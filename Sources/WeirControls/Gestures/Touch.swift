#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#elseif canImport(WinSDK)
import ucrt
#elseif canImport(WASILibc)
import WASILibc
#endif

/// The state of one finger at one time.
///
/// There is no clock: the simulation supplies the time.
public struct Touch: Hashable, Sendable {
  /// The phases of a touch.
  public enum Phase: Sendable {
    /// The finger touches the screen.
    case began
    /// The finger moves.
    case moved
    /// The finger stays in place.
    case stationary
    /// The finger is lifted.
    case ended
    /// The system cancels the touch.
    case cancelled
  }

  /// A position on the screen, or the difference of two.
  public struct Point: Hashable, Sendable {
    /// The horizontal coordinate, which grows to the right.
    public var x: Double

    /// The vertical coordinate, which grows downwards.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The phase of the touch.
  public var phase: Phase

  /// The position of the finger.
  public var location: Point

  /// The number of the finger.
  public var finger: Int

  /// The time in seconds.
  public var timestamp: Double

  /// Creates a touch.
  public init(_ phase: Phase, x: Double = 0, y: Double = 0, finger: Int = 0, at timestamp: Double) {
    self.phase = phase
    location = Point(x: x, y: y)
    self.finger = finger
    self.timestamp = timestamp
  }
}

extension Touch.Point {
  /// The origin, or no difference.
  public static var zero: Self { Self(x: 0, y: 0) }

  /// The sum of both coordinates.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }

  /// The difference from the second point to the first.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }

  static func / (lhs: Self, rhs: Double) -> Self { Self(x: lhs.x / rhs, y: lhs.y / rhs) }

  var length: Double { (x * x + y * y).squareRoot() }

  var angle: Double { atan2(y, x) }
}

extension Collection<Touch> {
  /// The center of all touches.
  var center: Touch.Point {
    isEmpty ? .zero : reduce(.zero) { $0 + $1.location } / Double(count)
  }
}
