/// The fields of an entry: names and values, in order.
public struct StreamFields: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// Alternating names and values, as in the server's protocol.
  public var words: [String]

  /// Creates fields from alternating names and values.
  public init(words: [String]) {
    self.words = words
  }

  /// Creates fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    words = elements.flatMap { [$0.0, $0.1] }
  }

  /// The first value with this name.
  public subscript(name: String) -> String? {
    stride(from: 0, to: words.count - 1, by: 2).first { words[$0] == name }.map { words[$0 + 1] }
  }

  /// The fields as text.
  public var description: String {
    stride(from: 0, to: words.count - 1, by: 2).map { "\(words[$0])=\(words[$0 + 1])" }.joined(separator: " ")
  }
}

/// The identifier of an entry: a time in milliseconds and a number, which order the entries of a stream.
public struct StreamID: Hashable, Sendable, Comparable, LosslessStringConvertible {
  /// The time of the entry, in milliseconds since 1970.
  public let milliseconds: UInt64

  /// The number of the entry in its millisecond.
  public let number: UInt64

  /// Creates an identifier.
  public init(milliseconds: UInt64, number: UInt64) {
    self.milliseconds = milliseconds
    self.number = number
  }

  /// Parses an identifier in the server's notation.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, let milliseconds = UInt64(first) else { return nil }
    guard parts.count <= 2, let number = parts.count == 2 ? UInt64(parts[1]) : 0 else { return nil }
    self.init(milliseconds: milliseconds, number: number)
  }

  /// The smallest identifier.
  static let zero = StreamID(milliseconds: 0, number: 0)

  /// The next possible identifier.
  var next: StreamID {
    number == .max
      ? StreamID(milliseconds: milliseconds + 1, number: 0) : StreamID(milliseconds: milliseconds, number: number + 1)
  }

  /// The identifier in the server's notation.
  public var description: String { "\(milliseconds)-\(number)" }

  /// Whether one entry precedes another in a stream.
  public static func < (left: StreamID, right: StreamID) -> Bool {
    (left.milliseconds, left.number) < (right.milliseconds, right.number)
  }
}

/// An entry from the server; without fields if it was deleted meanwhile.
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
