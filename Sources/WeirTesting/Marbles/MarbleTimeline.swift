import Weir

/// Turns times into frames.
struct MarbleTimeline {
  let start: VirtualTime
  let frame: VirtualTime.Stride

  init(start: VirtualTime, frame: VirtualTime.Stride) {
    require(frame > 0, "A frame of a marble diagram takes time: give a stride of more than zero.")
    self.start = start
    self.frame = frame
  }

  /// The frame that the time is in; those before the start are the first.
  func index(of time: VirtualTime) -> Int {
    Int(clamping: max(0, start.distance(to: time).magnitude / frame.magnitude))
  }

  /// Whether a frame begins at this time.
  func isExact(_ time: VirtualTime) -> Bool {
    start.distance(to: time).magnitude % frame.magnitude == 0
  }

  /// How long after the start a frame begins.
  func offset(of index: Int) -> VirtualTime.Stride {
    let (product, overflow) = frame.magnitude.multipliedReportingOverflow(by: Int64(index))
    return VirtualTime.Stride(nanoseconds: overflow ? .max : product)
  }
}
