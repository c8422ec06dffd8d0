import Foundation
import Testing

@testable import LogStats

@Suite("The program")
struct ProgramTests {
  private struct Result: Equatable {
    var status: Int32
    var output: String
    var complaints: String
  }

  private func run(_ arguments: String..., input: String = "") throws -> Result {
    let (standardInput, output, complaints) = (try OpenedFile(input), try OpenedFile(""), try OpenedFile(""))
    let program = Program(
      standardInput: standardInput.input, standardOutput: output.output, standardError: complaints.output)
    let status = program.run(arguments)
    return Result(status: status, output: output.file.text, complaints: complaints.file.text)
  }

  private let log = [
    logLine(time: "10/Oct/2025:13:00:00 +0000", size: "10"), "nonsense",
    logLine(time: "10/Oct/2025:14:00:00 +0000", size: "20"),
  ].joined(separator: "\n")

  @Test("reads standard input, and several files in order, each with its own line numbers")
  func inputs() throws {
    let figures = "requests\t2\nbytes\t30\nmalformed\t1\nmalformed line\t2\n"
    let piped = try run("--tsv", input: log)
    #expect(piped.status == 0)
    #expect(piped.complaints == "")
    #expect(piped.output.hasPrefix(figures))
    let file = try TemporaryFile(log)
    #expect(try run("--tsv", file.path) == piped)
    let several = try run("--tsv", file.path, "-", file.path, input: log)
    #expect(
      several.output.hasPrefix(
        "requests\t6\nbytes\t90\nmalformed\t3\n" + String(repeating: "malformed line\t2\n", count: 3)))
    let shown = try run("--", file.path)
    #expect(shown.output.contains("\(file.path):2: no host: nonsense\n"))
  }

  @Test("has the same result at a slow pace")
  func slow() throws {
    #expect(try run("--tsv", "--slow", "1000", input: log) == run("--tsv", input: log))
  }

  @Test("overwrites an older plot, but never its input")
  func plot() throws {
    let (file, plot) = (try TemporaryFile(log), try TemporaryFile(String(repeating: "old", count: 10_000)))
    #expect(try run("--plot", plot.path, file.path).status == 0)
    #expect(plot.text.hasPrefix("<svg"))
    #expect(plot.text.hasSuffix("</svg>\n"))
    let refused = try run("--plot", file.path, file.path)
    #expect(refused.status == 64)
    #expect(refused.complaints.contains("\(file.path) is an input: choose another file for the plot\n"))
    #expect(file.text == log)
  }

  @Test("creates no plot for unreadable input, and keeps an older one")
  func noPlot() throws {
    let (free, old, log) = (try TemporaryFile(), try TemporaryFile("old"), try TemporaryFile(log))
    unlink(free.path)
    let descriptor = open(log.path, O_WRONLY)
    defer { close(descriptor) }
    for path in [free.path, old.path] {
      let (output, complaints) = (try OpenedFile(""), try OpenedFile(""))
      let program = Program(
        standardInput: Input(name: "standard input", descriptor: descriptor), standardOutput: output.output,
        standardError: complaints.output)
      #expect(program.run(["--plot", path]) == 74)
      #expect(complaints.file.text == "LogStats: standard input: bad file descriptor\n")
    }
    #expect(access(free.path, F_OK) != 0)
    #expect(old.text == "old")
  }

  @Test(
    "ends with a message and a status",
    arguments: [
      (["/nowhere/log"], 66, "/nowhere/log: no such file or directory"),
      (["/"], 66, "/: is a directory"),
      (["--plot", "/nowhere/plot.svg"], 73, "/nowhere/plot.svg: no such file or directory"),
      (["--fast"], 64, "there is no option --fast"),
      (["--slow"], 64, "--slow needs a value"),
      (["--slow", "0"], 64, "--slow needs a number from 1, not 0"),
      (["--seed", "x"], 64, "--seed needs a number from 0, not x"),
      (["--window", "week"], 64, "--window is minute, hour or day, not week"),
      (["--generate", "2 cups"], 64, "2 cups is not a size: a size is a number of bytes, such as 500000, 20MB or 2GB"),
      (["--generate", "1MB", "log"], 64, "--generate writes a log, and takes no FILE"),
    ] as [([String], Int32, String)])
  func failures(arguments: [String], status: Int32, message: String) throws {
    let (input, output, complaints) = (try OpenedFile(""), try OpenedFile(""), try OpenedFile(""))
    let program = Program(standardInput: input.input, standardOutput: output.output, standardError: complaints.output)
    #expect(program.run(arguments) == status)
    let hint = status == 64 ? "LogStats: --help lists the options\n" : ""
    #expect(complaints.file.text == "LogStats: \(message)\n\(hint)")
    #expect(output.file.text == "")
  }

  @Test("reports that the reader of its output has exited", arguments: [[], ["--generate", "1MB"], ["--help"]])
  func brokenPipe(arguments: [String]) throws {
    let (input, complaints, pipe) = (try OpenedFile(log), try OpenedFile(""), try Pipe())
    pipe.closeReader()
    let program = Program(
      standardInput: input.input, standardOutput: Output(name: "standard output", descriptor: pipe.writer),
      standardError: complaints.output)
    #expect(program.run(arguments) == 141)
    #expect(complaints.file.text == "LogStats: standard output: its reader has closed the pipe\n")
  }

  @Test("fails to write to a closed output")
  func closedOutput() throws {
    let (input, complaints) = (try OpenedFile(log), try OpenedFile(""))
    let program = Program(
      standardInput: input.input, standardOutput: Output(name: "standard output", descriptor: -1),
      standardError: complaints.output)
    #expect(program.run([]) == 74)
    #expect(complaints.file.text == "LogStats: standard output: bad file descriptor\n")
  }

  @Test("documents its arguments")
  func help() throws {
    #expect(try run("--help") == Result(status: 0, output: Options.help, complaints: ""))
    #expect(Options.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test(
    "takes sizes with units",
    arguments: [("7", 7), ("500kB", 500_000), ("20MB", 20_000_000), ("2gb", 2_000_000_000), ("12B", 12)])
  func sizes(text: String, size: Int) throws {
    #expect(try Options(["--generate", text]).task == .generate(size))
  }

  @Test("generates the same log for the same seed, of the requested size, and can parse nearly all of it")
  func generate() throws {
    let generated = try run("--generate", "300kB")
    #expect(300_000..<301_000 ~= generated.output.utf8.count)
    #expect(try run("--generate", "300kB", "--seed", "1") == generated)
    #expect(try run("--generate", "300kB", "--seed", "2") != generated)

    let lines = generated.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let faults = lines.count { Entry(line(String($0))).fault != nil }
    #expect(faults < 5)
    let statistics = Statistics(window: .day)
    for text in lines { statistics.add(Entry(line(String(text)))) }
    #expect(statistics.windows.count == 7)
    // All days have similar traffic.
    let requests = statistics.windows.map(\.count.requests)
    #expect(requests.allSatisfy { 200..<270 ~= $0 }, "\(requests)")
  }
}
