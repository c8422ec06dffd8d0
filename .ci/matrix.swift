// Writes the programs that .ci/matrix measures, from .ci/matrix.txt, and reports their costs.
//
// - `matrix check TABLE API` fails for an operator of the public interface that the table doesn't name.
// - `matrix write TABLE ROOT FOLDER` writes the package, and the names of each program's cells.
// - `matrix report TABLE FOLDER STORED MACHINE` prints the costs. It fails for a cost above the stored cost or outside the limit.
// - `matrix update TABLE FOLDER STORED MACHINE` stores the costs instead.
// - `matrix show TABLE ROW` prints the code of a row.
import Foundation

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(1)
}

func text(_ path: String) -> String {
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("\(path) can't be read.") }
  return text
}

func write(_ text: String, to path: String) throws {
  // Unchanged files keep their date, so that a second build doesn't recompile them.
  if (try? String(contentsOfFile: path, encoding: .utf8)) == text { return }
  try FileManager.default.createDirectory(
    at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true
  )
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

// MARK: The table

struct Row {
  var name: String
  var covers: [String] = []
  var notes: Set<String>
  var output = "Int"
  var failure = "Never"
  var expression: String
  var hand = ""

  var function: String { name.replacing(".", with: "_") }
  var isOnlyInWeir: Bool { notes.contains("weir") }
  /// The failure type of the upstream.
  var sourceFailure: String { notes.contains("failing") ? "Odd" : "Never" }
  /// The part that causes the cost, if the operator doesn't.
  var owner: String? { notes.contains("scheduler") ? "scheduler" : notes.contains("key-path") ? "key path" : nil }

  func uses(_ name: String) -> Bool {
    // Unicode's words contain dots.
    let word = try? Regex("\\b\(name)\\b").wordBoundaryKind(.simple)
    return word.flatMap { try? $0.firstMatch(in: expression) } != nil
  }
}

struct Table {
  var operators: [Row] = []
  var sources: [Row] = []
  var subscribers: [Row] = []
  var leftOut: [String] = []

  init(_ path: String) {
    var section = ""
    for line in text(path).split(separator: "\n") {
      if line.hasPrefix("[") { section = String(line.dropFirst().dropLast()); continue }
      // Keeps empty fields.
      let parts = "\(line) ".replacing(" | |", with: " |  |").split(separator: " | ", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      func part(_ index: Int) -> String { parts.indices.contains(index) ? parts[index] : "" }
      func words(_ index: Int) -> [String] { part(index).split(separator: " ").map { String($0) } }
      switch section {
      case "operators":
        let types = part(3).split(separator: ", ").map(String.init)
        guard types.count > 1, !part(4).isEmpty else { fail("not a line of \(path): \(line)") }
        operators.append(
          Row(
            name: part(0), covers: words(1), notes: Set(words(2)), output: types.dropLast().joined(separator: ", "),
            failure: types[types.count - 1], expression: part(4), hand: part(5)
          )
        )
      case "sources": sources.append(Row(name: part(0), notes: Set(words(1)), failure: part(2), expression: part(3)))
      case "subscribers":
        subscribers.append(Row(name: part(0), notes: Set(words(1)), expression: part(2), hand: part(3)))
      case "left out": leftOut += words(0)
      default: break
      }
    }
    let names = (operators + sources + subscribers).map(\.name)
    guard Set(names).count == names.count else { fail("\(path) has two rows with the same name.") }
  }

  /// Fails for a public operator of Weir or WeirRx that has no row and isn't listed as left out.
  func check(_ api: String) {
    let types = ["Publisher", "Collection", "ConnectablePublisher", "SharedSequence", "Single", "Maybe", "Completable"]
    var module: Substring = ""
    var wanted: Set<String> = ["Future.asSingle()"]
    for line in text(api).split(separator: "\n") {
      if line.hasPrefix("# ") { module = line.dropFirst(2); continue }
      let parts = line.split(separator: "\t")
      guard module == "Weir" || module == "WeirRx", parts.count == 2,
        ["func ", "var "].contains(where: { parts[1].contains($0) })
      else { continue }
      let path = parts[0].split(separator: ".", maxSplits: 1)
      guard path.count == 2, types.contains(String(path[0])), !path[1].hasPrefix("receive(subscriber:"),
        path[1] != "connect()"
      else { continue }
      wanted.insert(path[0] == "Publisher" ? String(path[1]) : String(parts[0]))
    }
    let known = Set(operators.flatMap(\.covers) + leftOut)
    let missing = wanted.subtracting(known).sorted()
    let gone = known.subtracting(wanted).subtracting(["receive(subscriber:)"]).sorted()
    if !missing.isEmpty { fail("These have no line in the table:\n  " + missing.joined(separator: "\n  ")) }
    if !gone.isEmpty { fail("These are in the table, but aren't public:\n  " + gone.joined(separator: "\n  ")) }
    print("\(operators.count) rows cover \(wanted.count - leftOut.count) operators. \(leftOut.count) are left out.")
  }
}

// MARK: The programs

enum Context: String, CaseIterable {
  case typed, erased, shared, nested, lazy, made

  /// Whether each value makes a subscription.
  var subscribes: Bool { self == .nested || self == .lazy || self == .made }
}

enum Library: String, CaseIterable {
  case weir = "Weir"
  case openCombine = "OpenCombine"

  func has(_ row: Row) -> Bool { self == .weir || !row.isOnlyInWeir }
  func program(_ context: Context) -> String { rawValue + context.rawValue.capitalized }
}

let sink = "sink(receiveCompletion: { _ in }, receiveValue: { sum &+= number($0) })"

/// A publisher of the value `x`.
func single(_ row: Row, lazy: Bool) -> String {
  guard row.uses("p") else { return "" }
  let just = row.sourceFailure == "Never" ? "Just(x)" : "Just(x).setFailureType(to: \(row.sourceFailure).self)"
  return "    let p = \(lazy ? "Deferred { \(just) }" : just)\n"
}

/// The function of a cell, and the functions that it calls.
func operatorCell(_ row: Row, _ context: Context) -> String {
  let types = "\(row.output), \(row.failure)"
  let begin = "@inline(never)\nfunc \(row.function)_\(context)(_ count: Int) -> Int {\n  var sum = 0\n"
  let end = "  return sum\n}\n"
  func values(_ name: String, _ failure: String, _ pipeline: String) -> String {
    """
      let \(name) = PassthroughSubject<Int, \(failure)>()
      let subscription = \(pipeline).\(sink)
      for value in 0..<count { \(name).send(value) }
      \(name).send(completion: .finished)
      subscription.cancel()

    """
  }
  func subscriptions(_ before: String, _ pipeline: String) -> String {
    "  for x in 0..<count {\n\(before)    \(pipeline).\(sink).cancel()\n  }\n"
  }
  let once = row.notes.contains("once")
  switch context {
  case .typed, .shared:
    let pipeline = context == .typed ? "(\(row.expression))" : "(\(row.expression)).share()"
    return begin + (once ? subscriptions(single(row, lazy: true), pipeline) : values("p", row.sourceFailure, pipeline))
      + end
  case .erased:
    let takesValue = once && row.uses("x")
    let parameters = "_ p: AnyPublisher<Int, \(row.sourceFailure)>" + (takesValue ? ", _ x: Int" : "")
    let function = """
      @inline(never)
      func \(row.function)_erasing(\(parameters)) -> AnyPublisher<\(types)> {
        (\(row.expression)).eraseToAnyPublisher()
      }


      """
    guard once else {
      return function + begin + values("p", row.sourceFailure, "\(row.function)_erasing(erased(p))") + end
    }
    let source = row.sourceFailure == "Never" ? "erasedValue(x)" : "erasedFailing(x)"
    return function + begin
      + subscriptions("", "\(row.function)_erasing(\(source)\(takesValue ? ", x" : ""))") + end
  case .nested, .lazy:
    let inner = "{ (x: Int) in\n\(single(row, lazy: context == .lazy))    return \(row.expression)\n  }"
    return begin + values("subject", row.failure, "subject.flatMap \(inner)") + end
  case .made:
    let function = """
      @inline(never)
      func \(row.function)_making(_ x: Int) -> AnyPublisher<\(types)> {
      \(single(row, lazy: true))    return (\(row.expression)).eraseToAnyPublisher()
      }


      """
    return function + begin + values("subject", row.failure, "subject.flatMap { \(row.function)_making($0) }") + end
  }
}

/// The function of a source below `map`.
func sourceCell(_ row: Row, _ context: Context) -> String {
  let values = row.notes.contains("values")
  let parameter = values ? "count" : "x"
  var made = "(\(row.expression))"
  var function = ""
  if context == .erased {
    function = """
      @inline(never)
      func \(row.function)_erasing(_ \(parameter): Int) -> AnyPublisher<Int, \(row.failure)> {
        \(made).eraseToAnyPublisher()
      }


      """
    made = "\(row.function)_erasing(\(parameter))"
  }
  let line = "\(made).map { $0 &+ 3 }.\(sink).cancel()"
  return function + """
    @inline(never)
    func \(row.function)_\(context)(_ count: Int) -> Int {
      var sum = 0
      \(values ? line : "for x in 0..<count { \(line) }")
      return sum
    }

    """
}

/// The function of a subscriber to `map`.
func subscriberCell(_ row: Row, _ context: Context, _ library: Library) -> String {
  func local(_ name: String, _ value: String) -> String { row.uses(name) ? "  let \(name) = \(value)\n" : "" }
  if row.notes.contains("once") {
    return """
      @inline(never)
      func \(row.function)_\(context)(_ count: Int) -> Int {
        var sum = 0
      \(row.uses("add") ? "  let add: (Int) -> Void = { sum &+= $0 }\n" : "  sum = 0\n")\
        for x in 0..<count {
          let q = \(context == .typed ? "Just(x).map { $0 &+ 3 }" : "erasedMap(erasedJust(x))")
          let subscription: Any = \(row.expression)
          withExtendedLifetime(subscription) {}
        }
        return sum
      }

      """
  }
  return """
    @inline(never)
    func \(row.function)_\(context)(_ count: Int) -> Int {
      var sum = 0
    \(row.uses("add") ? "  let add: (Int) -> Void = { sum &+= $0 }\n" : "  sum = 0\n")\
    \(local("target", "Target()"))\(local("model", "Model(0)"))\
    \(local("other", "PassthroughSubject<Int, Never>()"))\(local("relay", "PassthroughRelay<Int>()"))\
    \(local("current", "CurrentValueSubject<Int, Never>(0)"))\(local("channel", "Channel<Int, Never>()"))\
      let p = PassthroughSubject<Int, Never>()
      let q = \(context == .typed ? "p.map { $0 &+ 3 }" : "erasedMap(erased(p))")
      let subscription: Any = \(row.expression)
      for value in 0..<count { p.send(value) }
      p.send(completion: .finished)
      withExtendedLifetime(subscription) {}
      return sum\(row.uses("target") ? " &+ target.value" : "")\(row.uses("model") ? " &+ model.value" : "")
    }

    """
}

func hand(_ row: Row) -> String {
  "@inline(never)\nfunc \(row.function)_hand(_ it: Hand, _ v: Int) {\n  \(row.hand)\n}\n"
}

/// The code that all programs share: values, helpers, and the work by hand.
let support = #"""
  #if OPENCOMBINE
  import OpenCombine
  func resultPublisher(_ x: Int) -> Result<Int, Odd>.OCombine.Publisher { .init(x) }
  func optionalPublisher(_ x: Int) -> Int?.OCombine.Publisher { .init(x) }
  #else
  import Weir
  import WeirRx
  func resultPublisher(_ x: Int) -> Result<Int, Odd>.Publisher { .init(x) }
  func optionalPublisher(_ x: Int) -> Int?.Publisher { .init(x) }

  func replaying(_ x: Int) -> ReplaySubject<Int, Never> {
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    subject.send(x)
    return subject
  }

  /// Uses a scheduler that runs actions immediately, because the program runs no main queue.
  func mocked<T>(_ make: () -> Driver<T>) -> Driver<T> {
    SharingScheduler.mock(scheduler: ImmediateScheduler.shared, action: make)
  }
  #endif

  struct Odd: Error {}

  struct Nowhere: TextOutputStream {
    mutating func write(_: String) {}
  }

  /// An encoder and a decoder that cost nothing.
  struct Coder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> Int { unsafeBitCast(value, to: Int.self) }
    func decode<T: Decodable>(_: T.Type, from value: Int) throws -> T { unsafeBitCast(value, to: T.self) }
  }

  final class Model {
    @Published var value: Int
    init(_ value: Int) { self.value = value }
  }

  final class Target {
    var value = 0
  }

  /// Runs due actions immediately, and later actions never.
  struct Idle: Scheduler {
    typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    var now: SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options _: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
      after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: Never?, _: @escaping () -> Void
    ) {}

    func schedule(
      after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
      options _: Never?, _: @escaping () -> Void
    ) -> any Cancellable { nothing }
  }

  nonisolated(unsafe) let nothing = AnyCancellable {}
  nonisolated(unsafe) let scheduler = ImmediateScheduler.shared
  nonisolated(unsafe) var added = 0

  final class OneByOne: Subscriber {
    let add: (Int) -> Void
    init(_ add: @escaping (Int) -> Void) { self.add = add }
    func receive(subscription: any Subscription) { subscription.request(.max(1)) }
    func receive(_ value: Int) -> Subscribers.Demand { add(value); return .max(1) }
    func receive(completion _: Subscribers.Completion<Never>) {}
  }

  @inline(__always) func number<T>(_: T) -> Int { 1 }
  @inline(__always) func number(_ value: Int) -> Int { value }
  @inline(__always) func number(_ value: Bool) -> Int { value ? 1 : 2 }
  @inline(__always) func number(_ value: [Int]) -> Int { value.count }
  @inline(__always) func number(_ value: (Int, Int)) -> Int { value.0 &+ value.1 }
  @inline(__always) func number(_ value: (Int, Int, Int)) -> Int { value.0 &+ value.1 &+ value.2 }

  @inline(never) func erased(_ subject: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> { subject.eraseToAnyPublisher() }
  @inline(never) func erased(_ subject: PassthroughSubject<Int, Odd>) -> AnyPublisher<Int, Odd> { subject.eraseToAnyPublisher() }
  @inline(never) func erasedJust(_ x: Int) -> AnyPublisher<Int, Never> { Just(x).eraseToAnyPublisher() }
  @inline(never) func erasedValue(_ x: Int) -> AnyPublisher<Int, Never> { Deferred { Just(x) }.eraseToAnyPublisher() }

  @inline(never) func erasedFailing(_ x: Int) -> AnyPublisher<Int, Odd> {
    Deferred { Just(x).setFailureType(to: Odd.self) }.eraseToAnyPublisher()
  }

  @inline(never) func erasedMap(_ p: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
    p.map { $0 &+ 3 }.eraseToAnyPublisher()
  }

  /// Does the work by hand: a function receives each value, and passes its results to a closure.
  final class Hand {
    @exclusivity(unchecked) var state = 0
    @exclusivity(unchecked) var last = 1
    @exclusivity(unchecked) var flag = false
    @exclusivity(unchecked) var list: [Int] = []
    @exclusivity(unchecked) var seen: Set<Int> = []
    @exclusivity(unchecked) var timer: (any Cancellable)?
    let emit: (Int) -> Void
    let target = Target()
    init(_ emit: @escaping (Int) -> Void) { self.emit = emit }
  }

  /// Key paths that the compiler can't inline.
  nonisolated(unsafe) var paths = (\Int.littleEndian, \Int.bigEndian, \Int.byteSwapped)
  nonisolated(unsafe) var targetPath: ReferenceWritableKeyPath<Target, Int> = \.value

  func byHand(_ work: (Hand, Int) -> Void, _ count: Int) -> Int {
    var sum = 0
    let hand = Hand { sum &+= $0 }
    for value in 0..<count { work(hand, value) }
    return sum &+ hand.state
  }

  """#

let manifest = """
  // swift-tools-version: 6.2
  import PackageDescription

  let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
  let weir: [Target.Dependency] = [.product(name: "Weir", package: "Weir"), .product(name: "WeirRx", package: "Weir")]

  // Values of type Never and unused values are intended here.
  let quiet: [SwiftSetting] = [.unsafeFlags(["-suppress-warnings"])]

  let package = Package(
    name: "Matrix",
    platforms: [.macOS(.v15)],
    dependencies: [
      .package(name: "Weir", path: "ROOT"),
      .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [.target(name: "Marks")] + [CONTEXTS].flatMap { context in
      [
        .executableTarget(name: "Weir\\(context)", dependencies: ["Marks"] + weir, swiftSettings: quiet),
        .executableTarget(
          name: "OpenCombine\\(context)", dependencies: ["Marks", openCombine], swiftSettings: [.define("OPENCOMBINE")] + quiet
        ),
      ]
    },
    swiftLanguageModes: [.v6]
  )

  """

let program = """
  import Marks

  // Runs the cells in the arguments, each with two lengths. Callgrind writes the instructions of each length to a file. The
  // first run isn't counted, because it creates metadata and caches.
  let arguments = CommandLine.arguments
  guard arguments.count > 3, let few = Int(arguments[1]), let many = Int(arguments[2]) else { fatalError("no lengths") }
  for name in arguments.dropFirst(3) {
    guard let cell = cells[name] else { fatalError("there is no cell \\(name)") }
    func run(_ count: Int) -> Int {
      switch cell {
      case .pipeline(let work): work(count)
      case .hand(let work): byHand(work, count)
      }
    }
    _ = run(few)
    beginCounting()
    let first = run(few)
    endCounting("few \\(name)")
    let second = run(many)
    endCounting("many \\(name)")
    print(name, first, second, separator: "\\t")
  }

  """

func cells(of table: Table, _ library: Library, _ context: Context) -> (source: String, names: [String]) {
  var source = library == .weir ? "import Weir\nimport WeirRx\n" : "import OpenCombine\n"
  var entries = ""
  var names: [String] = []
  func add(_ row: Row, _ suffix: String, _ text: String, _ kind: String = "pipeline") {
    source += "\n// \(row.name)\n\n" + text
    names.append("\(row.name)/\(suffix)")
    entries += "  \"\(row.name)/\(suffix)\": .\(kind)(\(row.function)_\(suffix)),\n"
  }
  for row in table.operators where library.has(row) { add(row, "\(context)", operatorCell(row, context)) }
  if context == .typed || context == .erased {
    for row in table.sources where library.has(row) { add(row, "\(context)", sourceCell(row, context)) }
    for row in table.subscribers where library.has(row) {
      add(row, "\(context)", subscriberCell(row, context, library))
    }
  }
  if context == .typed && library == .weir {
    for row in table.operators + table.subscribers where !row.hand.isEmpty { add(row, "hand", hand(row), "hand") }
  }
  source += """

    enum Cell {
      case pipeline((Int) -> Int)
      case hand((Hand, Int) -> Void)
    }

    nonisolated(unsafe) let cells: [String: Cell] = [
    \(entries)]

    """
  return (source, names)
}

func writePackage(_ table: Table, root: String, to folder: String) throws {
  let contexts = Context.allCases.map { "\"\($0.rawValue.capitalized)\"" }.joined(separator: ", ")
  try write(
    manifest.replacing("ROOT", with: root).replacing("CONTEXTS", with: contexts), to: "\(folder)/package/Package.swift"
  )
  let sources = "\(folder)/package/Sources"
  try write("void beginCounting(void);\nvoid endCounting(const char *name);\n", to: "\(sources)/Marks/include/Marks.h")
  try write(
    """
    #include <Marks.h>
    #include <valgrind/callgrind.h>

    void beginCounting(void) { CALLGRIND_ZERO_STATS; }
    void endCounting(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

    """, to: "\(sources)/Marks/Marks.c"
  )
  for library in Library.allCases {
    for context in Context.allCases {
      let (source, names) = cells(of: table, library, context)
      let target = "\(sources)/\(library.program(context))"
      try write(source, to: "\(target)/Cells.swift")
      try write(support, to: "\(target)/Support.swift")
      try write(program, to: "\(target)/main.swift")
      try write(names.map { "\($0)\n" }.joined(), to: "\(folder)/\(library.program(context)).cells")
    }
  }
}

// MARK: The report

/// The reason why a cell can be outside its limit.
enum Exception: String, CaseIterable {
  case subscription, scheduler, keyPath = "key path", text, debug

  var reason: String {
    switch self {
    case .subscription:
      """
      each value subscribes to its own pipeline. A subscription consists of objects in both libraries: one for each operator,
      and several for the sink
      """
    case .scheduler:
      "the operator keeps a queue or a timer beside the call of the scheduler. Both cost more than 1.3 times the bare call"
    case .keyPath:
      "the access through a key path is most of both libraries' costs, but the operator costs more than 1.3 times the access"
    case .text: "the text that the operator writes is most of both libraries' costs"
    case .debug:
      """
      a debug build specializes nothing. Generic code looks up the metadata of types for each value, and Weir's engine
      has more of it than OpenCombine's classes
      """
    }
  }
}

struct Figure {
  var row: Row
  var context: String
  var weir: Double
  var openCombine: Double?
  var hand: Double?
  var exception: Exception?

  var name: String { "\(row.name)/\(context)" }
  var ratio: Double? { openCombine.map { $0 / weir } }
  var limit: Double { context == "debug" ? 1 : 3 }
  /// The part of the stored cost by which the cost may increase.
  ///
  /// Debug builds look up metadata in hash tables, whose order depends on where the linker puts the types. Some operators
  /// that only Weir has do little else.
  var slack: Double { context == "debug" ? 0.1 : row.isOnlyInWeir && weir > 10_000 ? 0.2 : 0.05 }
  var isBelowLimit: Bool { (ratio ?? .infinity) < limit }
  /// Whether the cost is that of a value, not that of a subscription.
  var countsValues: Bool {
    !["nested", "lazy", "made"].contains(context) && row.notes.isDisjoint(with: ["once", "inner", "made"])
  }
  /// Whether a scheduler or a key path causes the cost, which is compared with its bare use.
  var isNamed: Bool { isBelowLimit && countsValues && context != "debug" && row.owner != nil && hand != nil }
  var timesBare: Double { weir / (hand ?? weir) }
  var isWithinLimit: Bool { !isBelowLimit || isNamed && timesBare <= 1.3 }

  /// The reason for a cell of this kind.
  var possibleException: Exception? {
    if isWithinLimit { return nil }
    if context == "debug" { return .debug }
    if !countsValues { return .subscription }
    if row.notes.contains("text") { return .text }
    if isNamed { return row.owner == "scheduler" ? .scheduler : .keyPath }
    return nil
  }
}

struct Measured {
  var cost: Double
  var result: String
}

func figures(_ table: Table, _ folder: String) -> [Figure] {
  var measured: [String: Measured] = [:]
  for line in text("\(folder)/measured").split(separator: "\n") {
    let parts = line.split(separator: "\t").map(String.init)
    guard parts.count == 5, let cost = Double(parts[3]) else { fail("not a line of \(folder)/measured: \(line)") }
    measured["\(parts[0]) \(parts[1]) \(parts[2])"] = Measured(cost: cost, result: parts[4])
  }
  var figures: [Figure] = []
  var missing: [String] = []
  var different: [String] = []
  func add(_ row: Row, _ context: String, _ build: String, _ cell: String) {
    guard let weir = measured["Weir \(build) \(row.name)/\(cell)"] else {
      return missing.append("\(row.name)/\(context)")
    }
    let other = measured["OpenCombine \(build) \(row.name)/\(cell)"]
    if other == nil, !row.isOnlyInWeir { missing.append("\(row.name)/\(context) of OpenCombine") }
    if let other, other.result != weir.result, !row.notes.contains("differs") {
      different.append("\(row.name)/\(context): \(weir.result), OpenCombine \(other.result)")
    }
    let hasHand = context == "typed" || row.owner != nil && (context == "erased" || context == "shared")
    figures.append(
      Figure(
        row: row, context: context, weir: weir.cost, openCombine: other?.cost,
        hand: hasHand ? measured["Weir release \(row.name)/hand"]?.cost : nil
      )
    )
  }
  for row in table.operators {
    for context in Context.allCases { add(row, "\(context)", "release", "\(context)") }
    add(row, "debug", "debug", "erased")
  }
  for var row in table.sources {
    if !row.notes.contains("values") { row.notes.insert("made") }
    for context in ["typed", "erased"] { add(row, context, "release", context) }
    add(row, "debug", "debug", "erased")
  }
  for row in table.subscribers {
    for context in ["typed", "erased"] { add(row, context, "release", context) }
    add(row, "debug", "debug", "erased")
  }
  if !missing.isEmpty { fail("These were not measured:\n  " + missing.joined(separator: "\n  ")) }
  if !different.isEmpty { fail("These give different results:\n  " + different.joined(separator: "\n  ")) }
  return figures
}

func rounded(_ value: Double?, _ digits: Int = 0) -> String { value.map { String(format: "%.\(digits)f", $0) } ?? "–" }

func line(_ figure: Figure) -> String {
  [
    figure.name, rounded(figure.weir), rounded(figure.openCombine), rounded(figure.ratio, 2), rounded(figure.hand),
    figure.exception?.rawValue ?? (figure.isNamed ? "named: \(rounded(figure.timesBare, 2))" : ""),
  ].joined(separator: "\t")
}

let contextNames = Context.allCases.map(\.rawValue) + ["debug"]

func median(_ values: [Double]) -> Double? {
  let sorted = values.sorted()
  return sorted.isEmpty ? nil : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

func printSummary(_ figures: [Figure]) {
  print("| | cells | of them with OpenCombine | median ratio | lowest ratio | under 3 (debug: 1) |")
  print("| --- | --- | --- | --- | --- | --- |")
  for context in contextNames {
    let cells = figures.filter { $0.context == context }
    let compared = cells.filter { $0.openCombine != nil }
    guard let lowest = compared.min(by: { ($0.ratio ?? 0) < ($1.ratio ?? 0) }) else { continue }
    print(
      "| \(context) | \(cells.count) | \(compared.count) | \(rounded(median(compared.compactMap(\.ratio)), 1)) | "
        + "\(rounded(lowest.ratio, 2)): `\(lowest.row.name)` | \(compared.count { $0.isBelowLimit }) |"
    )
  }
  let byHand = figures.filter { $0.context == "typed" && $0.row.owner == nil && $0.openCombine != nil }
    .compactMap { figure in figure.hand.map { figure.weir / $0 } }
  print(
    "\nTyped, \(byHand.count) cells of both libraries cost \(rounded(median(byHand), 1)) times the work by hand (median)."
  )
}

struct Stored {
  var heading = ""
  var lines: [String: [String]] = [:]

  init(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    for line in text(path).split(separator: "\n") {
      if line.hasPrefix("#") { heading = String(line.dropFirst(2)); continue }
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 6, parts[0].contains("/") { lines[parts[0]] = parts }
    }
  }
}

func report(_ all: [Figure], _ stored: Stored, _ machine: String) {
  var complaints: [String] = []
  var hints = 0
  let known = stored.heading.hasPrefix("\(machine),")
  for figure in all {
    print(line(figure))
    let old = stored.lines[figure.name]
    if known, let old, let cost = Double(old[1]) {
      if figure.weir > cost * (1 + figure.slack), figure.weir > cost + 3 {
        complaints.append("\(figure.name): \(rounded(figure.weir)) instructions, and \(old[1]) are stored")
      }
      if figure.weir < cost * (1 - figure.slack), figure.weir < cost - 3 { hints += 1 }
    }
    if old == nil { complaints.append("\(figure.name): no cost is stored") }
    if !figure.isWithinLimit, Exception(rawValue: old?[5] ?? "") == nil {
      complaints.append(
        "\(figure.name): OpenCombine costs \(rounded(figure.ratio, 2)) times as much, minimum \(rounded(figure.limit))")
    }
  }
  for name in Set(stored.lines.keys).subtracting(all.map(\.name)).sorted() {
    complaints.append("\(name): stored, but not measured")
  }
  let named = all.filter { $0.isNamed }
  if named.count > 20 {
    complaints.append("\(named.count) cells are compared with a bare scheduler or key path, the maximum is 20")
  }
  print()
  printSummary(all)
  print("\nCompared with the bare scheduler or key path, \(named.count) cells:")
  for figure in named {
    print("  \(figure.name): \(rounded(figure.weir)), bare \(rounded(figure.hand)): \(rounded(figure.timesBare, 2))")
  }
  let alone = all.filter { $0.context == "typed" && $0.row.isOnlyInWeir && $0.countsValues }
  print("\nThe operators that only Weir has with the highest costs of a value:")
  for figure in alone.sorted(by: { $0.weir > $1.weir }).prefix(10) {
    print("  \(figure.name): \(rounded(figure.weir))")
  }
  for exception in Exception.allCases {
    let cells = all.filter { $0.possibleException == exception }
    if !cells.isEmpty {
      print(
        "\nOutside the limits, \(cells.count) cells (\(exception.rawValue)): \(exception.reason.replacing("\n", with: " "))."
      )
    }
  }
  if !known { print("\nNOTICE: only ratios are checked, because the stored costs are of \(stored.heading).") }
  if hints > 0 { print("\n\(hints) cells cost less than stored. To store their costs, run .ci/matrix --update.") }
  if !complaints.isEmpty {
    print("\n" + complaints.map { "FAILED: \($0)." }.joined(separator: "\n"))
    exit(1)
  }
  print("\nNo cell costs more than stored, or is outside its limit without a reason.")
}

func update(_ all: [Figure], _ path: String, _ machine: String) throws {
  var lines = [
    "# \(machine), \(Date().formatted(.iso8601.year().month().day()))",
    "cell\tWeir\tOpenCombine\tratio\tby hand\texception",
  ]
  var complaints: [String] = []
  for var figure in all {
    figure.exception = figure.possibleException
    if !figure.isWithinLimit, figure.exception == nil {
      complaints.append("\(figure.name): \(rounded(figure.ratio, 2))")
    }
    lines.append(line(figure))
  }
  try write(lines.map { "\($0)\n" }.joined(), to: path)
  printSummary(all)
  print("\nWritten to \(path): \(all.count) cells.")
  if !complaints.isEmpty {
    fail("These are outside the limits without a reason:\n  " + complaints.joined(separator: "\n  "))
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 3 else { fail("usage: see the first lines of .ci/matrix.swift") }
let table = Table(arguments[2])
switch (arguments[1], arguments.count) {
case ("check", 4): table.check(arguments[3])
case ("write", 5): try writePackage(table, root: arguments[3], to: arguments[4])
case ("report", 6): report(figures(table, arguments[3]), Stored(arguments[4]), arguments[5])
case ("update", 6): try update(figures(table, arguments[3]), arguments[4], arguments[5])
case ("show", 4):
  // The code of one row.
  for row in table.operators where row.name == arguments[3] {
    for context in Context.allCases { print(operatorCell(row, context)) }
    if !row.hand.isEmpty { print(hand(row)) }
  }
default: fail("usage: see the first lines of .ci/matrix.swift")
}
