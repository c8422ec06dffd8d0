/// All the rules, in the order of a report.
///
/// What needs several threads at once is not seen by scripts, and is not here: only ``Rule/noLock`` is.
enum Catalogue {
  static let sending: [Rule] = [
    .neverMoreThanAsked, .endsWithItsUpstream, .oneAtATime, .failureIsTold, .endIsTold, .endIsTheEnd,
    .nothingAfterTheEnd, .nothingAfterCancel, .subscriptionFirst, .eachByItself, .sameForAll,
  ]

  static let receiving: [Rule] = [
    .asksWhenAsked, .asksAtAll, .leavesTheEndAlone, .leavesTheDeadAlone, .oneUpstream, .cancelsWhatItNeedsNoMore,
    .ignoresLateValues, .endNeedsNoDemand, .failureNeedsNoDemand,
  ]

  static let subscriptions: [Rule] = [
    .mayBeAskedInside, .boundedRecursion, .nothingIsAskedAfterCancel, .cancelOnce, .requestsAddUp, .neverForNothing,
    .cancelReachesTheUpstream, .letsGo, .demandIsAbsorbed,
  ]

  static let combine: [Rule] = [
    .returnedDemandCounts, .nothingEarly, .sameWhateverTheDemand, .droppedCancellable,
  ]

  #if canImport(Dispatch)
  static let threads: [Rule] = [.noLock]
  #else
  static let threads: [Rule] = []
  #endif

  static let last: [Rule] = [.noOrphans, .nestedSend, .mayBeCancelledInside]

  static let rules = sending + receiving + subscriptions + combine + threads + last

  static func rules(for kind: Bench.Kind) -> [Rule] {
    rules.filter { $0.kinds.contains(kind) }
  }
}
