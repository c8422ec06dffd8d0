/// The lines of code in the debug information of a program or library.
///
/// It supports DWARF 2 to 4, which Swift writes by default.
///
/// It doesn't use the toolchain's module for that purpose, because a module of the program can have the same name.
struct DebugInformation {
  /// A line of code.
  struct Line: Equatable {
    var path: String
    var line: Int
    var column: Int
  }

  private struct Unit {
    /// The offset of the first entry, behind the header.
    var start: Int
    var end: Int
    var abbreviations: Int
    var lines: Int
    var folder: String
    /// The base of the addresses in its ranges.
    var base: UInt64
  }

  private struct Range {
    var low: UInt64
    var high: UInt64
    var unit: Int
  }

  private let sections: ObjectFile
  private var units: [Unit] = []
  private var ranges: [Range] = []

  /// Finds the units of the file and their address ranges.
  init(_ file: ObjectFile) {
    sections = file
    var reader = ByteReader(file["debug_info"])
    while !reader.isAtEnd {
      let length = UInt64(reader.read(UInt32.self))
      let end = reader.offset + Int(min(length, UInt64(reader.left)))
      // The 64-bit format, which begins with such a length, is for files of several gigabytes.
      if length >= 0xffff_fff0 { return }
      let version = reader.read(UInt16.self)
      let abbreviations = Int(reader.read(UInt32.self))
      let addressSize = reader.read(UInt8.self)
      if (2...4).contains(version), addressSize == 8 {
        addUnit(from: reader.offset, to: end, abbreviations: abbreviations)
      }
      reader.offset = end
    }
  }

  private mutating func addUnit(from start: Int, to end: Int, abbreviations offset: Int) {
    var unit = Unit(start: start, end: end, abbreviations: offset, lines: -1, folder: "", base: 0)
    var reader = ByteReader(sections["debug_info"])
    reader.offset = start
    let code = reader.readNumber()
    let abbreviations = Abbreviation.read(from: sections["debug_abbrev"], at: offset, upTo: code)
    guard let abbreviation = abbreviations[code] else { return }
    let entry = Entry(&reader, abbreviation, strings: sections["debug_str"])
    unit.base = entry.low ?? 0
    unit.lines = entry.lines ?? -1
    unit.folder = entry.folder ?? ""
    let number = units.count
    units.append(unit)
    ranges += addresses(of: entry, base: unit.base).map { Range(low: $0.lowerBound, high: $0.upperBound, unit: number) }
  }

  /// Returns the lines of the address, including those of inlined calls, the innermost first.
  func lines(at address: UInt64) -> [Line] {
    guard let range = ranges.first(where: { $0.low <= address && address < $0.high }) else { return [] }
    let unit = units[range.unit]
    guard let table = LineTable(sections["debug_line"], at: unit.lines, folder: unit.folder) else { return [] }
    let calls = inlinedCalls(at: address, in: unit).reversed().map {
      table.line(file: $0.file, line: $0.line, column: $0.column)
    }
    return (table.line(at: address).map { [$0] } ?? []) + calls
  }

  /// Returns the calls that were inlined at the address, the outermost first, as they are nested in the file.
  private func inlinedCalls(at address: UInt64, in unit: Unit) -> [Entry.Call] {
    let abbreviations = Abbreviation.read(from: sections["debug_abbrev"], at: unit.abbreviations)
    var reader = ByteReader(sections["debug_info"])
    reader.offset = unit.start
    var calls: [Entry.Call] = []
    while reader.offset < unit.end {
      let code = reader.readNumber()
      if code == 0 { continue }
      guard let abbreviation = abbreviations[code] else { break }
      let entry = Entry(&reader, abbreviation, strings: nil)
      if abbreviation.isInlinedCall, addresses(of: entry, base: unit.base).contains(where: { $0.contains(address) }) {
        calls.append(entry.call)
      }
    }
    return calls
  }

  private func addresses(of entry: Entry, base: UInt64) -> [Swift.Range<UInt64>] {
    if let offset = entry.ranges {
      var found: [Swift.Range<UInt64>] = []
      var base = base
      var reader = ByteReader(sections["debug_ranges"])
      reader.offset = offset
      while !reader.isAtEnd {
        let (low, high) = (reader.read(UInt64.self), reader.read(UInt64.self))
        if low == 0, high == 0 { break }
        if low == .max {
          base = high
        } else if low < high {
          found.append(base &+ low..<max(base &+ low, base &+ high))
        }
      }
      return found
    }
    guard let low = entry.low, let high = entry.high else { return [] }
    let end = entry.isHighRelative ? low &+ high : high
    return low < end ? [low..<end] : []
  }
}

/// The attributes of a kind of entry.
private struct Abbreviation {
  var isInlinedCall: Bool
  var attributes: [(name: UInt64, form: UInt64)] = []

  /// Returns the abbreviations by their codes, either all of a unit or those up to a code.
  static func read(from bytes: FileBytes, at offset: Int, upTo last: UInt64? = nil) -> [UInt64: Self] {
    var reader = ByteReader(bytes)
    reader.offset = offset
    var found: [UInt64: Abbreviation] = [:]
    while !reader.isAtEnd {
      let code = reader.readNumber()
      if code == 0 { break }
      var abbreviation = Abbreviation(isInlinedCall: reader.readNumber() == 0x1d)
      _ = reader.read(UInt8.self)
      while !reader.isAtEnd {
        let (name, form) = (reader.readNumber(), reader.readNumber())
        if name == 0, form == 0 { break }
        abbreviation.attributes.append((name, form))
      }
      found[code] = abbreviation
      if code == last { break }
    }
    return found
  }
}

/// The attributes of an entry that are needed here.
private struct Entry {
  struct Call {
    var file = 0
    var line = 0
    var column = 0
  }

  var low: UInt64?
  var high: UInt64?
  var isHighRelative = false
  var ranges: Int?
  var lines: Int?
  var folder: String?
  var call = Call()

  /// Reads the entry behind its code; skips strings if `strings` is `nil`.
  init(_ reader: inout ByteReader, _ abbreviation: Abbreviation, strings: FileBytes?) {
    for (name, form) in abbreviation.attributes {
      if name == 0x1b, let strings {
        folder = reader.readString(form: form, strings: strings)
        continue
      }
      let value = reader.readValue(form: form)
      switch name {
      case 0x10: lines = Int(truncatingIfNeeded: value)
      case 0x11: low = value
      case 0x12: (high, isHighRelative) = (value, form != 0x01)
      case 0x55: ranges = Int(truncatingIfNeeded: value)
      case 0x57: call.column = Int(truncatingIfNeeded: value)
      case 0x58: call.file = Int(truncatingIfNeeded: value)
      case 0x59: call.line = Int(truncatingIfNeeded: value)
      default: break
      }
    }
  }
}

extension ByteReader {
  /// Reads an attribute as a number; skips an attribute of another form and returns 0.
  fileprivate mutating func readValue(form: UInt64) -> UInt64 {
    switch form {
    case 0x01, 0x07, 0x14, 0x20: return read(UInt64.self)
    case 0x06, 0x0e, 0x10, 0x13, 0x17, 0x1f20, 0x1f21: return UInt64(read(UInt32.self))
    case 0x05, 0x12: return UInt64(read(UInt16.self))
    case 0x0b, 0x0c, 0x11: return UInt64(read(UInt8.self))
    case 0x0d: return UInt64(bitPattern: Int64(readSignedNumber()))
    case 0x0f, 0x15: return readNumber()
    case 0x19: return 1
    case 0x08: _ = readString()
    case 0x03: skip(UInt64(read(UInt16.self)))
    case 0x04: skip(UInt64(read(UInt32.self)))
    case 0x0a: skip(UInt64(read(UInt8.self)))
    case 0x09, 0x18: skip(readNumber())
    case 0x16: return readValue(form: readNumber())
    // The size of an unknown form is unknown, so nothing behind it can be read.
    default: skip(.max)
    }
    return 0
  }

  fileprivate mutating func readString(form: UInt64, strings: FileBytes) -> String {
    if form == 0x08 { return readString() }
    var reader = ByteReader(strings)
    reader.seek(readValue(form: form))
    return reader.readString()
  }
}

/// The line number program, which maps addresses to lines, and its files.
private struct LineTable {
  private var folders: [String] = []
  private var files: [(name: String, folder: Int)] = []
  private var code: ByteReader
  private let end: Int
  private let unit: Int
  private let lineBase: Int
  private let lineRange: UInt8
  private let operands: [UInt8]

  init?(_ bytes: FileBytes, at offset: Int, folder: String) {
    var reader = ByteReader(bytes)
    guard offset >= 0 else { return nil }
    reader.offset = offset
    let length = UInt64(reader.read(UInt32.self))
    guard length < 0xffff_fff0, length <= UInt64(reader.left) else { return nil }
    end = reader.offset + Int(length)
    let version = reader.read(UInt16.self)
    guard (2...4).contains(version) else { return nil }
    let headerLength = Int(reader.read(UInt32.self))
    let start = reader.offset + headerLength
    unit = Int(reader.read(UInt8.self))
    if version == 4 { _ = reader.read(UInt8.self) }
    _ = reader.read(UInt8.self)
    lineBase = Int(reader.read(Int8.self))
    lineRange = max(reader.read(UInt8.self), 1)
    let firstSpecial = max(reader.read(UInt8.self), 1)
    operands = (0..<firstSpecial - 1).map { _ in reader.read(UInt8.self) }
    folders = [folder]
    while case let name = reader.readString(), !name.isEmpty {
      folders.append(name.hasPrefix("/") ? name : "\(folder)/\(name)")
    }
    while case let name = reader.readString(), !name.isEmpty {
      files.append((name, Int(truncatingIfNeeded: reader.readNumber())))
      _ = (reader.readNumber(), reader.readNumber())
    }
    reader.offset = start
    code = reader
  }

  func line(file: Int, line: Int, column: Int) -> DebugInformation.Line {
    guard files.indices.contains(file &- 1) else { return .init(path: "", line: 0, column: 0) }
    let (name, folder) = files[file - 1]
    // Generated code has the file `<compiler-generated>`, which is in no folder.
    let isWhole = name.hasPrefix("/") || name.hasPrefix("<") || !folders.indices.contains(folder)
    return .init(path: isWhole ? name : "\(folders[folder])/\(name)", line: line, column: column)
  }

  /// Runs the line number program until it reaches the address.
  func line(at address: UInt64) -> DebugInformation.Line? {
    var code = code
    var row = Row()
    var before: Row?
    while code.offset < end {
      let operation = code.read(UInt8.self)
      var isRow = false
      var isLast = false
      if Int(operation) > operands.count {
        let special = operation - UInt8(operands.count) - 1
        row.address &+= UInt64(Int(special / lineRange) * unit)
        row.line &+= lineBase + Int(special % lineRange)
        isRow = true
      } else {
        switch operation {
        case 0:
          let length = code.readNumber()
          let next = code.offset + Int(min(length, UInt64(code.left)))
          switch code.read(UInt8.self) {
          case 1: (isRow, isLast) = (true, true)
          case 2: row.address = code.read(UInt64.self)
          default: break
          }
          code.offset = next
        case 1: isRow = true
        case 2: row.address &+= code.readNumber() &* UInt64(unit)
        case 3: row.line &+= code.readSignedNumber()
        case 4: row.file = Int(truncatingIfNeeded: code.readNumber())
        case 5: row.column = Int(truncatingIfNeeded: code.readNumber())
        case 8: row.address &+= UInt64(Int((255 - UInt8(operands.count) - 1) / lineRange) * unit)
        case 9: row.address &+= UInt64(code.read(UInt16.self))
        default: for _ in 0..<operands[Int(operation) - 1] { _ = code.readNumber() }
        }
      }
      guard isRow else { continue }
      if let before, before.address <= address, address < row.address {
        return line(file: before.file, line: before.line, column: before.column)
      }
      before = isLast ? nil : row
      if isLast { row = Row() }
    }
    return nil
  }

  private struct Row {
    var address: UInt64 = 0
    var file = 1
    var line = 1
    var column = 0
  }
}
