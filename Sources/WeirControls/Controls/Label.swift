/// A view with a text.
open class Label: View {
  /// The text of the label.
  open var text: String

  /// Creates a label with a text.
  public init(text: String = "") {
    self.text = text
    super.init()
  }
}
