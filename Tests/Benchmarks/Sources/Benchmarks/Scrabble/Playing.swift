import Foundation
import Scrabble
import ScrabbleInOpenCombine
import ScrabbleInWeir

// "Shakespeare plays Scrabble", which libraries of this kind have compared themselves by since 2015, see
// Tests/Benchmarks/scrabble.

@MainActor
func playScrabble(in folder: String, _ options: Options, _ progress: Progress) throws {
  let (words, dictionary) = ("\(folder)/words", "\(folder)/dictionary")
  let game = Game(words: try lines(of: words), dictionary: Set(try lines(of: dictionary)))
  var works: KeyValuePairs<Contender, () -> [Rank]> {
    [
      .limit: { ByLoops(game: game).play() },
      .lazySequences: { ByLazySequences(game: game).play() },
      .weir: { ScrabbleInWeir.play(game) },
      .openCombine: { ScrabbleInOpenCombine.play(game) },
      .asyncAlgorithms: { blocking { await ByAsyncSequences(game: game).play() } },
    ]
  }
  if let passes = options.passes {
    for (contender, play) in works where options.filter == contender.rawValue {
      var digest = 0
      for _ in 0..<passes { digest = play().digest }
      print(digest)
    }
    return
  }

  let best = ByLoops(game: game).play()
  var work: [Contender: Workload.Work] = [:]
  for (contender, play) in works { work[contender] = { play().digest } }
  let java = try Java.ifInstalled(in: folder, [words, dictionary, options.isQuick ? "1" : "10"])
  if let java { work[.java] = java.answer }
  let workload = Workload(
    "Scrabble", "Shakespeare plays Scrabble", operations: game.words.count, expected: best.digest,
    bound: .fasterThan(.openCombine, times: 1), work: work)
  // A game takes up to a second. On a busy machine a turn that is shorter than the others' would be interrupted less.
  let harness = Harness(options, progress, turn: .milliseconds(500))
  let outcome = harness.run([workload])[0]
  progress.clear()

  let instructions = try? countedInstructions("\(folder)/instructions")
  let known = game.words.count { game.dictionary.contains($0) }
  print(
    """
    \(game.words.count.grouped) words, of which \(known.grouped) are among the \(game.dictionary.count.grouped) of the \
    dictionary. All contenders find the same three scores:

    \(best.map { "  \($0)" }.joined(separator: "\n"))

    """)
  let rows = ScrabbleRow.all(outcome, instructions ?? [:])
  print(Table(rows).text)
  print(
    """

    Times are medians of \(harness.rounds) rounds, in which all take turns; the ratios are medians of each round's ratio. \
    Instructions and allocations are those of a game, divided by the words.
    """)
  if java == nil { print("Java's streams are skipped: there is no Scrabble.class in \(folder).") }
  if let file = options.json { try write(encode(outcome), to: file) }
  if let file = options.plot { try write(Plot(rows).svg, to: file) }
}

private func lines(of file: String) throws -> [String] {
  // Each is a string of its own, without a reference to the file's.
  let text = try String(contentsOfFile: file, encoding: .utf8)
  return text.utf8.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
}

/// A contender and what its instructions for each word are, separated by a tab.
private func countedInstructions(_ file: String) throws -> [String: Double] {
  var counts: [String: Double] = [:]
  for line in try lines(of: file) {
    let columns = line.split(separator: "\t")
    if columns.count == 2 { counts[String(columns[0])] = Double(columns[1]) }
  }
  return counts
}

/// What one contender took.
struct ScrabbleRow {
  let contender: Contender
  /// For a game.
  let milliseconds: Double
  let toLoops: Double?
  let toWeir: Double?
  /// For each word.
  let instructions: Double?
  /// For each word.
  let allocations: Double?

  static let names: KeyValuePairs<Contender, String> = [
    .limit: "loops", .lazySequences: "lazy sequences", .java: "Java's streams", .weir: "Weir",
    .openCombine: "OpenCombine", .asyncAlgorithms: "AsyncSequence",
  ]

  var name: String { ScrabbleRow.names.first { $0.key == contender }?.value ?? contender.rawValue }

  static func all(_ outcome: Outcome, _ instructions: [String: Double]) -> [ScrabbleRow] {
    Contender.allCases.compactMap { contender in
      guard let measured = outcome[contender] else { return nil }
      return ScrabbleRow(
        contender: contender, milliseconds: measured.median * Double(outcome.operations) / 1e6,
        toLoops: measured.toLimit, toWeir: measured.toWeir, instructions: instructions[contender.rawValue],
        // Java's are not counted: the blocks of its heap are its own.
        allocations: contender == .java ? nil : measured.allocations)
    }
  }
}

extension Table {
  init(_ rows: [ScrabbleRow]) {
    header = ["", "ms a game", "times the loops", "times Weir", "instructions a word", "allocations a word"]
    self.rows = rows.map { row in
      [
        row.name, row.milliseconds.short, row.toLoops?.short ?? "–", row.toWeir?.short ?? "–",
        row.instructions?.short ?? "–", row.allocations?.short ?? "–",
      ]
    }
  }
}

/// The program for Java's machine, which plays in a process of its own, once for each line that it gets.
private final class Java {
  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()

  static func ifInstalled(in folder: String, _ arguments: [String]) throws -> Java? {
    guard FileManager.default.fileExists(atPath: "\(folder)/Scrabble.class") else { return nil }
    return try Java(["java", "-Xms1g", "-Xmx1g", "-cp", folder, "Scrabble"] + arguments)
  }

  private init(_ command: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func answer() -> Int {
    questions.fileHandleForWriting.write(Data("\n".utf8))
    var line = ""
    while !line.hasSuffix("\n") {
      let data = answers.fileHandleForReading.availableData
      if data.isEmpty { fatalError("The Java process has exited.") }
      line += String(decoding: data, as: UTF8.self)
    }
    return Int(line.dropLast()) ?? 0
  }
}
