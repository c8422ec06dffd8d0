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
#endif

/// What one finger does at one moment.
///
/// There is no clock: whoever simulates a person says when it is.
public struct Touch: Hashable, Sendable {
  /// What the finger does.
  public enum Phase: Sendable {
    /// It comes down.
    case began
    /// It moves.
    case moved
    /// It stays where it is.
    case stationary
    /// It goes up.
    case ended
    /// The system has taken the touch away.
    case cancelled
  }

  /// A place on the screen, or the distance between two.
  public struct Point: Hashable, Sendable {
    /// To the right.
    public var x: Double

    /// Downwards.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// What the finger does.
  public var phase: Phase

  /// Where it is.
  public var location: Point

  /// Which finger it is.
  public var finger: Int

  /// When it is, in seconds.
  public var timestamp: Double

  /// Makes a touch.
  public init(_ phase: Phase, x: Double = 0, y: Double = 0, finger: Int = 0, at timestamp: Double) {
    self.phase = phase
    location = Point(x: x, y: y)
    self.finger = finger
    self.timestamp = timestamp
  }
}

extension Touch.Point {
  /// The origin, or no distance.
  public static var zero: Self { Self(x: 0, y: 0) }

  /// The sum of both coordinates.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }

  /// How far it is from the second point to the first.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }

  static func / (lhs: Self, rhs: Double) -> Self { Self(x: lhs.x / rhs, y: lhs.y / rhs) }

  var length: Double { (x * x + y * y).squareRoot() }

  var angle: Double { atan2(y, x) }
}

extension Collection<Touch> {
  /// The middle of all of them.
  var center: Touch.Point {
    isEmpty ? .zero : reduce(.zero) { $0 + $1.location } / Double(count)
  }
}
