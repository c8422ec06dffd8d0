/// All the rules, in the order of a report.
///
/// Those of several threads are tried in rounds, where the others are seen in scripts.
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
  static let threads: [Rule] = [.askedInTurn, .serialOnThreads, .noLock, .noWaiting, .keepsOrder]
  #else
  static let threads: [Rule] = []
  #endif

  static let last: [Rule] = [.noOrphans, .nestedSend, .mayBeCancelledInside]

  static let rules = sending + receiving + subscriptions + combine + threads + last

  static func rules(for kind: Bench.Kind) -> [Rule] {
    rules.filter { $0.kinds.contains(kind) }
  }
}
