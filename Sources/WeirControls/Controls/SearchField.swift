/// A text field for what is searched for, with a button that searches and one that gives up.
///
/// The keyboard's Return key searches. So `primaryActionTriggered` says that a search is wanted.
open class SearchField: TextField {
  /// A person searches: the same as ``TextField/pressReturn()``.
  open func search() {
    pressReturn()
  }

  /// A person gives up: the text is cleared, which sends `editingChanged` if there was any, then the editing ends, and
  /// ``Control/Event/searchCancelled`` says so.
  open func cancelSearch() {
    guard isUsable else { return }
    clear()
    endEditing()
    if isUsable { sendActions(for: .searchCancelled) }
  }
}
