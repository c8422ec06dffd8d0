import Foundation
import Synchronization

/// What tests have tried, summed up and appended to the file that `WEIR_FIGURES` names when they have all run.
///
/// Each line is a name and a number; `.ci/reliability` makes a table of them.
enum Figures {
  private static let path = ProcessInfo.processInfo.environment["WEIR_FIGURES"]
  private static let sums = Mutex<[String: Int]>([:])

  static func add(_ count: Int, to name: String) {
    if path == nil { return }
    _ = writesAtExit
    sums.withLock { $0[name, default: 0] += count }
  }

  private static let writesAtExit: Void = {
    atexit {
      guard let path = Figures.path else { return }
      let text = Figures.sums.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }.joined()
      let file = FileHandle(forWritingAtPath: path)
      file?.seekToEndOfFile()
      file?.write(Data(text.utf8))
    }
  }()
}

/// Whether memory that is let go of is used again: Address Sanitizer keeps it back for long.
let addressesAreReused = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__asan_init") == nil
