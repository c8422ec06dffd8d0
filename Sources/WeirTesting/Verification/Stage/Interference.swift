import Weir

// Safety: one thread reaches places and sets what they do. What other threads note is behind the lock. (`NestedRuleTests`)
/// What user code does in one run, and at which place.
///
/// It is a task-local value, so a place costs nothing where no rule looks for places.
final class Interference: @unchecked Sendable {
  /// What sends to an operator.
  enum Feed: Hashable, CaseIterable {
    /// A publisher of a user's, which the library does not trust.
    case foreign
    /// A publisher of Weir's, which the library trusts.
    case direct

    /// The feed as a report shows it.
    var text: String { self == .direct ? " The upstream is one of Weir's publishers." : "" }
  }

  /// A place where user code runs.
  struct Place: Hashable {
    let name: String
    let step: Int
    let isRelease: Bool
  }

  @TaskLocal static var current: Interference?

  /// The run whose thread waits in user code while this thread enters.
  @TaskLocal static var intruded: Interference?

  let feed: Feed
  /// Where the run stands; places are noted while it is set.
  weak var trace: Trace?
  private(set) var places: [Place] = []
  private var target: (ordinal: Int, action: (Place) -> Void)?
  private let intrusions = Shared<[String]>([])

  init(feed: Feed) {
    self.feed = feed
  }

  /// Has user code act at the place of an ordinal.
  func act(at ordinal: Int, _ action: @escaping (Place) -> Void) { target = (ordinal, action) }

  func reach(_ name: StaticString, isRelease: Bool) {
    guard let trace else { return }
    let place = Place(name: name.description, step: trace.step, isRelease: isRelease)
    places.append(place)
    guard let target, target.ordinal == places.count - 1 else { return }
    self.target = nil
    target.action(place)
  }

  func noteIntrusion(_ place: StaticString) { intrusions.withLock { $0.append(place.description) } }

  /// User code that a second thread ran while the first one was in user code.
  var intrusion: String? { intrusions.withLock { $0.first } }
}

extension [Interference.Place] {
  /// The places that rules try: the first and the last of each name, and the second, which may find state of the first.
  func chosen(where isIncluded: (Interference.Place) -> Bool) -> [Int] {
    var ordinals: [String: [Int]] = [:]
    for (ordinal, place) in enumerated() where isIncluded(place) { ordinals[place.name, default: []].append(ordinal) }
    return ordinals.values.flatMap { Set($0.prefix(2) + $0.suffix(1)) }.sorted()
  }
}

/// What user code does to the operator that called it.
enum NestedAction: Hashable, CaseIterable {
  case send, sendTwice, finish, fail, cancel, request, subscribe

  /// The action as a report shows it.
  var text: String {
    switch self {
    case .send: "sends a value"
    case .sendTwice: "sends 2 values"
    case .finish: "finishes the upstream"
    case .fail: "fails the upstream"
    case .cancel: "cancels"
    case .request: "requests 1"
    case .subscribe: "subscribes once more"
    }
  }

  /// Whether a publisher that is verified lets user code do that.
  func isPossible(for bench: Bench) -> Bool {
    switch self {
    case .send, .sendTwice, .finish: bench.kind != .publisher
    case .fail: bench.kind != .publisher && bench.canFail
    case .subscribe: !bench.traits.contains(.servesOne)
    case .cancel, .request: true
    }
  }

  /// False if the action isn't possible now; it may be in part.
  func perform(on stage: Stage) -> Bool {
    switch self {
    case .send: return stage.perform(.send)
    case .sendTwice: return stage.perform(.send) && stage.perform(.send)
    case .finish: return stage.perform(.finish)
    case .fail: return stage.perform(.fail)
    case .cancel: return stage.perform(.cancel)
    case .request: return stage.perform(.request(1))
    case .subscribe:
      guard let other = stage.attach?(Trace(), .plain) else { return false }
      stage.others.append(other)
      other.request(.unlimited)
      return true
    }
  }
}
