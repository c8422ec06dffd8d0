/// The fields of an entry: names and values, in order.
public struct StreamFields: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// Names and values that take turns, as the server has them.
  public var words: [String]

  /// Makes fields of names and values that take turns.
  public init(words: [String]) {
    self.words = words
  }

  /// Makes fields of names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    words = elements.flatMap { [$0.0, $0.1] }
  }

  /// The first value of this name.
  public subscript(name: String) -> String? {
    stride(from: 0, to: words.count - 1, by: 2).first { words[$0] == name }.map { words[$0 + 1] }
  }

  /// The fields, as one would write them.
  public var description: String {
    stride(from: 0, to: words.count - 1, by: 2).map { "\(words[$0])=\(words[$0 + 1])" }.joined(separator: " ")
  }
}

/// The name of an entry: a time in milliseconds and a number, by which the entries of a stream are in order.
public struct StreamID: Hashable, Sendable, Comparable, LosslessStringConvertible {
  /// When the entry was written, in milliseconds since 1970.
  public let milliseconds: UInt64

  /// Which of that time it is.
  public let number: UInt64

  /// Makes a name.
  public init(milliseconds: UInt64, number: UInt64) {
    self.milliseconds = milliseconds
    self.number = number
  }

  /// Reads a name as the server writes it.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, let milliseconds = UInt64(first) else { return nil }
    guard parts.count <= 2, let number = parts.count == 2 ? UInt64(parts[1]) : 0 else { return nil }
    self.init(milliseconds: milliseconds, number: number)
  }

  /// The name before all others.
  static let zero = StreamID(milliseconds: 0, number: 0)

  /// The next name that there can be.
  var next: StreamID {
    number == .max
      ? StreamID(milliseconds: milliseconds + 1, number: 0) : StreamID(milliseconds: milliseconds, number: number + 1)
  }

  /// The name as the server writes it.
  public var description: String { "\(milliseconds)-\(number)" }

  /// Whether the one comes before the other in a stream.
  public static func < (left: StreamID, right: StreamID) -> Bool {
    (left.milliseconds, left.number) < (right.milliseconds, right.number)
  }
}

/// An entry as it comes from the server; without fields if it was deleted meanwhile.
struct RawEntry {
  let id: StreamID
  let fields: StreamFields?

  init?(_ reply: RedisReply) {
    guard let id = reply.elements.first?.text.flatMap(StreamID.init) else { return nil }
    self.id = id
    if case .array(let words) = reply.elements.dropFirst().first {
      fields = StreamFields(words: words.map { $0.text ?? "" })
    } else {
      fields = nil
    }
  }
}
