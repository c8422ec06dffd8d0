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

      --filter TEXT    only the workloads whose number and title match this text or regular expression
      --json FILE      also write the results to this file
      --plot FILE.svg  draw the results
      --quick          fewer and shorter rounds; do not quote the figures
      --growth         measure how the cost grows with the work, instead of the workloads
      --scrabble FOLDER
                       play Scrabble instead of the workloads, with the files of Tests/Benchmarks/scrabble in this folder
      --passes COUNT   play this many times and print only the result, for counting instructions
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
