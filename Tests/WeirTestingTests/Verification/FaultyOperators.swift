import Foundation
import Synchronization
import Weir

@testable import TestSupport

/// Typical mistakes, each in an operator that forwards values.
enum Mistake {
  /// It requests unlimited demand immediately, and sends all values, whatever its subscriber requests.
  case ignoresDemand
  /// It doesn't check whether it has been cancelled.
  case sendsAfterCancel
  /// It accepts every subscription.
  case keepsSecondSubscription
  /// It delivers on two threads concurrently.
  case deliversOnTwoThreads
  /// A value overtakes the previous one, which was requested alone.
  case overtakes
  /// It holds a lock while it delivers.
  case locks
  /// It holds a lock while it sends the subscription.
  case locksForSubscription
  /// It holds a lock while it sends the completion that follows a value.
  case locksForCompletion
  /// It holds a lock while it sends the completion without a value.
  case locksForCompletionAlone
  /// It retains all values that it has received.
  case keepsValues
  /// It requests at most 10 values with each request.
  case limitsDemand
  /// It replaces unlimited demand by a large number.
  case replacesUnlimitedDemand
}

struct Faulty<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let mistake: Mistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber: subscriber, mistake: mistake))
  }

  final class Inner<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let heldSubscriber: Locked<Downstream?>
    private let heldUpstream = Locked<(any Subscription)?>(nil)
    private var isTerminated = false
    private let mistake: Mistake?
    private var kept: Input?
    private var received: [Input] = []
    private let isAskedInParts = Atomic<Bool>(false)
    private var hasReceivedValue = false
    private let lock = NSRecursiveLock()

    init(subscriber: Downstream, mistake: Mistake?) {
      heldSubscriber = Locked(subscriber)
      self.mistake = mistake
    }

    private var subscriber: Downstream? {
      get { heldSubscriber.withLock { $0 } }
      set { withExtendedLifetime(heldSubscriber.withLock { exchange(&$0, with: newValue) }) {} }
    }

    private var upstream: (any Subscription)? {
      get { heldUpstream.withLock { $0 } }
      set { withExtendedLifetime(heldUpstream.withLock { exchange(&$0, with: newValue) }) {} }
    }

    var description: String { "Faulty" }

    func receive(subscription: any Subscription) {
      if mistake == .keepsSecondSubscription, upstream != nil {
        upstream = subscription
        return
      }
      guard upstream == nil, !isTerminated else { return subscription.cancel() }
      upstream = subscription
      locking(for: .locksForSubscription) { subscriber?.receive(subscription: self) }
      if mistake == .ignoresDemand { upstream?.request(.unlimited) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      switch mistake {
      case .deliversOnTwoThreads:
        onTwoThreads { _ = $0.subscriber?.receive(input) }
        return .none
      case .overtakes where isAskedInParts.load(ordering: .relaxed):
        guard let first = kept.take() else {
          kept = input
          return .max(1)
        }
        _ = subscriber?.receive(input)
        return subscriber?.receive(first) ?? .none
      default: break
      }
      hasReceivedValue = true
      if mistake == .keepsValues { received.append(input) }
      guard upstream != nil || (isTerminated && mistake == .sendsAfterCancel), let subscriber else { return .none }
      let demand = locking(for: .locks) { subscriber.receive(input) }
      return isTerminated ? .none : demand
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard upstream != nil, let subscriber else { return }
      releaseSubscription()
      locking(for: hasReceivedValue ? .locksForCompletion : .locksForCompletionAlone) {
        subscriber.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) {
      if demand != .unlimited { isAskedInParts.store(true, ordering: .relaxed) }
      switch mistake {
      case .ignoresDemand: break
      case .limitsDemand where demand != .unlimited: upstream?.request(Swift.min(demand, .max(10)))
      case .replacesUnlimitedDemand where demand == .unlimited: upstream?.request(.max(1000))
      default: upstream?.request(demand)
      }
    }

    func cancel() {
      lock.withLock {}
      let upstream = upstream
      if mistake == .sendsAfterCancel {
        self.upstream = nil
        isTerminated = true
      } else {
        releaseSubscription()
      }
      upstream?.cancel()
    }

    /// Holds the lock during the body if that is the mistake.
    private func locking<Result>(for lockingMistake: Mistake, _ body: () -> Result) -> Result {
      mistake == lockingMistake ? lock.withLock(body) : body()
    }

    /// The two wait for each other, so that they start together.
    private func onTwoThreads(_ body: @escaping (Inner) -> Void) {
      let arrived = Atomic<Int>(0)
      func meet() {
        arrived.add(1, ordering: .sequentiallyConsistent)
        // Has no effect if no second thread is available.
        for _ in 0..<100_000 where arrived.load(ordering: .sequentiallyConsistent) < 2 {}
        body(self)
      }
      race(meet, meet)
    }

    private func releaseSubscription() {
      isTerminated = true
      upstream = nil
      subscriber = nil
    }
  }
}

extension Publisher {
  func faulty(_ mistake: Mistake?) -> Faulty<Self> { Faulty(upstream: self, mistake: mistake) }
}

/// Stores a new value, and returns the old one.
private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
  defer { place = value }
  return place
}
