/// A program or a library in an ELF file.
struct ObjectFile {
  private let bytes: FileBytes
  private var sections: [String: FileBytes] = [:]

  /// The segments of the file and their addresses, before relocation.
  private var segments: [(offset: UInt64, size: UInt64, address: UInt64)] = []

  init?(path: String) {
    guard let bytes = FileBytes(path: path) else { return nil }
    self.bytes = bytes
    // The magic number, 64 bits, little endian.
    var header = ByteReader(bytes)
    guard [0x7f, 0x45, 0x4c, 0x46, 2, 1].allSatisfy({ header.read(UInt8.self) == $0 }) else { return nil }
    header.offset = 0x20
    let (segmentStart, sectionStart) = (header.read(UInt64.self), header.read(UInt64.self))
    header.offset = 0x36
    let segmentSize = UInt64(header.read(UInt16.self))
    let segmentCount = UInt64(header.read(UInt16.self))
    let sectionSize = UInt64(header.read(UInt16.self))
    let sectionCount = UInt64(header.read(UInt16.self))
    let nameSection = UInt64(header.read(UInt16.self))
    for number in 0..<segmentCount {
      header.seek(segmentStart &+ number * segmentSize)
      guard header.read(UInt32.self) == 1 else { continue }
      _ = header.read(UInt32.self)
      let (offset, address) = (header.read(UInt64.self), header.read(UInt64.self))
      _ = header.read(UInt64.self)
      segments.append((offset, header.read(UInt64.self), address))
    }
    guard let names = content(at: sectionStart &+ nameSection * sectionSize) else { return }
    for number in 0..<sectionCount {
      header.seek(sectionStart &+ number * sectionSize)
      var name = ByteReader(names)
      name.seek(UInt64(header.read(UInt32.self)))
      let text = name.readString()
      guard text.hasPrefix(".debug_") else { continue }
      sections[String(text.dropFirst())] = content(at: sectionStart &+ number * sectionSize)
    }
  }

  /// The content of a section, or no bytes if there is none.
  subscript(name: String) -> FileBytes {
    sections[name] ?? bytes.part(from: 0, count: 0)
  }

  /// Returns the address in the debug information of the code at an offset.
  func address(ofOffset offset: UInt64) -> UInt64? {
    let segment = segments.first { $0.offset <= offset && offset - $0.offset < $0.size }
    guard let segment else { return nil }
    return offset - segment.offset &+ segment.address
  }

  /// Returns the content of the section whose header is at the offset, unless it is compressed.
  private func content(at offset: UInt64) -> FileBytes? {
    var header = ByteReader(bytes)
    header.seek(offset &+ 8)
    let isCompressed = header.read(UInt64.self) & 0x800 != 0
    _ = header.read(UInt64.self)
    let (start, count) = (header.read(UInt64.self), header.read(UInt64.self))
    return isCompressed ? nil : bytes.part(from: start, count: count)
  }
}
