import Foundation
import Weir
import WeirTesting

/// A subject that buffers all values of other threads until the delivering thread takes them, without a bound.
final class QueueingSubject: Subject, @unchecked Sendable {  // The lock is the only access to the state.
  typealias Output = VerificationValue
  typealias Failure = UpstreamFailure

  enum Mistake {
    /// It delivers on each thread that sends.
    case deliversConcurrently
    /// It adds demand in two steps, between which another thread may request.
    case losesDemand
  }

  private final class Member: Subscription, CustomStringConvertible, @unchecked Sendable {  // As the subject.
    private let lock = NSLock()
    private var subscriber: AnySubscriber<VerificationValue, UpstreamFailure>?
    private var requested = Subscribers.Demand.none
    private var deliveredCount = 0
    private let mistake: Mistake?

    init(_ subscriber: AnySubscriber<VerificationValue, UpstreamFailure>, _ mistake: Mistake?) {
      self.subscriber = subscriber
      self.mistake = mistake
    }

    var description: String { "Queueing" }

    func request(_ more: Subscribers.Demand) {
      guard mistake == .losesDemand, more > .none else { return lock.withLock { requested += more } }
      let before = lock.withLock { requested }
      // Another thread that requests meanwhile loses its demand.
      for _ in 0..<10_000 { if lock.withLock({ requested }) != before { break } }
      lock.withLock { requested = before + more }
    }

    func cancel() {
      let last = take()
      withExtendedLifetime(last) {}
    }

    func send(_ value: VerificationValue) {
      let subscriber = lock.withLock { () -> AnySubscriber<VerificationValue, UpstreamFailure>? in
        if requested <= deliveredCount { return nil }
        deliveredCount += 1
        return self.subscriber
      }
      guard let subscriber else { return }
      request(subscriber.receive(value))
    }

    func complete(_ completion: Subscribers.Completion<UpstreamFailure>) { take()?.receive(completion: completion) }

    private func take() -> AnySubscriber<VerificationValue, UpstreamFailure>? { lock.withLock { subscriber.take() } }
  }

  private let mistake: Mistake?
  private let lock = NSLock()
  private var member: Member?
  private var queue: [() -> Void] = []
  private var isDelivering = false

  init(_ mistake: Mistake? = nil) { self.mistake = mistake }

  func receive<S: Subscriber>(subscriber: S) where S.Input == VerificationValue, S.Failure == UpstreamFailure {
    let member = Member(AnySubscriber(subscriber), mistake)
    lock.withLock { self.member = member }
    subscriber.receive(subscription: member)
  }

  func send(_ value: VerificationValue) {
    if mistake == .deliversConcurrently {
      lock.withLock { member }?.send(value)
    } else {
      deliver { $0.send(value) }
    }
  }

  func send(completion: Subscribers.Completion<UpstreamFailure>) {
    deliver { $0.complete(completion) }
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
