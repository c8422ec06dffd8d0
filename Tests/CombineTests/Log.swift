import Dispatch
import Foundation

// Safety: its state is behind a lock.
/// The events of all threads, in order.
final class Log<Event: Sendable>: @unchecked Sendable {
  private var list: [Event] = []
  private let lock = NSLock()
  private let news = DispatchSemaphore(value: 0)

  var events: [Event] { lock.withLock { list } }

  func callAsFunction(_ event: Event) {
    lock.withLock { list.append(event) }
    news.signal()
  }

  /// Waits for this many more events; returns `false` after a timeout.
  func wait(for count: Int = 1) -> Bool {
    (0..<count).allSatisfy { _ in news.wait(timeout: .now() + 300) == .success }
  }
}
