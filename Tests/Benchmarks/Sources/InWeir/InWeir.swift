import Weir

/// What Weir does in the workloads whose instructions and allocations are counted as well as their time.
///
/// Each does its work with `count` values, sends or subscriptions, and returns the number that its contenders must
/// return, too. The functions are not generic, so that calling them from another module changes nothing about what they
/// become.
package enum InWeir {
  /// The workloads under their numbers in the benchmarks' table.
  package static var counted: KeyValuePairs<String, (Int) -> Int> {
    [
      "W1": sequence,
      "W3": subject,
      "W6 latest": combineLatest,
      "W6 zip": zip,
      "W6 merge": merge,
      "W11 Just": subscribingToJust,
      "W11 subject": { subscribing(to: PassthroughSubject(), $0) },
      "W11 crowd": { count in
        let subject = PassthroughSubject<Int, Never>()
        let others = (0..<10_000).map { _ in subject.sink { _ in } }
        return withExtendedLifetime(others) { subscribing(to: subject, count) }
      },
      "W15": collectGroups,
      "W15 all": collectAll,
    ]
  }
}
