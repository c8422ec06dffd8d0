/// A row of dots, one for each page, which tells the page that is seen and turns the pages.
open class PageControl: Control {
  /// How many pages there are, not less than zero.
  open var numberOfPages: Int {
    get { count }
    set {
      count = max(newValue, 0)
      currentPage = page
    }
  }

  /// The page that is seen, counted from zero; what lies beyond is taken for the nearer end.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var currentPage: Int {
    get { page }
    set { page = max(min(newValue, count - 1), 0) }
  }

  private var count = 0
  private var page = 0

  /// Makes a page control.
  public init(numberOfPages: Int = 0, currentPage: Int = 0) {
    super.init()
    self.numberOfPages = numberOfPages
    self.currentPage = currentPage
  }

  /// A person turns to the next page: sends `valueChanged` and `primaryActionTriggered`, if there is one.
  open func turnForward() {
    turn(to: page + 1)
  }

  /// A person turns to the page before: sends `valueChanged` and `primaryActionTriggered`, if there is one.
  open func turnBack() {
    turn(to: page - 1)
  }

  /// A person turns to a page: sends `valueChanged` and `primaryActionTriggered`, unless it is seen already.
  open func turn(to new: Int) {
    guard isUsable else { return }
    let old = page
    currentPage = new
    if page != old { sendChange() }
  }
}
