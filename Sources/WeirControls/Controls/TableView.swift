import Weir

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A control with rows that a person selects and deselects.
///
/// UIKit's table view calls a delegate. This one sends ``Control/Event/rowSelected`` and
/// ``Control/Event/rowDeselected``. The application defines the contents of the rows; the table knows only their
/// number.
open class TableView: Control {
  /// The number of rows in each section; removed rows are deselected, without an event.
  open var rowCounts: [Int] {
    didSet { selected.removeAll { !contains($0) } }
  }

  /// Whether several rows can be selected at the same time.
  ///
  /// When this becomes false, the first selected row stays selected.
  open var allowsMultipleSelection = false {
    didSet { if !allowsMultipleSelection, selected.count > 1 { selected.removeLast(selected.count - 1) } }
  }

  /// The row of the current event: see ``Control/Event/rowSelected`` and ``Control/Event/rowDeselected``.
  public private(set) var changedRow = IndexPath(row: 0, section: 0)

  private var selected: [IndexPath] = []

  /// Creates a table with one section.
  public init(rows: Int = 0) {
    rowCounts = [rows]
    super.init()
  }

  /// The selected rows, in the order of their selection.
  public final var indexPathsForSelectedRows: [IndexPath] { selected }

  /// The selected row, the first if there are several.
  public final var indexPathForSelectedRow: IndexPath? { selected.first }

  /// Selects a row without an event.
  ///
  /// - Precondition: the row exists.
  open func selectRow(at row: IndexPath) {
    require(
      contains(row), "selectRow(at:) requires a row that exists. rowCounts has the number of rows of each section.")
    if selected.contains(row) { return }
    if !allowsMultipleSelection { selected = [] }
    selected.append(row)
  }

  /// Deselects a row, if it is selected, without an event.
  open func deselectRow(at row: IndexPath) {
    selected.removeAll { $0 == row }
  }

  /// Simulates tapping a row, if it exists.
  ///
  /// With single selection, sends `rowDeselected` for a previously selected other row, and then `rowSelected` for this
  /// one. With multiple selection, sends `rowDeselected` if this row was selected, otherwise `rowSelected`.
  open func tapRow(at row: IndexPath) {
    guard isUsable, contains(row) else { return }
    if allowsMultipleSelection, selected.contains(row) {
      deselectRow(at: row)
      return send(.rowDeselected, row)
    }
    let old = allowsMultipleSelection ? nil : selected.first
    selectRow(at: row)
    if let old, old != row { send(.rowDeselected, old) }
    if isUsable, selected.contains(row) { send(.rowSelected, row) }
  }

  private func send(_ event: Event, _ row: IndexPath) {
    changedRow = row
    sendActions(for: event)
  }

  private func contains(_ row: IndexPath) -> Bool {
    row.count == 2 && rowCounts.indices.contains(row.section) && (0..<rowCounts[row.section]).contains(row.row)
  }
}

extension IndexPath {
  /// Creates the index path of a row in a section of a table.
  public init(row: Int, section: Int) {
    self = [section, row]
  }

  /// The section of a table.
  public var section: Int { self[0] }

  /// The row in its section.
  public var row: Int { self[1] }
}
