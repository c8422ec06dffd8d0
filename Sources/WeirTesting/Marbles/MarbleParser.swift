/// Parses a ``MarbleDiagram`` sign by sign.
struct MarbleParser {
  private let text: String
  private let signs: [Character]
  private var position = 0
  private var groupStart: Int?
  private(set) var entries: [MarbleDiagram.Entry] = []
  private(set) var frame = 0
  /// The position of each entry in the text, for errors that are detected later.
  private(set) var positions: [Int] = []

  init(_ text: String) {
    self.text = text
    signs = Array(text)
  }

  static func hasMeaning(_ token: String) -> Bool {
    "-()|#^!' ".contains(token)
  }

  static func quoted(_ token: String) -> String {
    "'" + token.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
  }

  /// The signs, with a space behind a quoted value that another one follows: they would be one value otherwise.
  static func separated(_ signs: [String]) -> [String] {
    zip(signs, signs.dropFirst() + [""]).map { $0.last == "'" && $1.first == "'" ? $0 + " " : $0 }
  }

  mutating func parse() throws {
    while position < signs.count {
      let start = position
      let sign = signs[position]
      position += 1
      switch sign {
      case " ": break
      case "-": try passTime(at: start)
      case "(": try openGroup(at: start)
      case ")": try closeGroup(at: start)
      case "|": add(.finished, at: start)
      case "#": add(.failure, at: start)
      case "^": add(.subscription, at: start)
      case "!": add(.cancellation, at: start)
      case "'": add(.value(try quotedToken(from: start)), at: start)
      default: add(.value(String(sign)), at: start)
      }
    }
    if let groupStart { throw error("This group is not closed: write “)” after its last sign.", at: groupStart) }
  }

  func error(_ message: String, at position: Int) -> MarbleError {
    MarbleError(message: message, text: text, position: position)
  }

  private mutating func add(_ mark: MarbleDiagram.Mark, at position: Int) {
    entries.append(MarbleDiagram.Entry(frame: frame, mark: mark))
    positions.append(position)
    if groupStart == nil { frame += 1 }
  }

  private mutating func passTime(at start: Int) throws {
    if groupStart != nil {
      throw error("“-” is not allowed in a group: close it with “)” first, or quote a value that has a “-”.", at: start)
    }
    frame += 1
  }

  private mutating func openGroup(at start: Int) throws {
    if groupStart != nil {
      throw error("A group can't be nested in another, because all events of a group are in one frame.", at: start)
    }
    groupStart = start
  }

  private mutating func closeGroup(at start: Int) throws {
    if groupStart == nil { throw error("No group is open here: write “(” before its first sign.", at: start) }
    guard entries.last?.frame == frame else {
      throw error("This group is empty: write “-” for a frame without events.", at: start)
    }
    groupStart = nil
    frame += 1
  }

  private mutating func quotedToken(from start: Int) throws -> String {
    var token = ""
    while position < signs.count {
      let sign = signs[position]
      position += 1
      if sign != "'" {
        token.append(sign)
      } else if position < signs.count, signs[position] == "'" {
        token.append("'")
        position += 1
      } else {
        return token
      }
    }
    throw error("This quote is not closed: write “'” after the value.", at: start)
  }
}
