import Weir

/// A control of several buttons, of which at most one is selected.
open class SegmentedControl: Control {
  /// The value of ``selectedSegmentIndex`` without a selected segment.
  public static var noSegment: Int { -1 }

  /// The index of the selected segment, or ``noSegment``.
  ///
  /// Setting this property sends no event, as in UIKit.
  ///
  /// - Precondition: the segment exists.
  open var selectedSegmentIndex = -1 {
    willSet {
      require(
        newValue == Self.noSegment || segments.indices.contains(newValue),
        "selectedSegmentIndex requires the index of a segment, or SegmentedControl.noSegment.")
    }
  }

  /// Whether a segment stays selected only while a finger touches it.
  open var isMomentary = false

  private var segments: [Segment]

  private struct Segment {
    var title: String
    var isEnabled = true
  }

  /// Creates a control with segments, of which none is selected.
  public init(titles: [String] = []) {
    segments = titles.map { Segment(title: $0) }
    super.init()
  }

  /// The number of segments.
  public final var numberOfSegments: Int { segments.count }

  /// The title of a segment, or `nil` if the segment doesn't exist.
  public final func titleForSegment(at index: Int) -> String? {
    segments.indices.contains(index) ? segments[index].title : nil
  }

  /// Sets the title of a segment.
  public final func setTitle(_ title: String, forSegmentAt index: Int) {
    segments[index].title = title
  }

  /// Whether a segment reacts to user actions.
  public final func isEnabledForSegment(at index: Int) -> Bool {
    segments.indices.contains(index) && segments[index].isEnabled
  }

  /// Sets whether a segment reacts to user actions.
  public final func setEnabled(_ isEnabled: Bool, forSegmentAt index: Int) {
    segments[index].isEnabled = isEnabled
  }

  /// Inserts a segment at an index, or appends it; the selected segment stays selected.
  open func insertSegment(withTitle title: String, at index: Int) {
    let index = min(max(index, 0), segments.count)
    segments.insert(Segment(title: title), at: index)
    if selectedSegmentIndex >= index { selectedSegmentIndex += 1 }
  }

  /// Removes a segment, if it exists; if it was selected, no segment is selected afterwards.
  open func removeSegment(at index: Int) {
    guard segments.indices.contains(index) else { return }
    if selectedSegmentIndex == index {
      selectedSegmentIndex = Self.noSegment
    } else if selectedSegmentIndex > index {
      selectedSegmentIndex -= 1
    }
    segments.remove(at: index)
  }

  /// Removes all segments.
  open func removeAllSegments() {
    selectedSegmentIndex = Self.noSegment
    segments = []
  }

  /// Simulates tapping a segment: sends `valueChanged` and `primaryActionTriggered` if the selection changes.
  ///
  /// A momentary control has no selected segment afterwards.
  open func select(_ index: Int) {
    guard isUsable, isEnabledForSegment(at: index), index != selectedSegmentIndex else { return }
    selectedSegmentIndex = index
    sendChange()
    if isMomentary { selectedSegmentIndex = Self.noSegment }
  }
}
