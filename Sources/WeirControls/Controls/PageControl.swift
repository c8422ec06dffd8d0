/// A row of dots, one for each page, which shows the current page and turns the pages.
open class PageControl: Control {
  /// The number of pages, not less than zero.
  open var numberOfPages: Int {
    get { count }
    set {
      count = max(newValue, 0)
      currentPage = page
    }
  }

  /// The index of the current page, clamped to the existing pages.
  ///
  /// Setting this property sends no event, as in UIKit.
  open var currentPage: Int {
    get { page }
    set { page = max(min(newValue, count - 1), 0) }
  }

  private var count = 0
  private var page = 0

  /// Creates a page control.
  public init(numberOfPages: Int = 0, currentPage: Int = 0) {
    super.init()
    self.numberOfPages = numberOfPages
    self.currentPage = currentPage
  }

  /// Simulates turning to the next page: sends `valueChanged` and `primaryActionTriggered`, if there is one.
  open func turnForward() {
    turn(to: page + 1)
  }

  /// Simulates turning to the previous page: sends `valueChanged` and `primaryActionTriggered`, if there is one.
  open func turnBack() {
    turn(to: page - 1)
  }

  /// Simulates turning to a page: sends `valueChanged` and `primaryActionTriggered` if the page changes.
  open func turn(to new: Int) {
    guard isUsable else { return }
    let old = page
    currentPage = new
    if page != old { sendChange() }
  }
}
