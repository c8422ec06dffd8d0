import Weir

/// A control of several buttons, of which one is selected at the most.
open class SegmentedControl: Control {
  /// What ``selectedSegmentIndex`` is when no segment is selected.
  public static var noSegment: Int { -1 }

  /// The segment that is selected, or ``noSegment``.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  ///
  /// - Precondition: there is such a segment.
  open var selectedSegmentIndex = -1 {
    willSet {
      require(
        newValue == Self.noSegment || segments.indices.contains(newValue),
        "There is no such segment: use SegmentedControl.noSegment to select none.")
    }
  }

  /// Tells whether a segment is selected only while a person's finger is on it.
  open var isMomentary = false

  private var segments: [Segment]

  private struct Segment {
    var title: String
    var isEnabled = true
  }

  /// Makes a control with these segments, of which none is selected.
  public init(titles: [String] = []) {
    segments = titles.map { Segment(title: $0) }
    super.init()
  }

  /// How many segments there are.
  public final var numberOfSegments: Int { segments.count }

  /// What a segment says, or `nil` if there is no such segment.
  public final func titleForSegment(at index: Int) -> String? {
    segments.indices.contains(index) ? segments[index].title : nil
  }

  /// Lets a segment say something else.
  public final func setTitle(_ title: String, forSegmentAt index: Int) {
    segments[index].title = title
  }

  /// Tells whether a segment reacts to a person.
  public final func isEnabledForSegment(at index: Int) -> Bool {
    segments.indices.contains(index) && segments[index].isEnabled
  }

  /// Lets a segment react to a person, or not.
  public final func setEnabled(_ isEnabled: Bool, forSegmentAt index: Int) {
    segments[index].isEnabled = isEnabled
  }

  /// Puts a segment before the one in this place, or behind the last; the selected one stays selected.
  open func insertSegment(withTitle title: String, at index: Int) {
    let index = min(max(index, 0), segments.count)
    segments.insert(Segment(title: title), at: index)
    if selectedSegmentIndex >= index { selectedSegmentIndex += 1 }
  }

  /// Removes a segment, if there is such a one; then none is selected if this one was.
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

  /// A person taps a segment: sends `valueChanged` and `primaryActionTriggered`, unless it is selected already.
  ///
  /// One that is momentary has no segment selected afterwards.
  open func select(_ index: Int) {
    guard isUsable, isEnabledForSegment(at: index), index != selectedSegmentIndex else { return }
    selectedSegmentIndex = index
    sendChange()
    if isMomentary { selectedSegmentIndex = Self.noSegment }
  }
}
