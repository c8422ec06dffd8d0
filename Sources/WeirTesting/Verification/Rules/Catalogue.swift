/// All rules, in the order of a report.
///
/// Multithreaded rules run in rounds, all others in scripts.
enum Catalogue {
  static let sending: [Rule] = [
    .neverMoreThanAsked, .endsWithItsUpstream, .oneAtATime, .failureIsTold, .endIsTold, .completesByItself,
    .endIsTheEnd, .nothingAfterTheEnd, .nothingAfterCancel, .subscriptionFirst, .eachByItself, .sameForAll,
  ]

  static let receiving: [Rule] = [
    .asksWhenAsked, .asksAtAll, .asksForSubscriptions, .leavesTheEndAlone, .leavesTheDeadAlone, .oneUpstream,
    .cancelsWhatItNeedsNoMore, .ignoresLateValues, .endNeedsNoDemand, .endNeedsNoMoreDemand, .failureNeedsNoDemand,
  ]

  static let subscriptions: [Rule] = [
    .mayBeAskedInside, .boundedRecursion, .nothingIsAskedAfterCancel, .cancelOnce, .requestsAddUp, .neverForNothing,
    .cancelReachesTheUpstream, .letsGo, .demandIsAbsorbed,
  ]

  static let combine: [Rule] = [
    .returnedDemandCounts, .nothingEarly, .sameWhateverTheDemand, .droppedCancellable,
  ]

  #if !WEIR_BARE
  static let threads: [Rule] = [.askedInTurn, .serialOnThreads, .noLock, .noWaiting, .keepsOrder]
  #else
  static let threads: [Rule] = []
  #endif

  static let last: [Rule] = [.noOrphans, .nestedSend, .mayBeCancelledInside]

  static let reentry: [Rule] = [.reentry, .reentryOnRelease]

  static let release: [Rule] = [.leavesNothing]

  #if !WEIR_BARE
  static let overlap: [Rule] = [.boundHolds, .handsOver, .neverOverlap, .serializesThreads]
  #else
  static let overlap: [Rule] = []
  #endif

  static let rules = sending + receiving + subscriptions + combine + threads + last + reentry + release + overlap

  #if !WEIR_BARE
  /// The rules that find a held lock.
  static let locks = numbers(of: [.noLock, .noWaiting])
  #else
  static let locks: Set<String> = []
  #endif

  /// The rules whose scripts call the tested object during a delivery.
  static let callingBack = numbers(
    of: reentry + release + overlap + [.mayBeAskedInside, .boundedRecursion, .nestedSend, .mayBeCancelledInside])

  static func numbers(of rules: [Rule]) -> Set<String> { Set(rules.map(\.number)) }

  static func rules(for kind: VerificationTarget.Kind) -> [Rule] {
    rules.filter { $0.kinds.contains(kind) }
  }
}

/// The numbers of the rules that verifications check; all rules if it is empty.
///
/// The tests of this package divide the rules among themselves.
package enum VerifiedRules {
  @TaskLocal package static var current: Set<String>?

  /// The rules of re-entrancy on one thread.
  package static let reentry = Catalogue.numbers(of: Catalogue.reentry)

  /// The rules for two overlapping threads.
  package static let overlap = Catalogue.numbers(of: Catalogue.overlap)

  /// The other rules.
  package static let plain = Catalogue.numbers(of: Catalogue.rules).subtracting(reentry).subtracting(overlap)
}
