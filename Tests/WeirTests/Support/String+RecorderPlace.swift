extension String {
  /// The description of a path without the place where its recorder was attached.
  ///
  /// A debug build names the line in `Recorder.swift`. An optimized build inlines that line, and names the caller's.
  var withoutRecorderPlace: String { replacing(/Recorder at [^:\n]+:\d+/, with: "Recorder") }
}
