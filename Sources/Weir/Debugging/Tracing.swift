/// How much Weir remembers of the pipelines that a program assembles and runs, to tell where something went wrong.
///
/// It is off unless ``tracing`` says otherwise. What it says, and what it costs, is on the page <doc:Debugging>.
public enum Tracing: UInt8, Comparable, Sendable {
  /// Nothing is remembered.
  case off

  /// Subscriptions are known from their beginning to their end: what they consist of, what they were asked for, what they
  /// delivered.
  case subscriptions

  /// The place in the code where each operator was assembled is known too.
  case assembly

  /// Tells whether the first remembers less.
  public static func < (lhs: Tracing, rhs: Tracing) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// How much is remembered of the operators that are assembled, and the subscriptions that begin, from now on.
///
/// - Threading: may be read and set on any thread.
public var tracing: Tracing {
  get { Witnesses.tracing }
  set { Witnesses.tracing = newValue }
}

extension Tracing {
  /// A line of a program's code.
  public struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The file: a path as the debug information has it, or a `#fileID`.
    public let file: String

    /// The line, from 1 on.
    public let line: Int

    /// The column, from 1 on; 0 where it isn't known.
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
