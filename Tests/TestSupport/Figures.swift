import Foundation

/// The test effort, which is summed up and appended to the file in `WEIR_FIGURES` after all tests have run.
///
/// Each line is a name and a number; `.ci/reliability` converts them to a table.
enum Figures {
  private static let path = ProcessInfo.processInfo.environment["WEIR_FIGURES"]
  // Guarded by a lock that Thread Sanitizer understands.
  nonisolated(unsafe) private static var sums: [String: Int] = [:]
  private static let lock = NSLock()

  static func add(_ count: Int, to name: String) {
    if path == nil { return }
    _ = writesAtExit
    lock.withLock { sums[name, default: 0] += count }
  }

  private static let writesAtExit: Void = {
    atexit {
      guard let path = Figures.path else { return }
      let text = Figures.lock.withLock { Figures.sums }.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }
        .joined()
      let file = FileHandle(forWritingAtPath: path)
      file?.seekToEndOfFile()
      file?.write(Data(text.utf8))
    }
  }()
}

/// Whether the allocator reuses released memory.
///
/// Address Sanitizer quarantines it.
let addressesAreReused = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__asan_init") == nil
