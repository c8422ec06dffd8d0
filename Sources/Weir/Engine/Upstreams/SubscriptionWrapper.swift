/// A subscription that contains another one, and has its description and mirror.
protocol SubscriptionWrapper: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  var wrapped: any Subscription { get }
}

extension SubscriptionWrapper {
  func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand { wrapped._earlyDemand(isToConnect: isToConnect) }

  var description: String { String(describing: wrapped) }

  var customMirror: Mirror { Mirror(reflecting: wrapped) }

  var playgroundDescription: Any {
    (wrapped as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? wrapped
  }
}

/// The object that contains a subscription without identity.
final class SubscriptionBox<Content: Subscription>: SubscriptionWrapper {
  private let content: Content

  var wrapped: any Subscription { content }

  init(_ content: Content) {
    self.content = content
  }

  var combineIdentifier: CombineIdentifier { content.combineIdentifier }

  func request(_ demand: Subscribers.Demand) { content.request(demand) }

  func cancel() { content.cancel() }

  func _outermostGate(of thread: UInt) -> _Gated? { content._outermostGate(of: thread) }
}

extension SubscriptionBox: Sendable where Content: Sendable {}
