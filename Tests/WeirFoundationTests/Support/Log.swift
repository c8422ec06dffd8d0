import Dispatch
import Synchronization

/// The events of all threads, in order.
final class Log<Event: Sendable>: Sendable {
  private let list = Mutex<[Event]>([])
  private let news = DispatchSemaphore(value: 0)

  var events: [Event] { list.withLock { $0 } }

  func callAsFunction(_ event: Event) {
    list.withLock { $0.append(event) }
    news.signal()
  }

  /// Waits for this many more events; returns `false` after a timeout.
  func wait(for count: Int = 1) -> Bool {
    (0..<count).allSatisfy { _ in news.wait(timeout: .now() + 300) == .success }
  }
}

/// Keeps a group waiting for its lifetime.
final class Tracer: Sendable {
  let group: DispatchGroup

  init(group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit { group.leave() }

  @Sendable func touch() {}
}
