import Dispatch
import Weir
import WeirDispatch

/// The pipeline: files in order, their chunks, lines and entries.
///
/// Its only buffers are the present chunk and two chunks of prefetch.
func entries(
  in inputs: [Input], chunkSize: Int = 256 * 1024, onChunk: @escaping (Chunk) -> Void
) -> some Publisher<Entry, Problem> {
  inputs.lazy.publisher
    .flatMap(maxPublishers: .max(1)) { (input: Input) in FilePublisher(input: input, chunkSize: chunkSize) }
    .handleEvents(receiveOutput: onChunk)
    .lines()
    .map { (line: Line) in Entry(line) }
}

/// The program, with its three open files.
struct Program {
  var standardInput = Input(name: "standard input", descriptor: 0)
  var standardOutput = Output(name: "standard output", descriptor: 1)
  var standardError = Output(name: "standard error", descriptor: 2)

  /// - Returns: The exit status.
  func run(_ arguments: [String]) -> Int32 {
    reportBrokenPipes()
    do throws(Problem) {
      let options = try Options(arguments)
      switch options.task {
      case .help: try standardOutput.write(Options.help)
      case .generate(let size): try generate(size, seed: options.seed)
      case .summarize(let files): try summarize(files, options)
      }
      return 0
    } catch {
      try? standardError.write("LogStats: \(error.message)\n")
      if error.status == 64 { try? standardError.write("LogStats: --help lists the options\n") }
      return error.status
    }
  }

  private func summarize(_ files: [String], _ options: Options) throws(Problem) {
    if files.isEmpty, standardInput.isTerminal {
      throw .usage("there is no input: pass a FILE, or a log on standard input")
    }
    let inputs = files.isEmpty ? [standardInput] : files.map { $0 == "-" ? standardInput : Input(name: $0) }
    // Checks inputs and outputs first, before hours of work.
    var size: Int? = 0
    for input in inputs {
      let inputSize = try input.size()
      size = size.flatMap { sum in inputSize.map { sum + $0 } }
    }
    var plot: Output?
    if let path = options.plot { plot = try .file(path, sparing: inputs) }

    let statistics: Statistics
    do {
      statistics = try read(inputs, of: size, options)
    } catch {
      plot?.discard()
      throw error
    }
    let summary = Summary(statistics: statistics)
    try plot?.replaceContent(with: Plot(statistics).svg)
    try standardOutput.write(
      options.isTabSeparated ? summary.tabSeparated : summary.text(isColored: standardOutput.takesColors))
  }

  private func read(_ inputs: [Input], of size: Int?, _ options: Options) throws(Problem) -> Statistics {
    let statistics = Statistics(window: options.window)
    let progress = Progress()
    let progressLine = ProgressLine(progress, of: size, on: standardError)
    defer { progressLine?.clear() }

    let entries = entries(in: inputs) { progress.read($0.bytes.count) }
    let take = { (entry: Entry) in
      statistics.add(entry)
      progress.took(recordNumber: statistics.lineCount)
    }
    var end: Subscribers.Completion<Problem>?
    if let rate = options.slow {
      let queue = DispatchQueue(label: "pace")
      let isDone = DispatchSemaphore(value: 0)
      let sink = PacedSink<Entry, Problem, DispatchQueue>(rate: rate, clock: queue) { completion in
        end = completion
        isDone.signal()
      } receiveValue: {
        take($0)
      }
      queue.schedule { entries.subscribe(sink) }
      isDone.wait()
    } else {
      // It requests unlimited demand of a synchronous pipeline, so all work is done when it returns.
      _ = entries.sink(receiveCompletion: { end = $0 }, receiveValue: take)
    }
    if case .failure(let problem) = end { throw problem }
    return statistics
  }

  private func generate(_ size: Int, seed: UInt64) throws(Problem) {
    var generator = Generator(size: size, seed: seed)
    var bytes: [UInt8] = []
    var left = size
    while left > 0 {
      let before = bytes.count
      generator.next(into: &bytes)
      left -= bytes.count - before
      if bytes.count < 1 << 16, left > 0 { continue }
      try standardOutput.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }
}
