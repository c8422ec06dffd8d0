/// The loaded program and its libraries, which map an address to a file and a line of code.
struct LoadedCode {
  private struct Mapping {
    var addresses: Range<UInt64>
    var offset: UInt64
    var path: String
  }

  private let mappings: [Mapping]

  // Safety: the lock protects every access to its content. (`TracingTests`)
  private nonisolated(unsafe) static let files = Locked<[String: File]>([:])

  private struct File {
    var object: ObjectFile
    var information: DebugInformation
  }

  /// Reads which files the program has loaded.
  init() {
    let text = textOfFile(at: "/proc/self/maps")
    mappings = text.split(separator: "\n").compactMap { line in
      // The fields are addresses, permissions, offset, device, inode and path.
      let parts = line.split(separator: " ", maxSplits: 5)
      guard parts.count == 6, parts[1].contains("x") else { return nil }
      let ends = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(parts[2], radix: 16) else { return nil }
      return Mapping(addresses: ends[0]..<ends[1], offset: offset, path: String(parts[5].drop { $0 == " " }))
    }
  }

  /// Returns the lines of a call that returns to the address, the innermost first.
  func lines(beforeReturnTo address: UInt) -> [DebugInformation.Line] {
    // The call instruction precedes the return address.
    let call = UInt64(max(address, 1)) - 1
    guard let mapping = mappings.first(where: { $0.addresses.contains(call) }) else { return [] }
    let offset = call - mapping.addresses.lowerBound &+ mapping.offset
    guard let file = Self.file(at: mapping.path), let found = file.object.address(ofOffset: offset) else { return [] }
    return file.information.lines(at: found).filter { $0.line > 0 && !$0.path.hasPrefix("<") }
  }

  private static func file(at path: String) -> File? {
    if let known = files.withLock({ $0[path] }) { return known }
    guard let object = ObjectFile(path: path) else { return nil }
    let file = File(object: object, information: DebugInformation(object))
    files.withLock { $0[path] = file }
    return file
  }
}
