/// A view that shows how far something is.
open class ProgressView: View {
  /// How far it is: from 0, not begun, to 1, done; what lies beyond is taken for the nearer end.
  open var progress: Float {
    get { fraction }
    set { fraction = min(max(newValue, 0), 1) }
  }

  private var fraction: Float = 0

  /// Makes a progress view.
  public init(progress: Float = 0) {
    super.init()
    self.progress = progress
  }
}
