import Foundation

/// What the command line asks for.
struct Options {
  var json: String?
  var plot: String?
  var filter: String?
  var isQuick = false
  var isGrowth = false
  var scrabble: String?
  var passes: Int?

  static let usage = """
    usage: Benchmarks [--filter TEXT] [--json FILE] [--plot FILE.svg] [--quick] [--growth] [--scrabble FOLDER [--passes COUNT]]

      --filter TEXT    only the workloads whose number and title a regular expression, or this text, is found in
      --json FILE      write the results there too
      --plot FILE.svg  draw them
      --quick          fewer and shorter rounds: for trying things, not for quoting numbers
      --growth         the cost as the work grows, instead of the workloads
      --scrabble FOLDER
                       Shakespeare plays Scrabble, instead of the workloads, with what Tests/Benchmarks/scrabble puts there
      --passes COUNT   play so often and only print the result: for counting instructions
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": json = try rest.value(of: argument)
      case "--plot": plot = try rest.value(of: argument)
      case "--filter": filter = try rest.value(of: argument)
      case "--quick": isQuick = true
      case "--growth": isGrowth = true
      case "--scrabble": scrabble = try rest.value(of: argument)
      case "--passes":
        guard let count = Int(try rest.value(of: argument)) else { throw Complaint("\(argument) needs a number.") }
        passes = count
      case "--help", "-h":
        print(Options.usage)
        exit(0)
      default: throw Complaint("There is no option \(argument).")
      }
    }
  }

  func wants(_ text: String) -> Bool {
    guard let filter else { return true }
    if text.localizedCaseInsensitiveContains(filter) { return true }
    guard let expression = try? Regex(filter).ignoresCase() else { return false }
    return text.contains(expression)
  }
}

/// What is wrong with the command line.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ArraySlice<String> {
  fileprivate mutating func value(of option: String) throws -> String {
    guard let value = popFirst() else { throw Complaint("\(option) needs a value.") }
    return value
  }
}

/// A line on the terminal with the current step; nothing if the output is not a terminal.
struct Progress {
  let isShown = isatty(2) == 1

  func show(_ text: String) {
    write("\r\u{1B}[K\(text)")
  }

  func clear() {
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) {
    if isShown { FileHandle.standardError.write(Data(text.utf8)) }
  }
}
