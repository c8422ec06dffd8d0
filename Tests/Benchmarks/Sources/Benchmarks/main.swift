import Foundation

// Every workload against every contender, in one process; see Options.swift for what can be asked for.

@MainActor
func run(_ options: Options) throws {
  let progress = Progress()
  if options.isGrowth { return try measureGrowth(options, progress) }
  if let folder = options.scrabble { return try playScrabble(in: folder, options, progress) }
  let workloads = Workload.all.filter { options.wants("\($0.name) \($0.title)") }
  guard !workloads.isEmpty else { throw Complaint("No workload has \(options.filter ?? "") in its title.") }
  let harness = Harness(options, progress)
  let results = harness.run(workloads)
  progress.clear()

  print(Table(results).text)
  print(
    """

    Nanoseconds for each value, delivery or subscription: the median of \(harness.rounds) rounds. The ratios are medians \
    of each round's ratio. A dash: the library has no equivalent.

    """)
  print(Table(allocationsOf: results).text)

  if let file = options.json { try write(encode(results), to: file) }
  if let file = options.plot { try write(Plot(results).svg, to: file) }
}

func encode(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}

func write(_ text: String, to file: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: file))
}

do {
  try run(Options(Array(CommandLine.arguments.dropFirst())))
} catch let complaint as Complaint {
  FileHandle.standardError.write(Data("\(complaint)\n\n\(Options.usage)\n".utf8))
  exit(2)
}
