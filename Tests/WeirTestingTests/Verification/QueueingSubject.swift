import Foundation
import Weir
import WeirTesting

/// A subject that buffers all values of other threads until the delivering thread takes them, without a bound.
final class QueueingSubject: Subject, @unchecked Sendable {  // The lock is the only access to the state.
  typealias Output = VerificationValue
  typealias Failure = UpstreamFailure

  private final class Member: Subscription {
    var subscriber: AnySubscriber<VerificationValue, UpstreamFailure>?
    var demand = Subscribers.Demand.none

    init(_ subscriber: AnySubscriber<VerificationValue, UpstreamFailure>) { self.subscriber = subscriber }

    func request(_ demand: Subscribers.Demand) { self.demand += demand }
    func cancel() { subscriber = nil }
  }

  private let lock = NSLock()
  private var member: Member?
  private var queue: [() -> Void] = []
  private var isDelivering = false

  func receive<S: Subscriber>(subscriber: S) where S.Input == VerificationValue, S.Failure == UpstreamFailure {
    let member = Member(AnySubscriber(subscriber))
    lock.withLock { self.member = member }
    subscriber.receive(subscription: member)
  }

  func send(_ value: VerificationValue) {
    deliver { member in
      if member.demand == .none { return }
      member.demand -= 1
      member.demand += member.subscriber?.receive(value) ?? .none
    }
  }

  func send(completion: Subscribers.Completion<UpstreamFailure>) {
    deliver { member in
      let subscriber = member.subscriber
      member.subscriber = nil
      subscriber?.receive(completion: completion)
    }
  }

  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  private func deliver(_ act: @escaping (Member) -> Void) {
    let isFirst = lock.withLock {
      queue.append { [member] in member.map(act) }
      defer { isDelivering = true }
      return !isDelivering
    }
    if !isFirst { return }
    while let next = lock.withLock({ takeNext() }) { next() }
  }

  private func takeNext() -> (() -> Void)? {
    if queue.isEmpty { isDelivering = false }
    return queue.isEmpty ? nil : queue.removeFirst()
  }
}
