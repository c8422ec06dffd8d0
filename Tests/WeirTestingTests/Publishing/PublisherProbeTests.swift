import Testing
import Weir
import WeirTesting

@Suite struct PublisherProbeTests {
  @Test func countsWhatHappens() throws {
    let probe = PublisherProbe([1, 2, 3].lazy.publisher)
    try probe.checkNotSubscribed()
    let subscriber = TestSubscriber<Int, Never>(returning: .max(1))
    probe.publisher.subscribe(subscriber)
    try probe.checkSubscribed(times: 1)
    try probe.checkNotRequested()
    subscriber.request(.max(1))
    #expect(probe.requests == [.max(1), .max(1), .max(1), .max(1)])
    #expect(probe.valueCount == 3)
    #expect(probe.completionCount == 1)
    try probe.checkNotCancelled()
    let other = TestSubscriber<Int, Never>(demanding: .max(1))
    probe.publisher.subscribe(other)
    other.cancel()
    try probe.checkSubscribed()
    try probe.checkRequested()
    try probe.checkCancelled(times: 1)
    #expect(probe.subscriptionCount == 2)
  }

  @Test func aBranchThatIsNotTaken() throws {
    let fallback = PublisherProbe<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    [1].lazy.publisher.setFailureType(to: Oops.self).catch { _ in fallback.publisher }.subscribe(subscriber)
    #expect(subscriber.values == [1])
    try fallback.checkNotSubscribed()
  }

  @Test func saysWhatItMisses() {
    let probe = PublisherProbe<Int, Never>()
    #expect(
      messageOfFailure { try probe.checkSubscribed() } == "The publisher should be subscribed to, but was not.")
    #expect(
      messageOfFailure { try probe.checkRequested() } == "The publisher should be sent a request, but was not.")
    #expect(
      messageOfFailure { try probe.checkCancelled(times: 2) }
        == "The publisher should be cancelled 2 times, but was not.")
    probe.publisher.subscribe(TestSubscriber<Int, Never>())
    #expect(
      messageOfFailure { try probe.checkNotSubscribed() }
        == "The publisher should not be subscribed to, but it happened once.")
  }
}
