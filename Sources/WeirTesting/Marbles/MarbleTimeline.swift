import Weir

/// Converts times to frames.
struct MarbleTimeline {
  let start: VirtualTime
  let frame: VirtualTime.Stride

  init(start: VirtualTime, frame: VirtualTime.Stride) {
    require(frame > 0, "A frame of a marble diagram requires a stride greater than zero.")
    self.start = start
    self.frame = frame
  }

  /// The frame that contains a time; the first frame for times before the start, and at most the last possible one.
  func index(of time: VirtualTime) -> Int {
    min(Int(clamping: max(0, start.distance(to: time).magnitude / frame.magnitude)), .max - 1)
  }

  /// Whether a frame begins at this time.
  func isExact(_ time: VirtualTime) -> Bool {
    start.distance(to: time).magnitude % frame.magnitude == 0
  }

  /// The time from the start to the beginning of a frame.
  func offset(of index: Int) -> VirtualTime.Stride {
    let (product, overflow) = frame.magnitude.multipliedReportingOverflow(by: Int64(index))
    return VirtualTime.Stride(nanoseconds: overflow ? .max : product)
  }
}
