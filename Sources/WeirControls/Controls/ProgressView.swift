/// A view that shows the progress of a task.
open class ProgressView: View {
  /// The progress from 0 to 1; other values are clamped, and NaN is ignored.
  open var progress: Float {
    get { fraction }
    set { if !newValue.isNaN { fraction = min(max(newValue, 0), 1) } }
  }

  private var fraction: Float = 0

  /// Creates a progress view.
  public init(progress: Float = 0) {
    super.init()
    self.progress = progress
  }
}
