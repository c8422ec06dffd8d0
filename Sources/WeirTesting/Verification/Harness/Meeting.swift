#if !WEIR_BARE
import Weir

/// A subject, or an operator between an upstream through which any thread sends and a subscriber that any thread may
/// enter.
struct Meeting {
  let harness: VerificationHarness
  let concurrentRun = ConcurrentRun()
  let member: any ConcurrentParticipant
  let sender: any ThreadSender
  private let isAsynchronous: Bool

  /// Subscribes, and requests values.
  ///
  /// A closure runs in each delivery, with its number.
  init?(
    _ target: VerificationTarget, requesting demand: Subscribers.Demand = .unlimited,
    onDelivery: @escaping @Sendable (Int) -> Void
  ) {
    harness = VerificationHarness(manner: .plain, conduct: .good)
    harness.concurrentRun = concurrentRun
    harness.sendsOnThreads = true
    concurrentRun.onDelivery = onDelivery
    target.build(harness)
    guard let member = harness.attachToCrowd?(), let sender = harness.sender else { return nil }
    self.member = member
    self.sender = sender
    isAsynchronous = target.isAsynchronous
    passTime(0)
    member.request(demand)
    passTime(0)
  }

  func passTime(_ stride: VirtualTime.Stride) {
    if isAsynchronous { harness.scheduler.advance(by: stride) }
  }

  /// Sends the completion, unless the subscriber has received one.
  func finish() {
    sender.complete(isFailure: false)
    passTime(100)
  }
}
#endif
