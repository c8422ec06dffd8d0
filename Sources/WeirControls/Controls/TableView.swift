import Weir

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A control of rows that a person selects and deselects.
///
/// UIKit's table view tells a delegate; this one sends ``Control/Event/rowSelected`` and ``Control/Event/rowDeselected``.
/// What its rows show is the program's affair: the table knows how many there are.
open class TableView: Control {
  /// How many rows each section has; what was selected in rows that go is deselected, without an event.
  open var rowCounts: [Int] {
    didSet { selected.removeAll { !contains($0) } }
  }

  /// Tells whether several rows may be selected at once.
  ///
  /// When it becomes false, the first row stays selected.
  open var allowsMultipleSelection = false {
    didSet { if !allowsMultipleSelection, selected.count > 1 { selected.removeLast(selected.count - 1) } }
  }

  /// The row that the event at hand is about: see ``Control/Event/rowSelected`` and ``Control/Event/rowDeselected``.
  public private(set) var changedRow = IndexPath(row: 0, section: 0)

  private var selected: [IndexPath] = []

  /// Makes a table with one section.
  public init(rows: Int = 0) {
    rowCounts = [rows]
    super.init()
  }

  /// The rows that are selected, in the order in which they were.
  public final var indexPathsForSelectedRows: [IndexPath] { selected }

  /// The row that is selected, the first if there are several.
  public final var indexPathForSelectedRow: IndexPath? { selected.first }

  /// The program selects a row: no event is sent.
  ///
  /// - Precondition: there is such a row.
  open func selectRow(at row: IndexPath) {
    require(contains(row), "There is no such row: see rowCounts.")
    if selected.contains(row) { return }
    if !allowsMultipleSelection { selected = [] }
    selected.append(row)
  }

  /// The program deselects a row, if it is selected: no event is sent.
  open func deselectRow(at row: IndexPath) {
    selected.removeAll { $0 == row }
  }

  /// A person taps a row, if there is such a one.
  ///
  /// Where one row may be selected, sends `rowDeselected` for the row that was, if it is another, and then `rowSelected`
  /// for this one. Where several may be, sends `rowDeselected` if this one was selected, else `rowSelected`.
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
  /// The place of a row in a section of a table.
  public init(row: Int, section: Int) {
    self = [section, row]
  }

  /// The section of a table.
  public var section: Int { self[0] }

  /// The row in its section.
  public var row: Int { self[1] }
}
