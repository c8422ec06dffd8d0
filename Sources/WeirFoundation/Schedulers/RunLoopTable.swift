#if !WEIR_BARE
import Foundation
import Weir

// Safety: the lock protects every access to its content. (`RunLoopTests`, `Threads/run-loop`)
/// One object for each run loop of another thread than the main one.
///
/// It retains neither of them, so that pending actions are released when the thread ends.
final class RunLoopTable<Object: AnyObject>: @unchecked Sendable {
  private struct Entry {
    weak var loop: RunLoop?
    weak var object: Object?
  }

  private struct Content {
    var entries = WeakList<Entry> { $0.object }
    /// The number of entries that have been added.
    var version = 0

    /// Adds an entry, unless another thread has added one since this version.
    mutating func append(_ entry: Entry, at version: Int) -> WeakList<Entry>.Released? {
      guard version == self.version else { return nil }
      self.version += 1
      return entries.append(entry)
    }
  }

  private let content = Locked(Content())

  func object(for loop: RunLoop) -> Object? { find(loop).object }

  func object(for loop: RunLoop, orInsert make: @autoclosure () -> Object) -> Object {
    while true {
      let (known, version) = find(loop)
      if let known { return known }
      let new = make()
      let released = content.withLock { $0.append(Entry(loop: loop, object: new), at: version) }
      // Released outside the lock.
      if released != nil { return new }
    }
  }

  private func find(_ loop: RunLoop) -> (object: Object?, version: Int) {
    let (entries, version) = content.withLock { ($0.entries.elements, $0.version) }
    // Searched outside the lock, because another thread can release its last reference to a run loop meanwhile, whose
    // timers then release what their actions capture.
    for entry in entries.reversed() where entry.loop === loop {
      if let object = entry.object { return (object, version) }
    }
    return (nil, version)
  }
}
#endif
