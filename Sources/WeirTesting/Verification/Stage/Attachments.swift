/// The objects that a run passes between an operator and its neighbors, by weak references.
///
/// It is a task-local value, so that publishers between the operator and the stage can note objects, too.
package final class Attachments: Sendable {
  /// Where an object comes from.
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

  /// Notes an instance of a class; a structure is none that could be left behind.
  package static func note(_ thing: Any, as origin: Origin) {
    guard let current, type(of: thing) is AnyClass else { return }
    let entry = Entry(origin: origin, object: thing as AnyObject)
    current.entries.withLock { $0.append(entry) }
  }

  /// The first object that is alive, in words.
  var living: String? {
    // Not in the lock, because a weak reference makes a strong one for a moment.
    let living = entries.withLock { $0 }.first { $0.object != nil }
    return living.map { "\($0.origin.rawValue) is alive, though its neighbors have released it." }
  }
}
