/// The subscription that a coordinator hands downstream.
///
/// It knows no types: a call through `any Subscription` would run generic code unspecialised, so what it does is a function
/// formed where the types are known.
@usableFromInline
package class CoordinatorSubscription: Subscription, Described, InnerSubscriber {
  @usableFromInline
  enum Action {
    case request(Subscribers.Demand)
    case cancel
  }

  @usableFromInline
  final let act: (CoordinatorSubscription, Action) -> Void

  @usableFromInline
  final let name: StaticString

  @inlinable
  init(_ name: StaticString, act: @escaping (CoordinatorSubscription, Action) -> Void) {
    self.name = name
    self.act = act
  }

  @usableFromInline
  package final var description: String { name.description }

  @usableFromInline
  package var reflected: [Mirror.Child] { [] }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if demand != .none { act(self, .request(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    act(self, .cancel)
  }
}
