import Dispatch
import Foundation
import Testing
import Weir
import WeirRx
import WeirTesting

@testable import TestSupport

/// Random pipelines of three to eight operators, and random things that are done to them from everywhere.
///
/// `WEIR_PIPELINES=1000000` tries as many, `WEIR_SEED=7` begins with that seed, and alone tries only that one. `WEIR_FUZZ_LOG`
/// names a file that has the seed of the running pipeline, for a run that crashes. In release, under Address Sanitizer:
///
///     ASAN_OPTIONS=malloc_context_size=2 WEIR_PIPELINES=1000000 \
///       swift test -c release -Xswiftc -enable-testing --sanitize=address --filter FuzzTests
@Suite("Random pipelines")
struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seeds: Range<UInt64> = {
    let first = environment["WEIR_SEED"].flatMap(UInt64.init)
    let count = environment["WEIR_PIPELINES"].flatMap(UInt64.init) ?? (first == nil ? 300 : 1)
    return (first ?? 0)..<(first ?? 0) + count
  }()

  @Test("random pipelines keep the contract whatever is done to them")
  func fuzz() async {
    let faults = await onThreadOfItsOwn(Self.campaign)
    Figures.add(Self.seeds.count, to: "random pipelines")
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// The first faults, each with its seed and pipeline.
  private static func campaign() -> [String] {
    let log = environment["WEIR_FUZZ_LOG"].map { open($0, O_WRONLY | O_CREAT, 0o644) }
    var faults: [String] = []
    for seed in seeds where faults.count < 10 {
      if let log {
        let text = "\(seed)                    "
        _ = text.withCString { pwrite(log, $0, 20, 0) }
      }
      if let fault = pipeline(seed) { faults.append("WEIR_SEED=\(seed): \(fault)") }
    }
    return faults
  }

  /// What went wrong with the pipeline of a seed.
  static func pipeline(_ seed: UInt64) -> String? {
    #if DEBUG
    let scope = LiveObjects.Scope()
    var (text, fault) = LiveObjects.$scope.withValue(scope) { run(seed) }
    if fault == nil, !text.hasSuffix("threads"), scope.count > 0 {
      fault = "these objects are still there: \(scope.description)"
    }
    #else
    let (text, fault) = run(seed)
    #endif
    return fault.map { "\($0) in \(text)" }
  }

  /// The pipeline, and what went wrong with it.
  private static func run(_ seed: UInt64) -> (text: String, fault: String?) {
    var random = SplitMix(seed: seed)
    let run = FuzzRun(random: SplitMix(seed: ~seed), actions: Int.random(in: 0...12, using: &random))
    let text = build(run, &random)
    let isThreaded = Int.random(in: 0..<4, using: &random) == 0
    let demands: [Subscribers.Demand] = [.none, .max(1), .max(3), .unlimited]
    let subscriber = FuzzSubscriber(
      run, demand: demands.randomElement(using: &random) ?? .none, checksDemand: !text.contains("Misbehaving"))
    run.subscribers.append(subscriber)
    run.pipeline?.subscribe(subscriber)
    let scripts = (0..<(isThreaded ? 3 : 1)).map { _ in
      (0..<Int.random(in: 4...10, using: &random)).map { _ in Int.random(in: 0..<18, using: &random) }
    }
    @Sendable func play(_ script: [Int]) {
      for step in script {
        // Virtual time is moved by one thread.
        if step < 15 { run.perform(step) } else if !isThreaded { run.scheduler.advance(by: 1) }
      }
    }
    if isThreaded {
      DispatchQueue.concurrentPerform(iterations: scripts.count) { play(scripts[$0]) }
      HandOver.settle()
    } else {
      play(scripts[0])
    }
    run.scheduler.advance(by: 10)
    run.end()
    var faults = run.faults
    if faults.isEmpty, run.liveCount > 0 { faults = ["\(run.liveCount) values are still there"] }
    return ("\(text)\(isThreaded ? ", on three threads" : "")", faults.first)
  }

  // MARK: Pipelines

  typealias Pipeline = AnyPublisher<FuzzValue, FuzzError>

  /// Gives a run its sources and its pipeline, and tells what it is.
  private static func build(_ run: FuzzRun, _ random: inout SplitMix) -> String {
    let (first, second) = (
      PassthroughSubject<FuzzValue, FuzzError>(), CurrentValueSubject<FuzzValue, FuzzError>(run.value())
    )
    let misbehaving = FuzzMisbehaving(run, subscriptionCount: [0, 1, 1, 2].randomElement(using: &random) ?? 1)
    let numbers = (0..<Int.random(in: 0...6, using: &random))
    let sequence = numbers.lazy.map { FuzzValue($0, run) }.publisher.setFailureType(to: FuzzError.self)
    let isWellBehaved = Bool.random(using: &random)
    var sources: [(String, Pipeline)] = [
      ("PassthroughSubject", AnyPublisher(first)), ("CurrentValueSubject", AnyPublisher(second)),
      ("Sequence", AnyPublisher(sequence)),
    ]
    run.subjects = [FuzzSubject(first, run), FuzzSubject(second, run)]
    if !isWellBehaved {
      sources.append(("Misbehaving", AnyPublisher(misbehaving)))
      run.subjects.append(misbehaving)
    }
    var (text, pipeline) = sources.randomElement(using: &random) ?? sources[0]
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      let (name, operation) = operators.randomElement(using: &random) ?? operators[0]
      let (otherName, other) = sources.randomElement(using: &random) ?? sources[0]
      text += ".\(name)(\(otherName))"
      pipeline = operation(pipeline, other, FuzzContext(run: run))
    }
    run.pipeline = pipeline
    return text
  }

  /// What operators' closures need, without keeping the run's pipeline in themselves.
  struct FuzzContext {
    unowned let run: FuzzRun

    func plus(_ value: FuzzValue) -> FuzzValue { value.plus(1) }
    func isOdd(_ value: FuzzValue) -> Bool { value.plus(1).number % 2 == 0 }
    func twoOf(_ value: FuzzValue) -> [FuzzValue] { [value, value.plus(10)] }
  }

  typealias Operation = (Pipeline, Pipeline, FuzzContext) -> Pipeline

  nonisolated(unsafe) private static let operators: [(String, Operation)] =
    one + more + several + rx + timed

  nonisolated(unsafe) private static let one: [(String, Operation)] = [
    ("map", { up, _, c in up.map(c.plus).eraseToAnyPublisher() }),
    (
      "tryMap",
      { up, _, c in
        up.tryMap { value in
          if value.plus(0).number == 5 { throw FuzzError(value: value) }
          return value
        }.mapError { $0 as? FuzzError ?? FuzzError(value: c.run.value()) }.eraseToAnyPublisher()
      }
    ),
    ("filter", { up, _, c in up.filter(c.isOdd).eraseToAnyPublisher() }),
    ("compactMap", { up, _, c in up.compactMap { c.isOdd($0) ? $0 : nil }.eraseToAnyPublisher() }),
    ("scan", { up, _, c in up.scan(c.run.value()) { $0.plus($1.number) }.eraseToAnyPublisher() }),
    ("reduce", { up, _, c in up.reduce(c.run.value()) { $0.plus($1.number) }.eraseToAnyPublisher() }),
    ("collect", { up, _, _ in up.collect().compactMap { $0.last }.eraseToAnyPublisher() }),
    ("collect2", { up, _, _ in up.collect(2).compactMap { $0.first }.eraseToAnyPublisher() }),
    ("removeDuplicates", { up, _, _ in up.removeDuplicates().eraseToAnyPublisher() }),
    ("max", { up, _, _ in up.max().eraseToAnyPublisher() }),
    ("min", { up, _, _ in up.min { $0 < $1 }.eraseToAnyPublisher() }),
    ("first", { up, _, c in up.first(where: c.isOdd).eraseToAnyPublisher() }),
    ("last", { up, _, _ in up.last().eraseToAnyPublisher() }),
    ("lastWhere", { up, _, c in up.last(where: c.isOdd).eraseToAnyPublisher() }),
    ("count", { up, _, c in up.count().map { FuzzValue($0, c.run) }.eraseToAnyPublisher() }),
    (
      "contains",
      { up, _, c in
        up.contains(c.run.value()).map { FuzzValue($0 ? 1 : 0, c.run) }.eraseToAnyPublisher()
      }
    ),
    (
      "allSatisfy",
      { up, _, c in
        up.allSatisfy(c.isOdd).map { FuzzValue($0 ? 1 : 0, c.run) }.eraseToAnyPublisher()
      }
    ),
  ]

  nonisolated(unsafe) private static let more: [(String, Operation)] = [
    ("prefix", { up, _, _ in up.prefix(2).eraseToAnyPublisher() }),
    ("prefixWhile", { up, _, c in up.prefix(while: c.isOdd).eraseToAnyPublisher() }),
    ("drop", { up, _, _ in up.dropFirst().eraseToAnyPublisher() }),
    ("dropWhile", { up, _, c in up.drop(while: c.isOdd).eraseToAnyPublisher() }),
    ("output", { up, _, _ in up.output(in: 1...3).eraseToAnyPublisher() }),
    (
      "ignoreOutput",
      { up, other, _ in
        up.ignoreOutput().map { _ -> FuzzValue in }.append(other).eraseToAnyPublisher()
      }
    ),
    ("replaceEmpty", { up, _, c in up.replaceEmpty(with: c.run.value()).eraseToAnyPublisher() }),
    (
      "replaceError",
      { up, _, c in
        up.replaceError(with: c.run.value()).setFailureType(to: FuzzError.self).eraseToAnyPublisher()
      }
    ),
    ("catch", { up, other, _ in up.catch { _ in other }.eraseToAnyPublisher() }),
    ("retry", { up, _, _ in up.retry(2).eraseToAnyPublisher() }),
    (
      "handleEvents",
      { up, _, c in
        up.handleEvents(receiveOutput: { _ = $0.plus(1) }, receiveRequest: { [run = c.run] _ in run.act() })
          .eraseToAnyPublisher()
      }
    ),
    ("share", { up, _, _ in up.share().eraseToAnyPublisher() }),
    (
      "multicast",
      { up, _, _ in
        up.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
      }
    ),
    (
      "buffer",
      { up, _, _ in
        up.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      }
    ),
    (
      "bufferKeepFull",
      { up, _, _ in
        up.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
      }
    ),
    (
      "bufferError",
      { up, _, c in
        up.buffer(
          size: 1, prefetch: .byRequest, whenFull: .customError { [run = c.run] in FuzzError(value: run.value()) }
        )
        .eraseToAnyPublisher()
      }
    ),
  ]

  nonisolated(unsafe) private static let several: [(String, Operation)] = [
    ("append", { up, other, _ in up.append(other).eraseToAnyPublisher() }),
    ("prepend", { up, other, _ in up.prepend(other).eraseToAnyPublisher() }),
    ("merge", { up, other, _ in up.merge(with: other).eraseToAnyPublisher() }),
    ("zip", { up, other, _ in up.zip(other) { $0.plus($1.number) }.eraseToAnyPublisher() }),
    ("combineLatest", { up, other, _ in up.combineLatest(other) { $0.plus($1.number) }.eraseToAnyPublisher() }),
    (
      "flatMap",
      { up, _, c in
        up.flatMap { c.twoOf($0).lazy.publisher.setFailureType(to: FuzzError.self) }.eraseToAnyPublisher()
      }
    ),
    (
      "flatMapOther",
      { up, other, _ in
        up.flatMap(maxPublishers: .max(2)) { _ in other.prefix(2) }.eraseToAnyPublisher()
      }
    ),
    ("concatMap", { up, other, _ in up.concatMap { _ in other.prefix(2) }.eraseToAnyPublisher() }),
    (
      "switchToLatest",
      { up, other, _ in
        up.map { $0.plus(1).number % 2 == 0 ? other : Pipeline(Just($0).setFailureType(to: FuzzError.self)) }
          .switchToLatest().eraseToAnyPublisher()
      }
    ),
    ("prefixUntil", { up, other, _ in up.prefix(untilOutputFrom: other).eraseToAnyPublisher() }),
    ("dropUntil", { up, other, _ in up.drop(untilOutputFrom: other).eraseToAnyPublisher() }),
  ]

  nonisolated(unsafe) private static let rx: [(String, Operation)] = [
    ("distinct", { up, _, _ in up.distinct().eraseToAnyPublisher() }),
    ("pairwise", { up, _, _ in up.pairwise().map { $0.0.plus($0.1.number) }.eraseToAnyPublisher() }),
    ("enumerated", { up, _, _ in up.enumerated().map { $0.1 }.eraseToAnyPublisher() }),
    ("amb", { up, other, _ in up.amb(with: other).eraseToAnyPublisher() }),
    ("withLatestFrom", { up, other, _ in up.withLatestFrom(other).eraseToAnyPublisher() }),
    ("sample", { up, other, _ in up.sample(other).eraseToAnyPublisher() }),
    ("flatMapFirst", { up, other, _ in up.flatMapFirst { _ in other.prefix(1) }.eraseToAnyPublisher() }),
    ("limitRate", { up, _, _ in up.limitRate(2).eraseToAnyPublisher() }),
    (
      "onBackpressureBuffer",
      { up, _, c in
        up.onBackpressureBuffer(2, overflow: .dropOldest, onOverflow: { _ = $0.plus(1) }).eraseToAnyPublisher()
      }
    ),
    ("onBackpressureDrop", { up, _, _ in up.onBackpressureDrop { _ = $0.plus(1) }.eraseToAnyPublisher() }),
    ("onBackpressureLatest", { up, _, _ in up.onBackpressureLatest().eraseToAnyPublisher() }),
    ("shareReplay", { up, _, _ in up.share(replay: 2).eraseToAnyPublisher() }),
    ("groupBy", { up, _, c in up.groupBy(c.isOdd).flatMap { $0 }.eraseToAnyPublisher() }),
    ("window", { up, _, _ in up.window(count: 2, skip: 1).flatMap { $0 }.eraseToAnyPublisher() }),
    ("materialize", { up, _, _ in up.materialize().dematerialize().eraseToAnyPublisher() }),
    ("takeUntil", { up, _, c in up.take(until: c.isOdd).eraseToAnyPublisher() }),
    ("repeated", { up, _, _ in up.repeated(2).eraseToAnyPublisher() }),
  ]

  nonisolated(unsafe) private static let timed: [(String, Operation)] = [
    ("receive", { up, _, c in up.receive(on: c.run.scheduler).eraseToAnyPublisher() }),
    ("receiveImmediate", { up, _, _ in up.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }),
    ("subscribe", { up, _, c in up.subscribe(on: c.run.scheduler).eraseToAnyPublisher() }),
    ("delay", { up, _, c in up.delay(for: 1, scheduler: c.run.scheduler).eraseToAnyPublisher() }),
    ("debounce", { up, _, c in up.debounce(for: 1, scheduler: c.run.scheduler).eraseToAnyPublisher() }),
    (
      "throttle",
      { up, _, c in
        up.throttle(for: 1, scheduler: c.run.scheduler, latest: true).eraseToAnyPublisher()
      }
    ),
    (
      "windowByTime",
      { up, _, c in
        up.window(time: 1, scheduler: c.run.scheduler).flatMap { $0 }.eraseToAnyPublisher()
      }
    ),
    ("timeout", { up, _, c in up.timeout(3, scheduler: c.run.scheduler).eraseToAnyPublisher() }),
    (
      "collectByTime",
      { up, _, c in
        up.collect(.byTimeOrCount(c.run.scheduler, 1, 2)).compactMap { $0.last }.eraseToAnyPublisher()
      }
    ),
  ]
}
