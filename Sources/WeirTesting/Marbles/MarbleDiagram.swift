import Weir

/// A line of events over time: `--a-b-(cd)-|`.
///
/// Each sign takes one frame of time, starting at frame 0:
///
/// | sign | meaning |
/// | --- | --- |
/// | `-` | No event. |
/// | `a` | A value. Any character without another meaning stands for a value. |
/// | `'ab'` | A value of several characters, or one with another meaning: `'-1'`. Write a quote inside twice. |
/// | `(ab)` | Several events in the same frame. |
/// | `\|` | A finish. |
/// | `#` | A failure. |
/// | `^` | The subscription. |
/// | `!` | The cancellation. |
///
/// Spaces are ignored, so lines can be aligned. Write one between two quoted values: `'ab' 'cd'`. The description of a
/// parsed diagram is its text without the other spaces, and without quotes that are not needed.
public struct MarbleDiagram: Hashable, Sendable, CustomStringConvertible {
  /// An event in a frame.
  public enum Mark: Hashable, Sendable {
    /// A value with this notation.
    case value(String)

    /// A finish.
    case finished

    /// A failure.
    case failure

    /// The subscription.
    case subscription

    /// The cancellation.
    case cancellation
  }

  /// A mark and its frame.
  public struct Entry: Hashable, Sendable {
    /// The frame, starting at 0.
    public let frame: Int

    /// The event in the frame.
    public let mark: Mark

    /// Creates an entry from a mark and its frame.
    ///
    /// - Precondition: `frame` is not negative, and less than `Int.max`.
    public init(frame: Int, mark: Mark) {
      require(0..<Int.max ~= frame, "MarbleDiagram.Entry requires a frame from 0 to Int.max - 1.")
      self.frame = frame
      self.mark = mark
    }
  }

  /// The marks, in order.
  public private(set) var entries: [Entry]

  /// The number of frames, including those at the end without a mark.
  public private(set) var frameCount: Int

  /// Creates a diagram of marks; marks in the same frame keep their order.
  public init(_ entries: [Entry] = []) {
    self.entries = entries.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
    frameCount = (self.entries.last?.frame ?? -1) + 1
  }

  /// Parses a diagram.
  ///
  /// - Throws: ``MarbleError``, which names the position of the error and the correct notation.
  public init(_ text: String) throws {
    var parser = MarbleParser(text)
    try parser.parse()
    entries = parser.entries
    frameCount = parser.frame
  }

  /// The diagram as text; if it is too long to draw, a list of marks and frames.
  public var description: String {
    frameCount > 2000 ? entries.map { "\($0.mark)@\($0.frame)" }.joined(separator: " ") : cells.joined()
  }

  /// Adds frames without marks at the end.
  mutating func extend(to count: Int) {
    frameCount = max(frameCount, count)
  }

  /// The contents of each frame.
  package var cells: [String] {
    var cells = Array(repeating: "-", count: frameCount)
    var rest = entries[...]
    while let frame = rest.first?.frame {
      let marks = rest.prefix { $0.frame == frame }
      rest = rest.dropFirst(marks.count)
      let signs = MarbleParser.separated(marks.map(\.mark.description)).joined()
      cells[frame] = marks.count > 1 ? "(\(signs))" : signs
    }
    return MarbleParser.separated(cells)
  }
}

extension MarbleDiagram.Mark: CustomStringConvertible {
  /// The notation of the mark in a diagram.
  public var description: String {
    switch self {
    case .value(let token): token.count == 1 && !MarbleParser.hasMeaning(token) ? token : MarbleParser.quoted(token)
    case .finished: "|"
    case .failure: "#"
    case .subscription: "^"
    case .cancellation: "!"
    }
  }
}

/// An error in the text of a diagram.
public struct MarbleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, and the correct notation.
  public let message: String

  /// The diagram.
  public let text: String

  /// The position of the error in the text, in characters from 0.
  public let position: Int

  /// The message, and the diagram with a mark below the position.
  public var description: String {
    "\(message)\n  \(text)\n  \(String(repeating: " ", count: position))↑"
  }
}
