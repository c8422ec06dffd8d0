import Dispatch

/// A point where two threads wait for each other.
final class Meeting: Sendable {
  private let group = DispatchGroup()

  init() {
    group.enter()
    group.enter()
  }

  func join() {
    group.leave()
    group.wait()
  }
}
