import Foundation

extension NameList {
  /// Creates a list from a file, a pipe or a device.
  ///
  /// Foundation reads a text from a regular file only, so the contents of any other kind are copied to one first.
  init(readingFrom path: String) throws {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    if type == .typeRegular || type == .typeDirectory {
      try self.init(contentsOf: path)
      return
    }
    let names = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd() ?? Data()
    let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).names")
    try names.write(to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    try self.init(contentsOf: copy.path)
  }
}
