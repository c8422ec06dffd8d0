/// What a server answers to a command.
public enum RedisReply: Hashable, Sendable {
  /// Nothing: a key that is not there, or a wait that was in vain.
  case null
  /// A number.
  case integer(Int)
  /// Text: in UTF-8, and repaired where it is not.
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

  /// The number, also one that came as text.
  public var integer: Int? {
    switch self {
    case .integer(let number): number
    case .text(let text): Int(text)
    case .null, .array, .error: nil
    }
  }

  /// The answers of which this one consists.
  public var elements: [RedisReply] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// What names and values that take turns say: how the server writes a dictionary.
  public var dictionary: [String: RedisReply] {
    let elements = elements
    var result: [String: RedisReply] = [:]
    for index in stride(from: 0, to: elements.count - 1, by: 2) {
      if let name = elements[index].text { result[name] = elements[index + 1] }
    }
    return result
  }

  /// The reason of a refusal.
  var refusal: Refusal? {
    if case .error(let message) = self { Refusal(message: message) } else { nil }
  }
}

/// A refused command.
struct Refusal {
  let message: String

  /// The server may do it later: it is still loading its data, say, or its disk is full.
  var isTemporary: Bool {
    ["LOADING", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "READONLY", "BUSY "].contains {
      message.hasPrefix($0)
    }
  }

  /// The group that was meant is there already.
  var saysThatGroupExists: Bool { message.hasPrefix("BUSYGROUP") }

  /// The group, or the stream with it, is gone: the server came back without its data, or someone deleted it.
  var saysThatGroupIsGone: Bool { message.hasPrefix("NOGROUP") || message.hasPrefix("UNBLOCKED") }

  var error: RedisError { isTemporary ? .connection(message) : .server(message) }
}
