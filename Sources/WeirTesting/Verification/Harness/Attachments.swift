/// Weak references to the objects that a run passes between an operator and its neighbors.
///
/// It is a task-local value, so that publishers between the operator and the harness can record objects too.
package final class Attachments: Sendable {
  /// The origin of an object.
  package enum Origin: String {
    case subscription = "The subscription that the subscriber received"
    case subscriber = "The subscriber that was attached to the upstream"
    case upstreamSubscription = "The upstream's subscription"
  }

  private struct Entry {
    let origin: Origin
    weak var object: AnyObject?
  }

  @TaskLocal package static var current: Attachments?

  private let entries = Shared<[Entry]>([])

  init() {}

  /// Records an instance of a class.
  ///
  /// A structure can't be leaked.
  package static func note(_ thing: Any, as origin: Origin) {
    guard let current, type(of: thing) is AnyClass else { return }
    let entry = Entry(origin: origin, object: thing as AnyObject)
    current.entries.withLock { $0.append(entry) }
  }

  /// A description of the first object that is alive.
  var living: String? {
    // Outside the lock, because reading a weak reference retains the object for a moment.
    let living = entries.withLock { $0 }.first { $0.object != nil }
    return living.map { "\($0.origin.rawValue) is alive, although its neighbors have released it." }
  }
}
