import Foundation

/// What tests have tried, summed up and appended to the file that `WEIR_FIGURES` names when they have all run.
///
/// Each line is a name and a number; `.ci/reliability` makes a table of them.
enum Figures {
  private static let path = ProcessInfo.processInfo.environment["WEIR_FIGURES"]
  // Guarded by a lock that Thread Sanitizer knows.
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

/// Whether memory that is let go of is used again: Address Sanitizer keeps it back for long.
let addressesAreReused = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__asan_init") == nil
