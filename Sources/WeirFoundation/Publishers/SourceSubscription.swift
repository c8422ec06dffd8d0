import Weir

/// The subscription to a source behind a subject, which handles order, demand and completion.
///
/// Only the downstream retains it. Releasing it cancels the source.
final class SourceSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  let description: String
  private let member: any Subscription
  private let source: AnyCancellable
  private let mirrorChildren: () -> [Mirror.Child]

  /// Creates a subscription, whose mirror shows the children that `mirrorChildren` returns and the demand.
  init(
    _ description: String, to member: any Subscription, showing mirrorChildren: @escaping () -> [Mirror.Child] = { [] },
    cancelSource: @escaping () -> Void
  ) {
    self.description = description
    self.member = member
    self.mirrorChildren = mirrorChildren
    source = AnyCancellable {
      cancelSource()
      member.cancel()
    }
  }

  var customMirror: Mirror {
    let demand = Mirror(reflecting: member).descendant("demand") ?? Subscribers.Demand.none
    return Mirror(self, children: mirrorChildren() + [("demand", demand)])
  }

  var playgroundDescription: Any { description }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none { member.request(demand) }
  }

  func cancel() {
    source.cancel()
  }
}
