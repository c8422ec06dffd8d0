/// A server's answer to a command.
public enum RedisReply: Hashable, Sendable {
  /// No value: a missing key, or a timeout.
  case null
  /// A number.
  case integer(Int)
  /// Text in UTF-8; invalid bytes are replaced.
  case text(String)
  /// Several answers.
  case array([RedisReply])
  /// The command was refused, for this reason.
  case error(String)

  /// The text, or the number as text.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .null, .array, .error: nil
    }
  }

  /// The number, also of a text.
  public var integer: Int? {
    switch self {
    case .integer(let number): number
    case .text(let text): Int(text)
    case .null, .array, .error: nil
    }
  }

  /// The elements of an array.
  public var elements: [RedisReply] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The dictionary of alternating names and values, as the server writes it.
  public var dictionary: [String: RedisReply] {
    let elements = elements
    var result: [String: RedisReply] = [:]
    for index in stride(from: 0, to: elements.count - 1, by: 2) {
      if let name = elements[index].text { result[name] = elements[index + 1] }
    }
    return result
  }

  /// The refusal, if this is one.
  var refusal: Refusal? {
    if case .error(let message) = self { Refusal(message: message) } else { nil }
  }
}

/// A refused command.
struct Refusal {
  let message: String

  /// The server may accept it later: it is loading its data, for example, or its disk is full.
  var isTemporary: Bool {
    ["LOADING", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "READONLY", "BUSY "].contains {
      message.hasPrefix($0)
    }
  }

  /// The group exists already.
  var saysThatGroupExists: Bool { message.hasPrefix("BUSYGROUP") }

  /// The group or its stream doesn't exist: the server lost its data, or they were deleted.
  var saysThatGroupIsGone: Bool { message.hasPrefix("NOGROUP") || message.hasPrefix("UNBLOCKED") }

  var error: RedisError { isTemporary ? .connection(message) : .server(message) }
}
