extension Workload {
  /// All of them, in the order of the table.
  @MainActor
  static var all: [Workload] {
    [
      sequence, sequenceDirectly, tenMaps, subject, hundredSinks, currentValueSet, currentValueRead,
      combineLatest, zip, merge, flatMap, switchToLatest, demandReturned, demandRequested, buffer,
      subscribingToJust, subscribingToSubject, subscribingToCrowdedSubject, receiveOn, receiveOnDraining, multicast,
      twoThreads, collectByCount, collectAll, control, erased, values, keptValues,
    ]
  }
}
