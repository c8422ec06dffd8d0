// User code that an operator runs may act on the pipeline: send into its subject, complete it, cancel, request,
// subscribe. This program checks that such re-entrant acts damage no memory, and take effect in the order in which they
// began.
//
// A case is an entry, a place and an act, such as `scan/closure/send`. In other cases subscribers come in a delivery
// (`Guests.swift`).

import Cases
import Pipelines

@main
struct Reentry {
  static func main() {
    let entries: [[Entry]] = [
      filters, folds, searches, throwing, coders, mergers, combinations, buffers, sources, subjects, shares, timings,
      errors, captures, subscribers, traits, controls,
    ]
    var names: Set<String> = []
    runCommand(entries.joined().flatMap(\.cases).filter { names.insert($0.name).inserted } + guestCases)
  }
}
