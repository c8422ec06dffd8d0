/// The bytes of a file, which stays mapped into memory until the program ends.
struct FileBytes {
  // Safety: the memory is never unmapped, and each access is checked against the count. (`TracingTests`)
  private let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  /// Maps a whole file.
  init?(path: String) {
    guard let bytes = mapFile(at: path) else { return nil }
    self.bytes = bytes
  }

  // Safety: the bytes are a part of another mapping, which is never unmapped. (`TracingTests`)
  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Returns a part of the bytes, truncated at their end.
  func part(from start: UInt64, count: UInt64) -> FileBytes {
    let start = Int(min(start, UInt64(bytes.count)))
    let end = start + Int(min(count, UInt64(bytes.count - start)))
    // Safety: both ends are within the bytes. (`TracingTests`)
    return FileBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  /// Returns the number at an offset.
  ///
  /// - Precondition: the number's bytes are within the range.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    // Safety: the range is within the bytes, or the program stops. (`TracingTests`)
    precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<Number>.size)
    return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
  }
}

/// Reads successive numbers and strings from bytes.
///
/// Behind the last byte it reads zeros, and `isAtEnd` is true.
struct ByteReader {
  private let bytes: FileBytes

  /// Invariant: between 0 and the number of bytes.
  private var position = 0

  init(_ bytes: FileBytes) {
    self.bytes = bytes
  }

  /// The offset of the next read.
  var offset: Int {
    get { position }
    set { position = min(max(newValue, 0), bytes.count) }
  }

  var isAtEnd: Bool { position == bytes.count }

  var left: Int { bytes.count - position }

  mutating func seek(_ offset: UInt64) {
    self.offset = Int(clamping: offset)
  }

  mutating func skip(_ count: UInt64) {
    position += Int(min(count, UInt64(left)))
  }

  mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
    let size = MemoryLayout<Number>.size
    guard size <= left else {
      position = bytes.count
      return 0
    }
    defer { position += size }
    return Number(littleEndian: bytes.number(at: position))
  }

  /// Reads a number of variable length, with seven bits in each byte.
  mutating func readNumber() -> UInt64 {
    readGroups().number
  }

  mutating func readSignedNumber() -> Int {
    let (number, width, last) = readGroups()
    return Int(Int64(bitPattern: number) | (last & 0x40 != 0 ? -1 << width : 0))
  }

  /// Reads groups of seven bits, with their sum, its width and the last group.
  private mutating func readGroups() -> (number: UInt64, width: Int, last: UInt8) {
    var (number, width) = (UInt64(0), 0)
    while true {
      let byte = read(UInt8.self)
      number |= UInt64(byte & 0x7f) << width
      width += 7
      if byte < 0x80 { return (number, width, byte) }
    }
  }

  /// Reads a zero-terminated string.
  mutating func readString() -> String {
    var text: [UInt8] = []
    while case let byte = read(UInt8.self), byte != 0 { text.append(byte) }
    return String(decoding: text, as: UTF8.self)
  }
}
