import Foundation
import Weir

/// Sends the numbers from 1 to 1000, as threads request them.
struct CountingTogether: Publisher {
  typealias Output = Int
  typealias Failure = Never

  enum Mistake {
    /// It adds demand in two steps, between which another thread may request.
    case losesDemand
  }

  let mistake: Mistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Inner(AnySubscriber(subscriber), mistake))
  }

  private final class Inner: Subscription {
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Int, Never>?
    private var requested = Subscribers.Demand.none
    private var deliveredCount = 0
    private var isDelivering = false
    private let mistake: Mistake?

    init(_ subscriber: AnySubscriber<Int, Never>, _ mistake: Mistake?) {
      self.subscriber = subscriber
      self.mistake = mistake
    }

    func request(_ more: Subscribers.Demand) {
      add(more)
      let isMine = lock.withLock {
        defer { isDelivering = true }
        return !isDelivering
      }
      if !isMine { return }
      while let (subscriber, value) = lock.withLock({ take() }) {
        guard let value else { return subscriber.receive(completion: .finished) }
        add(subscriber.receive(value))
      }
    }

    func cancel() {
      let last = lock.withLock { subscriber.take() }
      withExtendedLifetime(last) {}
    }

    private func add(_ more: Subscribers.Demand) {
      guard mistake == .losesDemand, more > .none else { return lock.withLock { requested += more } }
      let before = lock.withLock { requested }
      // Another thread that requests meanwhile loses its demand.
      for _ in 0..<10_000 { if lock.withLock({ requested }) != before { break } }
      lock.withLock { requested = before + more }
    }

    /// The subscriber and the next value, or `nil` for the completion.
    private func take() -> (AnySubscriber<Int, Never>, Int?)? {
      if let subscriber, deliveredCount == 1000 {
        self.subscriber = nil
        return (subscriber, nil)
      }
      if let subscriber, requested > deliveredCount {
        deliveredCount += 1
        return (subscriber, deliveredCount)
      }
      isDelivering = false
      return nil
    }
  }
}
