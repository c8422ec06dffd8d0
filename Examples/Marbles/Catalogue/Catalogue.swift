/// All diagrams, by family.
enum Catalogue {
  static let families: [Family] = [
    sources, subjects, mapping, filtering, reducing, matching, selecting, combining, errors, timing, buffering,
    multicasting, debugging, rxMapping, rxFiltering, rxFlattening, rxCombining, rxErrors, backpressure, rxSubjects,
    singles, maybes, completables, sharedSequences, controls,
  ]

  static let diagrams = families.flatMap(\.diagrams)
}
