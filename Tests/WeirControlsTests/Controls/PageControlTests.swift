import Testing
import WeirControls

@Suite("A page control")
@MainActor
struct PageControlTests {
  let pages = PageControl(numberOfPages: 3)
  let target = Target()

  init() {
    pages.addTarget(target, action: { $0.note("\($1.currentPage)") }, named: "page", for: .valueChanged)
  }

  @Test("sends when a person turns to another page")
  func turn() {
    for _ in 0..<3 { pages.turnForward() }
    for _ in 0..<3 { pages.turnBack() }
    pages.turn(to: 2)
    pages.turn(to: 2)

    #expect(target.events == ["1", "2", "1", "0", "2"])
  }

  @Test("stays on its pages, and sends no event when the application turns them")
  func set() {
    pages.currentPage = 7
    #expect(pages.currentPage == 2)
    pages.numberOfPages = 1
    #expect(pages.currentPage == 0)
    pages.numberOfPages = -1
    #expect(pages.numberOfPages == 0 && pages.currentPage == 0)
    #expect(target.events == [])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    pages.isEnabled = false
    pages.turnForward()

    #expect(target.events == [])
  }
}
