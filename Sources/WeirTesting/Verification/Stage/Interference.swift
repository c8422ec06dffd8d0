import Synchronization
import Weir

/// One re-entrant action in one run: where user code is to act, and what it is to do.
///
/// Safety: it is the task-local value of one thread. (`NestedRuleTests`)
final class Interference: @unchecked Sendable {
  /// What the upstream of a run is.
  enum Feed: Hashable {
    /// A publisher of the verification's own.
    case scripted
    /// A subject, which delivers nested values immediately.
    case subject
  }

  /// A place that a run came to.
  struct Place: Hashable {
    let name: String
    let step: Int
    let isRelease: Bool
  }

  @TaskLocal static var current: Interference?

  let feed: Feed
  private(set) var places: [Place] = []
  weak var stage: Stage?
  /// The ordinal of the place that acts.
  var target: Int?
  var action: (() -> Void)?

  init(feed: Feed) {
    self.feed = feed
  }

  func reach(_ name: StaticString, isRelease: Bool) {
    guard let stage else { return }
    let ordinal = places.count
    places.append(Place(name: "\(name)", step: stage.trace.step, isRelease: isRelease))
    guard ordinal == target, let act = action.take() else { return }
    act()
  }
}

/// What user code does to the operator that called it.
enum NestedAction: Hashable {
  case send(Int)
  case finish
  case fail
  case cancel
  case request
  case subscribe

  static let all: [NestedAction] = [.send(1), .send(2), .finish, .fail, .cancel, .request, .subscribe]

  /// The action as a report shows it.
  var text: String {
    switch self {
    case .send(let count): count == 1 ? "sends a value" : "sends \(count) values"
    case .finish: "finishes the upstream"
    case .fail: "fails the upstream"
    case .cancel: "cancels"
    case .request: "requests 1"
    case .subscribe: "subscribes once more"
    }
  }

  /// False if the action isn't possible now; it may be in part.
  func perform(on stage: Stage) -> Bool {
    switch self {
    case .send(let count): return (0..<count).allSatisfy { _ in stage.perform(.send) }
    case .finish: return stage.perform(.finish)
    case .fail: return stage.perform(.fail)
    case .cancel: return stage.perform(.cancel)
    case .request: return stage.perform(.request(1))
    case .subscribe:
      guard let other = stage.attach?(Trace(), .plain) else { return false }
      other.request(.unlimited)
      stage.others.append(other)
      return true
    }
  }
}

/// Counts values that are alive.
final class LiveValues: Sendable {
  private struct Counts {
    var live = 0
    var highest = 0
  }

  private let counts = Mutex(Counts())

  func add(_ change: Int) {
    counts.withLock { counts in
      counts.live += change
      counts.highest = max(counts.highest, counts.live)
    }
  }

  /// The most that were alive at one moment.
  var highest: Int { counts.withLock { $0.highest } }
}
