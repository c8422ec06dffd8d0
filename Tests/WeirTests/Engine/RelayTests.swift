import Testing

@testable import TestSupport
@testable import Weir

@Suite("Relay")
struct RelayTests {
  let recorder = Recorder<Int, TestError>()

  @Test("asks the next upstream for what is outstanding: requested and returned, less delivered")
  func outstanding() {
    let relay = Relay("Relay", downstream: Downstream(recorder))
    let first = ManualSubscription()
    let second = ManualSubscription()
    recorder.onValue = { value in value == 1 ? .max(2) : .none }
    relay.receive(subscription: first)
    recorder.request(.max(3))
    #expect(relay.receive(1) == .max(2))
    #expect(relay.receive(2) == .none)
    #expect(relay.link.detach())
    relay.receive(subscription: second)
    #expect(first.events == [.requested(.max(3))])
    #expect(second.events == [.requested(.max(3))])
    recorder.request(.max(1))
    #expect(second.events == [.requested(.max(3)), .requested(.max(1))])
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
  }

  @Test("keeps demand that comes between two upstreams")
  func between() {
    let relay = Relay("Relay", downstream: Downstream(recorder))
    relay.receive(subscription: ManualSubscription())
    #expect(relay.link.detach())
    recorder.request(.max(2))
    let next = ManualSubscription()
    relay.receive(subscription: next)
    #expect(next.events == [.requested(.max(2))])
  }

  @Test("asks for nothing where nothing is outstanding, and for nothing negative after too many values")
  func nothing() {
    let relay = Relay("Relay", downstream: Downstream(recorder))
    relay.receive(subscription: ManualSubscription())
    recorder.request(.max(1))
    for value in 1...3 { _ = relay.receive(value) }
    #expect(relay.link.detach())
    let next = ManualSubscription()
    relay.receive(subscription: next)
    #expect(next.events == [])
  }

  @Test("ignores values between two upstreams and cancels an upstream that comes unasked")
  func ignores() {
    let relay = Relay("Relay", downstream: Downstream(recorder))
    let extra = ManualSubscription()
    relay.receive(subscription: ManualSubscription())
    relay.receive(subscription: extra)
    #expect(extra.events == [.cancelled])
    #expect(relay.link.detach())
    #expect(relay.receive(1) == .none)
    recorder.cancel()
    let late = ManualSubscription()
    relay.receive(subscription: late)
    #expect(late.events == [.cancelled])
    #expect(recorder.events == [.subscription])
  }
}
