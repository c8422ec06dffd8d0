/// A view that says something.
open class Label: View {
  /// What it says.
  open var text: String

  /// Makes a label that says this.
  public init(text: String = "") {
    self.text = text
    super.init()
  }
}
