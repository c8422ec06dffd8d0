/// How much Weir records of the pipelines that a program assembles and runs.
///
/// Recording is off until ``tracing`` is set. <doc:Debugging> describes the reports and the cost.
public enum Tracing: UInt8, Comparable, Sendable {
  /// Records nothing.
  case off

  /// Records subscriptions from their beginning to their end, with their steps, demand and values.
  case subscriptions

  /// Also records the place in the code where each operator was assembled.
  case assembly

  /// Returns whether the first level records less than the second.
  public static func < (lhs: Tracing, rhs: Tracing) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// How much is recorded of operators and subscriptions that are created from now on.
///
/// - Threading: can be read and set on any thread.
public var tracing: Tracing {
  get { IntrospectionRegistry.tracing }
  set { IntrospectionRegistry.tracing = newValue }
}

extension Tracing {
  /// A line of a program's code.
  public struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The file: a path from the debug information, or a `#fileID`.
    public let file: String

    /// The line number, from 1.
    public let line: Int

    /// The column number, from 1; 0 if it is unknown.
    public let column: Int

    init(file: String, line: Int, column: Int = 0) {
      self.file = file
      self.line = line
      self.column = column
    }

    /// The last folder of the path, the file and the line.
    public var description: String {
      let parts = file.split(separator: "/")
      return "\(parts.suffix(2).joined(separator: "/")):\(line)"
    }
  }
}
