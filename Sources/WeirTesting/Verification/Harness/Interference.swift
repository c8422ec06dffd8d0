import Weir

// Safety: one thread reaches places and sets their actions. Records of other threads are behind the lock.
// (`NestedRuleTests`)
/// The action of user code in one run, and its place.
///
/// It is a task-local value, so a place costs nothing unless a rule records places.
final class Interference: @unchecked Sendable {
  /// The kind of publisher that sends to an operator.
  enum Feed: Hashable, CaseIterable {
    /// A user's publisher, which the library does not trust.
    case foreign
    /// One of Weir's publishers, which the library trusts.
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
  /// The trace of the run.
  ///
  /// Places are recorded while it is set.
  weak var trace: Trace?
  private(set) var places: [Place] = []
  private var target: (ordinal: Int, action: (Place) -> Void)?
  private let intrusions = Shared<[String]>([])

  init(feed: Feed) {
    self.feed = feed
  }

  /// Makes user code act at the place with an ordinal.
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

  /// The user code that a second thread ran while the first one was in user code.
  var intrusion: String? { intrusions.withLock { $0.first } }
}

extension [Interference.Place] {
  /// The places that rules try: the first and last of each name, and the second, which may find state of the first.
  func chosen(where isIncluded: (Interference.Place) -> Bool) -> [Int] {
    var ordinals: [String: [Int]] = [:]
    for (ordinal, place) in enumerated() where isIncluded(place) { ordinals[place.name, default: []].append(ordinal) }
    return ordinals.values.flatMap { Set($0.prefix(2) + $0.suffix(1)) }.sorted()
  }
}

/// An action of user code on the operator that called it.
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
    case .subscribe: "subscribes again"
    }
  }

  /// Whether user code may perform this action on the verified publisher.
  func isPossible(for target: VerificationTarget) -> Bool {
    switch self {
    case .send, .sendTwice, .finish: target.kind != .publisher
    case .fail: target.kind != .publisher && target.canFail
    case .subscribe: !target.traits.contains(.servesOne)
    case .cancel, .request: true
    }
  }

  /// Returns `false` if the action isn't possible now; a part of it may have run.
  func perform(on harness: VerificationHarness) -> Bool {
    switch self {
    case .send: return harness.perform(.send)
    case .sendTwice: return harness.perform(.send) && harness.perform(.send)
    case .finish: return harness.perform(.finish)
    case .fail: return harness.perform(.fail)
    case .cancel: return harness.perform(.cancel)
    case .request: return harness.perform(.request(1))
    case .subscribe:
      guard let other = harness.attach?(Trace(), .plain) else { return false }
      harness.others.append(other)
      other.request(.unlimited)
      return true
    }
  }
}
