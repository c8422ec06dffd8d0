/// The parsed arguments.
struct Options: Equatable {
  enum Task: Equatable {
    case help
    case summarize([String])
    /// Generates a log of this many bytes.
    case generate(Int)
  }

  var task = Task.summarize([])
  var window = Window.hour
  var slow: Int?
  var plot: String?
  var isTabSeparated = false
  var seed: UInt64 = 1

  static let help = """
    Usage: LogStats [OPTION]... [FILE]...
           LogStats --generate SIZE [--seed N]

    Prints statistics of a web server's access logs, in the common or the combined format: requests, bytes and errors,
    by status, path, host and time, in UTC. It reads the FILEs one after the other, or standard input if FILE is - or
    if there is none. A file may be larger than memory. Malformed lines are counted, and the first five are shown.

    Options:
      --window LENGTH   count requests by minute, hour (the default) or day
      --plot OUT.svg    draw the requests of each window
      --tsv             print each figure on a line, separated by tabs
      --slow N          process at most N records per second
      --generate SIZE   write a generated log of about this size to standard output: 500kB, 20MB, 2GB
      --seed N          generate a different log
      --help            print this

    On a terminal it shows its progress. NO_COLOR=1 turns off the colors.

    Exit status: 0, also if lines are malformed; 64 if the arguments are invalid; 66 if a FILE is missing, a directory,
    or can't be opened; 73 if the plot can't be created; 74 if reading or writing fails; 141 if the output is a closed
    pipe. If it isn't 0, a line on standard error gives the reason.

    """

  init(_ arguments: some Sequence<String>) throws(Problem) {
    var files: [String] = []
    var rest = Array(arguments)[...]
    var size: Int?
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        task = .help
        return
      case "--tsv": isTabSeparated = true
      case "--slow": slow = try Self.number(in: 1...1_000_000_000, after: argument, &rest)
      case "--seed": seed = UInt64(try Self.number(in: 0...Int.max, after: argument, &rest))
      case "--plot": plot = try Self.value(after: argument, &rest)
      case "--window":
        let name = try Self.value(after: argument, &rest)
        guard let window = Window(rawValue: name) else {
          throw .usage("--window is minute, hour or day, not \(name)")
        }
        self.window = window
      case "--generate":
        let text = try Self.value(after: argument, &rest)
        guard let bytes = Self.size(text) else {
          throw .usage("\(text) is not a size: a size is a number of bytes, such as 500000, 20MB or 2GB")
        }
        size = bytes
      case "--":
        files += rest
        rest = []
      case "-": files.append(argument)
      case let option where option.hasPrefix("-"): throw .usage("there is no option \(option)")
      default: files.append(argument)
      }
    }
    if size != nil, !files.isEmpty { throw .usage("--generate writes a log, and takes no FILE") }
    task = size.map { .generate($0) } ?? .summarize(files)
  }

  private static func value(after option: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
    guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }

  private static func number(
    in range: ClosedRange<Int>, after option: String, _ rest: inout ArraySlice<String>
  ) throws(Problem) -> Int {
    let text = try value(after: option, &rest)
    guard let number = Int(text), range.contains(number) else {
      throw .usage("\(option) needs a number from \(range.lowerBound), not \(text)")
    }
    return number
  }

  private static func size(_ text: String) -> Int? {
    let units = ["GB": 1_000_000_000, "MB": 1_000_000, "KB": 1000, "B": 1]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).uppercased()
    guard let number = Int(digits), let factor = unit.isEmpty ? 1 : units[unit] else { return nil }
    let (size, isTooMuch) = number.multipliedReportingOverflow(by: factor)
    return isTooMuch ? nil : size
  }
}
