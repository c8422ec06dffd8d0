/// A line of events over time, as people draw them: `--a-b-(cd)-|`.
///
/// Each sign takes one frame of time, the first one frame 0:
///
/// | sign | meaning |
/// | --- | --- |
/// | `-` | nothing happens |
/// | `a` | a value; any character that has no meaning of its own |
/// | `'ab'` | a value of several characters, or one that has a meaning: `'-1'`. A quote inside is written twice. |
/// | `(ab)` | all of it in the same frame |
/// | `\|` | the end |
/// | `#` | the end because of an error |
/// | `^` | the subscription |
/// | `!` | the cancellation |
///
/// Spaces mean nothing, so lines can be put under each other. What is parsed prints the same again, save the spaces.
public struct MarbleDiagram: Hashable, Sendable, CustomStringConvertible {
  /// What happens in a frame.
  public enum Mark: Hashable, Sendable {
    /// A value that is written so.
    case value(String)

    /// The end.
    case finished

    /// The end because of an error.
    case failure

    /// The subscription.
    case subscription

    /// The cancellation.
    case cancellation
  }

  /// A mark and the frame in which it stands.
  public struct Entry: Hashable, Sendable {
    /// The frame, the first being 0.
    public let frame: Int

    /// What happens in it.
    public let mark: Mark

    /// Puts a mark into a frame.
    public init(frame: Int, mark: Mark) {
      self.frame = frame
      self.mark = mark
    }
  }

  /// The marks, in order.
  public private(set) var entries: [Entry]

  /// How many frames the diagram has, those at the end without a mark included.
  public private(set) var frameCount: Int

  /// Makes a diagram of marks; those of the same frame keep their order.
  public init(_ entries: [Entry] = []) {
    self.entries = entries.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
    frameCount = (self.entries.last?.frame ?? -1) + 1
  }

  /// Reads a diagram.
  ///
  /// - Throws: ``MarbleError``, which says where the text is wrong and what to write instead.
  public init(_ text: String) throws {
    var parser = MarbleParser(text)
    try parser.parse()
    entries = parser.entries
    frameCount = parser.frame
  }

  /// The diagram as text; one that is too long to draw is written as a list of marks and frames.
  public var description: String {
    frameCount > 2000 ? entries.map { "\($0.mark)@\($0.frame)" }.joined(separator: " ") : cells.joined()
  }

  /// Adds frames without marks at the end.
  mutating func extend(to count: Int) {
    frameCount = max(frameCount, count)
  }

  /// What stands in each frame.
  var cells: [String] {
    var cells = Array(repeating: "-", count: frameCount)
    var rest = entries[...]
    while let frame = rest.first?.frame {
      let marks = rest.prefix { $0.frame == frame }
      rest = rest.dropFirst(marks.count)
      let signs = marks.map(\.mark.description).joined()
      cells[frame] = marks.count > 1 ? "(\(signs))" : signs
    }
    return cells
  }
}

extension MarbleDiagram.Mark: CustomStringConvertible {
  /// The mark as it is written in a diagram.
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

/// What is wrong with a diagram.
public struct MarbleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to write instead.
  public let message: String

  /// The diagram.
  public let text: String

  /// Where in the text it is wrong, counted in characters from 0.
  public let position: Int

  /// The message, and the diagram with a sign under the place.
  public var description: String {
    "\(message)\n  \(text)\n  \(String(repeating: " ", count: position))↑"
  }
}
