// Puts each mutant of a list behind a switch in a copy of the sources, so that one build contains all mutants.
//
//     mutants LIST COPY    changes the files below COPY. Prints a line for each mutant: the error in it, the case of
//                          Tests/Safety, and the pattern of tests in the list, or -.
import Foundation

struct Mutant {
  var meaning: String
  var file = ""
  var find = ""
  var use: String?
  var instead: String?
  var safetyCase: String?
  var tests: String?
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("mutants: \(message)\n".utf8))
  exit(1)
}

func read(_ path: String) -> String {
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("can't read \(path)") }
  return text
}

guard CommandLine.arguments.count == 3 else { fail("pass the list and the folder of the copy") }
let (list, copy) = (CommandLine.arguments[1], CommandLine.arguments[2])

var mutants: [Mutant] = []
for line in read(list).split(separator: "\n") {
  let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
  guard let word = parts.first else { continue }
  let rest = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
  if line.hasPrefix(" ") { continue }
  switch word {
  case "#": mutants.append(Mutant(meaning: rest))
  case "in": mutants[mutants.count - 1].file = rest
  case "find": mutants[mutants.count - 1].find = rest
  case "use": mutants[mutants.count - 1].use = rest
  case "do": mutants[mutants.count - 1].instead = rest
  case "test": mutants[mutants.count - 1].tests = rest
  case "case": mutants[mutants.count - 1].safetyCase = rest
  default: continue
  }
}

/// A pattern for a text in which ⏎ stands for a line break and an indentation.
func pattern(_ text: Substring) -> String {
  text.split(separator: "⏎", omittingEmptySubsequences: false)
    .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: #"\n\s*"#)
}

for (index, mutant) in mutants.enumerated() {
  let number = index + 1
  guard let start = mutant.find.firstIndex(of: "«"), let end = mutant.find.firstIndex(of: "»") else {
    fail("mutant \(number) (\(mutant.meaning)) doesn't mark what it changes with « and »")
  }
  let before = mutant.find[..<start]
  let old = mutant.find[mutant.find.index(after: start)..<end]
  let after = mutant.find[mutant.find.index(after: end)...]
  let expression = try NSRegularExpression(pattern: "(\(pattern(before)))(\(pattern(old)))(\(pattern(after)))")

  let path = "\(copy)/\(mutant.file)"
  let text = read(path)
  let found = expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
  guard found.count == 1, let range = Range(found[0].range(at: 2), in: text) else {
    fail(
      "\(mutant.file) contains the code that mutant \(number) (\(mutant.meaning)) changes \(found.count) times, not once"
    )
  }
  let original = text[range]
  let mutated: String
  if let use = mutant.use, use.hasPrefix("case ") {
    // An expression can't choose a pattern, so the mutant's pattern always matches.
    mutated = "(isMutant(\(number)) || { if \(original) { true } else { false } }())"
  } else if let use = mutant.use {
    mutated = "(isMutant(\(number)) ? (\(use)) : (\(original)))"
  } else if let instead = mutant.instead {
    mutated = "if isMutant(\(number)) { \(instead) } else { \(original) }"
  } else {
    fail("mutant \(number) (\(mutant.meaning)) has neither `use` nor `do`")
  }
  do {
    try text.replacingCharacters(in: range, with: mutated).write(toFile: path, atomically: true, encoding: .utf8)
  } catch {
    fail("can't write \(path): \(error)")
  }
  print("\(number)\t\(mutant.meaning)\t\(mutant.safetyCase ?? "-")\t\(mutant.tests ?? "-")")
}

let switchboard = """
  #if canImport(Glibc)
  import Glibc
  #else
  import Darwin
  #endif

  /// Whether the mutant with this number is active.
  @inline(never)
  public func isMutant(_ number: Int) -> Bool { number == mutantInForce }

  private let mutantInForce = getenv("WEIR_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

  """
do {
  try switchboard.write(toFile: "\(copy)/Sources/Weir/Mutants.swift", atomically: true, encoding: .utf8)
} catch {
  fail("can't write the switchboard: \(error)")
}
