// Writes the files that are copies of others with replacements: the `try` variants of operators, and extensions of one
// type that repeat those of another type. Read and change the original. This file contains all replacements.
//
//     twins SOURCES FOLDER

import Foundation

/// A file to write: the text of an original, with replacements.
struct Twin {
  /// The path of the original in the folder of the sources, without its extension.
  let source: String
  let target: String
  var text: String

  init(of source: String, as target: String, _ replacements: [(String, String)] = []) {
    self.source = source
    self.target = target
    let note = "// .ci/twins writes \(target.split(separator: "/").last ?? "").swift from this file.\n\n"
    text = contents(of: source)
    guard text.hasPrefix(note) else { stop("\(source) doesn't begin with: \(note)") }
    text.removeFirst(note.count)
    replace(replacements)
  }

  /// Replaces each occurrence; the text must have one.
  mutating func replace(_ replacements: [(String, String)]) {
    for (old, new) in replacements {
      guard text.contains(old) else { stop("\(source) doesn't contain: \(old)") }
      text = text.replacingOccurrences(of: old, with: new)
    }
  }

  mutating func replace(pattern: String, with template: String) {
    text = text.replacingOccurrences(of: pattern, with: template, options: .regularExpression)
  }
}

let sources = CommandLine.arguments[1]

func contents(of path: String) -> String {
  guard let text = try? String(contentsOfFile: "\(sources)/\(path).swift", encoding: .utf8) else { stop("No \(path)") }
  return text
}

func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(1)
}

// MARK: The `try` variants of operators

let error = "an error that the closure throws cancels the upstream and becomes the failure."

/// Returns the `try` variant of an operator: its method and its struct.
///
/// An operation that both share is generic over its failures. If the variant has its own operation, the operator's file
/// contains it, such as `TryMapOperator`. The variant creates it with `arguments`.
func throwing(
  _ source: String, _ methods: [String], examples: [String], arguments: String? = nil, completion: String? = nil,
  _ replacements: [(String, String)] = []
) -> Twin {
  let name = source.split(separator: "/").last.map(String.init) ?? source
  var twin = Twin(of: "Weir/Operators/\(source)", as: "Weir/Operators/Generated/Try\(name)")
  let blocks = ["extension Publisher {\n", "extension Publishers {\n"].map { head in
    guard let start = twin.text.range(of: head),
      let end = twin.text.range(of: "\n}\n", range: start.lowerBound..<twin.text.endIndex)
    else { stop("\(source) has no \(head)") }
    return String(twin.text[start.lowerBound..<end.upperBound])
  }
  twin.text = documented(blocks[0], examples, completion) + "\n" + blocks[1]
  twin.replace(replacements)
  for method in methods { twin.replace([("func \(method)", "func \(tried(method))")]) }
  twin.replace([("Publishers.\(name)", "Publishers.Try\(name)"), ("struct \(name)<", "struct Try\(name)<")])
  for noun in ["predicate", "closure"] {
    twin.text = twin.text.replacingOccurrences(of: " a \(noun)", with: " a throwing \(noun)")
  }
  twin.replace(pattern: "((?:@escaping|public let \\w+:) \\([^()]*\\)) ->", with: "$1 throws ->")
  if let arguments {
    twin.replace(
      pattern: "upstream\\.attach\\(.*\\)\n",
      with: "upstream.attach(downstream, through: Try\(name)Operator(\(arguments)))\n")
  } else if twin.text.contains("named: \"") {
    twin.replace([("named: \"\(name)", "named: \"Try\(name)")])
  } else {
    twin.replace(pattern: "(upstream\\.attach\\(downstream, .*)\\)\n", with: "$1, named: \"Try\(name)\")\n")
  }
  if twin.text.contains("typealias Failure = Upstream.Failure") {
    twin.text = twin.text.replacingOccurrences(of: "NonThrowing<Failure>", with: "Throwing<Upstream.Failure>")
    twin.replace([
      ("The upstream's failure type.", "Any error that the closure throws or the upstream fails with."),
      ("typealias Failure = Upstream.Failure", "typealias Failure = any Error"),
    ])
  }
  return twin
}

/// Returns the name of a method's variant: `tryFirst` for `first`.
func tried(_ method: String) -> String {
  let name = method.replacingOccurrences(of: "`", with: "")
  return "try\(name.prefix(1).uppercased())\(name.dropFirst())"
}

/// Gives each method of an extension its own example, and describes the effect of an error.
func documented(_ text: String, _ examples: [String], _ completion: String?) -> String {
  let head = "  /// - Completion and cancellation: "
  var examples = examples[...]
  var lines: [String] = []
  var paragraph: String?
  var isSummary = true
  for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
    if let begun = paragraph {
      if line.hasPrefix("  ///   ") {
        paragraph = begun + " " + line.dropFirst(8)
        continue
      }
      lines += wrapped(head + (completion ?? withError(String(begun.dropFirst(head.count)))))
      paragraph = nil
    }
    if line.hasPrefix(head) {
      paragraph = line
    } else if line.hasPrefix("  ///     ") {
      continue
    } else if line.hasPrefix("  ///"), isSummary {
      isSummary = false
      lines.append(line)
      if let example = examples.popFirst() {
        lines.append("  ///")
        lines += example.split(separator: "\n").map { "  ///     \($0)" }
      }
    } else if line == "  ///", lines.last == line {
      continue
    } else {
      if !line.hasPrefix("  ///") { isSummary = true }
      lines.append(line)
    }
  }
  return lines.joined(separator: "\n")
}

func withError(_ completion: String) -> String {
  let unchanged = "forwarded unchanged."
  if completion.hasPrefix(unchanged) { return error + completion.dropFirst(unchanged.count) }
  return "\(completion) \(error.prefix(1).uppercased())\(error.dropFirst())"
}

/// Breaks a list item of a documentation comment into lines of 120 columns.
func wrapped(_ item: String) -> [String] {
  var lines: [String] = []
  for word in item.dropFirst(6).split(separator: " ") {
    if let line = lines.last, line.count + 1 + word.count <= 120 {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append("\(lines.isEmpty ? "  /// " : "  ///   ")\(word)")
    }
  }
  return lines
}

let operators = [
  throwing(
    "Matching/AllSatisfy", ["allSatisfy"],
    examples: [
      """
      source                  -2-4-6-|
      .tryAllSatisfy(isEven)  -------('true'|)
      """
    ]),
  throwing(
    "Matching/ContainsWhere", ["contains"],
    examples: [
      """
      source                       -1-(0!)
      .tryContains(where: isEven)  ---#
      """
    ]),
  throwing(
    "Selecting/FirstWhere", ["first"],
    examples: [
      """
      source                    -1-3-(4!)
      .tryFirst(where: isEven)  -----(4|)
      """
    ]),
  throwing(
    "Selecting/LastWhere", ["last"],
    examples: [
      """
      source                   -1-2-(0!)
      .tryLast(where: isEven)  -----#
      """
    ]),
  throwing(
    "Selecting/DropWhile", ["drop"],
    examples: [
      """
      source                   -2-4-1-6-|
      .tryDrop(while: isEven)  -----1-6-|
      """
    ]),
  throwing(
    "Selecting/PrefixWhile", ["prefix"],
    examples: [
      """
      source                     -2-4-(0!)
      .tryPrefix(while: isEven)  -2-4-#
      """
    ], arguments: "predicate"),
  throwing(
    "Filtering/Filter", ["filter"],
    examples: [
      """
      source              -1-2-3-(0!)
      .tryFilter(isEven)  ---2---#
      """
    ], arguments: "isIncluded"),
  throwing(
    "Filtering/RemoveDuplicates", ["removeDuplicates"],
    examples: [
      """
      source                             -1-1-2-(0!)
      .tryRemoveDuplicates(by: areSame)  -1---2-#
      """
    ], arguments: "predicate", [("from the previous one.", "from the previous one, compared by a closure.")]),
  throwing(
    "Mapping/Map", ["map"],
    examples: [
      """
      source         -2-4-(5!)
      .tryMap(half)  -1-2-#
      """
    ], arguments: "transform"),
  throwing(
    "Mapping/CompactMap", ["compactMap"],
    examples: [
      """
      source                 -1-x-(0!)
      .tryCompactMap(digit)  -1---#
      """
    ], arguments: "transform", [("transforming each value.", "transforming each value with a closure.")]),
  throwing(
    "Mapping/Scan", ["scan"],
    examples: [
      """
      source                               -2-4-(5!)
      .tryScan(0) { $0 + (try half($1)) }  -1-3-#
      """
    ], arguments: "initialResult, nextPartialResult",
    [
      ("with the previous result, and", "with the previous result in a closure, and"),
      ("with the previous result.", "with the previous result in a closure."),
    ]),
  throwing(
    "Reducing/Reduce", ["reduce"],
    examples: [
      """
      source                                 -2-4-(5!)
      .tryReduce(0) { $0 + (try half($1)) }  -----#
      """
    ],
    [
      ("one result, which is sent before", "one result in a closure, and sends it before"),
      ("of combining all values.", "of combining all values with a closure."),
    ]),
  throwing(
    "Reducing/Comparison", ["min", "max"],
    examples: [
      """
      source                  -2-1-3-|
      .tryMin(by: isOrdered)  -------(1|)
      """,
      """
      source                  -2-3-(0!)
      .tryMax(by: isOrdered)  -----#
      """,
    ],
    [
      ("    max { areInIncreasingOrder", "    tryMax { try areInIncreasingOrder"),
      ("`min` and `max`", "`tryMin` and `tryMax`"),
      ("maximum of the upstream's values.", "maximum value in the order of a closure."),
    ]),
  throwing(
    "Errors/Catch", ["`catch`"],
    examples: [
      """
      source             -1-2-#
      other              -----^8-9-|
      .tryCatch(handle)  -1-2--8-9-|
      """
    ],
    completion: "only the first failure is caught. An error that the closure throws becomes the failure. Otherwise the "
      + "replacement's completion is forwarded.",
    [
      ("another publisher after a failure.", "another publisher after a failure, or fails with the closure's error."),
      ("another after a failure.", "another after a failure, or fails with the closure's error."),
      ("The replacement's failure type.", "Any error that the closure throws or the replacement fails with."),
      ("typealias Failure = NewPublisher.Failure", "typealias Failure = any Error"),
      ("NonThrowing<Failure>", "Throwing<NewPublisher.Failure>"),
      ("SubscriptionArbiter(\"Catch", "SubscriptionArbiter(\"TryCatch"),
    ]),
]

// MARK: Others

let others = [
  Twin(
    of: "WeirFoundation/Schedulers/RunLoop+SchedulerTimeType",
    as: "WeirFoundation/Generated/OperationQueue+SchedulerTimeType",
    [("RunLoop", "OperationQueue"), ("a run loop", "an operation queue")]),
  Twin(
    of: "WeirRx/Sharing/Drive", as: "WeirRx/Generated/Emit",
    [
      ("results.drive(onNext: { list.rows = $0 })", "errors.emit(onNext: { alert.show($0) })"),
      ("taps.drive {", "taps.emit {"),
      ("each value.", "each event."), ("Sends the values", "Sends the events"),
      ("func drive(_ ", "func emit(to "), ("func drive<Result>(_ ", "func emit<Result>(to "),
      ("func drive", "func emit"), ("DriverSharing", "SignalSharing"),
    ]),
  Twin(
    of: "WeirRx/Sharing/AsDriver", as: "WeirRx/Generated/AsSignal",
    [("onErrorDriveWith", "onErrorSignalWith"), ("driver", "signal"), ("Driver", "Signal")]),
  Twin(
    of: "WeirRx/Traits/Single+Operators", as: "WeirRx/Generated/Maybe+Operators",
    [
      // A maybe without a value.
      ("///     other                  ---^-(8|)", "///     other                  ---^-|"),
      ("///     .catch { _ in other }  -----(8|)", "///     .catch { _ in other }  -----|"),
      ("///     single     --(#^)--(1|)", "///     maybe      --(#^)--|"),
      ("///     .retry(1)  ---   --(1|)", "///     .retry(1)  ---   --|"),
      ("///     single                            --(1|)\n", "///     maybe                             --|\n"),
      ("///     .delay(for: 3, scheduler: clock)  ---   --(1|)", "///     .delay(for: 3, scheduler: clock)  -----|"),
      ("///     a                 ---   -(1|)", "///     a                --!"),
      ("///     b                 --(x|)", "///     b                --|"),
      ("///     Single.zip(a, b)  ---   -('1x'|)", "///     Maybe.zip(a, b)  --|"),
      ("///     single                                 --^-(1|)", "///     maybe                                --^-|"),
      ("///     Single<Int, Oops>.deferred { single }  --^-(1|)", "///     Maybe<Int, Oops>.deferred { maybe }  --^-|"),
      (
        "fails as soon as one fails; the other is cancelled.",
        """
        fails as soon as one fails. Finishes without a value as soon as one has none. The
          ///   other is then cancelled.
        """
      ),
      ("///     single ", "///     maybe  "), ("single", "maybe"), ("Single", "Maybe"),
    ]),
]

// MARK: Files

let target = CommandLine.arguments[2]
for twin in operators + others {
  let path = "\(target)/\(twin.target).swift"
  try FileManager.default.createDirectory(
    atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
  try
    "// Generated by .ci/twins from \(twin.source.split(separator: "/").last ?? "").swift: change that file.\n\n\(twin.text)"
    .write(toFile: path, atomically: true, encoding: .utf8)
}
