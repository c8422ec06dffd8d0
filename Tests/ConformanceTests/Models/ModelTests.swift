import Testing
import Weir
import WeirTesting

@testable import TestSupport

@Suite("Models")
struct ModelTests {
  /// The operators without a model, with the reasons.
  static let excused = [
    "asObservable": "it is another name of eraseToAnyPublisher",
    "asyncMap": "its results come from tasks, not when a script says so: see AsyncMapTests",
    "tryAsyncMap": "its results come from tasks, not when a script says so: see AsyncMapTests",
    "asyncFlatMap": "its publishers come from tasks, not when a script says so: see AsyncFlatMapTests",
    "SharedSequence.do": "its closures are the main actor's, where no script runs: see SharedSequenceOperatorTests",
    "when": "it is a filter of what fingers do: see GestureRecognizerTests",
  ]

  /// Factories of traits and shared sequences, which have no upstream to send through.
  static let makers: Set = [
    "create", "deferred", "empty", "error", "failure", "from", "interval", "just", "never", "of", "timer",
  ]

  @Test("operators with one upstream match their lists for any demand", arguments: PullModel.all)
  func pull(model: PullModel) {
    compare(model.name, expected: model.expected, actual: model.actual) { ModelStep.demandScript(&$0, sources: 1) }
  }

  @Test(
    "operators with several upstreams, and buffers, conform to their models for all demands", arguments: DemandModel.all
  )
  func demand(model: DemandModel) {
    compare(model.name, expected: model.expected, actual: model.actual) {
      ModelStep.demandScript(&$0, sources: model.sources)
    }
  }

  @Test("operators with several upstreams, and with time, match their lists", arguments: TimedModel.all)
  func timed(model: TimedModel) {
    compare(model.name, expected: model.expected, actual: model.actual) {
      ModelStep.timedScript(&$0, sources: model.sources, isTimed: model.isTimed)
    }
  }

  /// Runs random scripts until one has another result, and reports the shortest such script.
  private func compare(
    _ name: String, expected: ([ModelStep]) -> [[String]], actual: ([ModelStep]) -> [[String]],
    script: (inout SplitMix) -> [ModelStep]
  ) {
    Figures.add(1, to: "models")
    Figures.add(Campaign.seeds.count, to: "scripts of models")
    for seed in Campaign.seeds {
      var random = SplitMix(seed: seed)
      let script = script(&random)
      if actual(script) == expected(script) { continue }
      let short = shrink(script) { actual($0) != expected($0) }
      Issue.record(
        """
        \(name): WEIR_SEED=\(seed), made short: \(short)
        expected: \(expected(short))
        came:     \(actual(short))
        """)
      return
    }
  }

  @Test("every public operator has a model")
  func isComplete() throws {
    let names = [PullModel.all.map(\.name), DemandModel.all.map(\.name), TimedModel.all.map(\.name)].joined()
      .map(OperatorName.init(beginning:))
    let operators = try publicOperators()
    #expect(operators.count > 200)
    let missing = operators.filter { one in
      !names.contains(where: one.isCalled)
        && !(one.owner != nil && Self.makers.contains { one.name.name.hasSuffix(".\($0)") })
    }.map(\.name.description)
    #expect(
      missing.filter { Self.excused[$0] == nil } == [], "These have no model in Tests/ConformanceTests/Models.")
    #expect(Self.excused.keys.filter { !missing.contains($0) } == [], "There is no need for an excuse.")
    #expect(names.filter { name in !operators.contains { $0.isCalled(name) } } == [], "There are no such operators.")
  }

  @Test("the parser finds operators with their labels")
  func findsOperators() {
    let text = """
      extension Publisher {
        public func plain() -> Publishers.Map<Self, Int> {
        public func `quoted`<T, E>(
          _ transform: @escaping (Output, T) -> Publishers.Map<T, Int>, on queue: Queue<T, E>, size: Int = 1
        ) -> AnyPublisher<T, Failure>
        where T: Equatable {
        public func sink() -> AnyCancellable {
        func hidden() -> Publishers.Map<Self, Int> {
      extension Publishers.Map {
        public func composed() -> Publishers.Map<Self, Int> {
      extension Single {
        public func map(by key: Int) -> Single<Int, Failure> {
      """
    let found = PublicOperatorParser.operators(in: text)
    #expect(found.map(\.name.description) == ["plain", "quoted(on:)", "Single.map(by:)"])
    #expect(found.map(\.types) == [["Map"], ["AnyPublisher"], ["Single"]])
    #expect(found[1].isCalled(OperatorName(beginning: "quoted(_:on:size: 2), twice")))
    #expect(!found[1].isCalled(OperatorName(beginning: "quoted(size: 2)")))
  }

  @Test("a script is shrunk as far as possible")
  func shrinks() {
    #expect(shrink(Array(1...9)) { $0.contains(3) && $0.contains(7) } == [3, 7])
  }
}

extension PullModel: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension DemandModel: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension TimedModel: CustomTestStringConvertible {
  var testDescription: String { name }
}
