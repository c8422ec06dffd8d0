import Foundation
import Testing
import WeirControls

@Suite("A table")
@MainActor
struct TableViewTests {
  let table = TableView(rows: 3)
  let target = Target()

  init() {
    table.note(to: target) { "\($0.changedRow.row)" }
  }

  func row(_ row: Int, in section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

  @Test("sends the deselected row and then the selected one")
  func single() {
    for row in [0, 1, 1, 3] { table.tapRow(at: self.row(row)) }

    #expect(
      target.events == ["0 [rowSelected]", "0 [rowDeselected]", "1 [rowSelected]", "1 [rowSelected]"])
    #expect(table.indexPathForSelectedRow == row(1))
  }

  @Test("selects several rows if that is allowed, and a tap deselects")
  func multiple() {
    table.allowsMultipleSelection = true
    for row in [0, 2, 0] { table.tapRow(at: self.row(row)) }
    #expect(target.events == ["0 [rowSelected]", "2 [rowSelected]", "0 [rowDeselected]"])
    #expect(table.indexPathsForSelectedRows == [row(2)])

    table.tapRow(at: row(1))
    table.allowsMultipleSelection = false
    #expect(table.indexPathsForSelectedRows == [row(2)])
  }

  @Test("sends no event when the application selects, deselects or removes rows")
  func program() {
    table.selectRow(at: row(2))
    table.selectRow(at: row(1))
    #expect(table.indexPathsForSelectedRows == [row(1)])
    table.rowCounts = [1, 5]
    #expect(table.indexPathForSelectedRow == nil)
    table.selectRow(at: row(4, in: 1))
    table.deselectRow(at: row(0))
    #expect(table.indexPathForSelectedRow == row(4, in: 1))
    #expect(target.events == [])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    table.isEnabled = false
    table.tapRow(at: row(0))

    #expect(target.events == [])
  }
}
