/// A text field for a search term, with a search button and a cancel button.
///
/// The Return key starts the search, so `primaryActionTriggered` means that a person requests a search.
open class SearchField: TextField {
  /// Simulates starting a search: the same as ``TextField/pressReturn()``.
  open func search() {
    pressReturn()
  }

  /// Simulates cancelling the search.
  ///
  /// Clears the text, which sends `editingChanged` if there was any. Then it ends the editing, and sends
  /// ``Control/Event/searchCancelled``.
  open func cancelSearch() {
    guard isUsable else { return }
    clear()
    endEditing()
    if isUsable { sendActions(for: .searchCancelled) }
  }
}
