import Testing
import Weir
import WeirTesting

@testable import TestSupport

@Suite("Models")
struct ModelTests {
  @Test("operators with one upstream do what their lists do, whatever the demand", arguments: PullModel.all)
  func pull(model: PullModel) {
    compare(model.name, expected: model.expected, actual: model.actual) { ModelStep.demandScript(&$0, sources: 1) }
  }

  @Test(
    "operators with several upstreams, and buffers, do what is wanted, whatever the demand", arguments: DemandModel.all)
  func demand(model: DemandModel) {
    compare(model.name, expected: model.expected, actual: model.actual) {
      ModelStep.demandScript(&$0, sources: model.sources)
    }
  }

  @Test("operators with several upstreams, and with time, do what their lists do", arguments: TimedModel.all)
  func timed(model: TimedModel) {
    compare(model.name, expected: model.expected, actual: model.actual) {
      ModelStep.timedScript(&$0, sources: model.sources, isTimed: model.isTimed)
    }
  }

  /// Runs random scripts until one leads elsewhere, and shows the shortest that does.
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

  @Test("a script is made as short as it can be")
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
