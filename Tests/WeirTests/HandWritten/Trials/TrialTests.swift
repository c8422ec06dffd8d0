import Testing
import Weir

@testable import TestSupport

/// Publishers as programs have them, most of which break a rule, in front of every operator.
@Suite("publishers that a program wrote")
struct TrialTests {
  @Test("deliver what the table says", arguments: TrialOperator.all)
  func table(_ operation: TrialOperator) throws {
    let row = try #require(TrialTable.rows[operation.testDescription])
    for kind in TrialPublisher.Kind.allCases {
      for mode in TrialOperator.Mode.allCases {
        let log = TrialLog()
        let publisher = TrialPublisher(kind, log)
        let pipeline = operation.run(publisher, mode, log)
        publisher.play()
        #expect(log.text == row.expected(kind, mode), "\(kind), \(mode)")
        withExtendedLifetime((publisher, pipeline)) {}
      }
    }
  }

  @Test("are all in the table, and nothing else is")
  func names() {
    #expect(Set(TrialTable.rows.keys) == Set(TrialOperator.all.map(\.testDescription)))
    let cells = Set(
      TrialPublisher.Kind.allCases.flatMap { kind in
        ["\(kind)"] + TrialOperator.Mode.allCases.map { "\(kind) \($0)" }
      })
    for (name, row) in TrialTable.rows {
      for cell in row.exceptions.keys { #expect(cells.contains(cell), "\(name), \(cell)") }
    }
  }
}
