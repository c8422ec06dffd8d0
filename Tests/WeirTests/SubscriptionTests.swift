import Testing
import Weir

@Suite("Subscriptions.empty")
struct SubscriptionTests {
  @Test("ignores demand and cancellation, and is always the same")
  func empty() {
    let subscription = Subscriptions.empty
    subscription.request(.none)
    subscription.request(.unlimited)
    subscription.cancel()
    subscription.cancel()
    #expect(subscription.combineIdentifier == Subscriptions.empty.combineIdentifier)
    #expect(subscription.combineIdentifier != CombineIdentifier())
    #expect(String(describing: subscription) == "Empty")
    #expect(Mirror(reflecting: subscription).children.isEmpty)
  }
}
