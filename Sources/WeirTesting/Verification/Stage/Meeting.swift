#if !WEIR_BARE
import Weir

/// A subject, or an operator between an upstream through which any thread sends and a subscriber that any thread may
/// enter.
struct Meeting {
  let stage: Stage
  let crowd = Crowd()
  let member: any CrowdMember
  let sender: any ThreadSender
  private let isAsynchronous: Bool

  /// Subscribes, and requests values.
  ///
  /// A closure runs in each delivery, with its number.
  init?(
    _ bench: Bench, requesting demand: Subscribers.Demand = .unlimited, onDelivery: @escaping @Sendable (Int) -> Void
  ) {
    stage = Stage(manner: .plain, conduct: .good)
    stage.crowd = crowd
    stage.sendsOnThreads = true
    crowd.onDelivery = onDelivery
    bench.build(stage)
    guard let member = stage.attachToCrowd?(), let sender = stage.sender else { return nil }
    self.member = member
    self.sender = sender
    isAsynchronous = bench.isAsynchronous
    passTime(0)
    member.request(demand)
    passTime(0)
  }

  func passTime(_ stride: VirtualTime.Stride) {
    if isAsynchronous { stage.scheduler.advance(by: stride) }
  }

  /// Sends the completion, unless the subscriber has received one.
  func finish() {
    sender.complete(isFailure: false)
    passTime(100)
  }
}
#endif
