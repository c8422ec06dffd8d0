import Dispatch
import Foundation
import Weir
import WeirTesting

@testable import TestSupport

/// Mistakes that show only when user code acts from inside a call, or when two threads meet.
enum NestedMistake {
  /// It reads its state, calls user code, and writes the state.
  case writesAfterUserCode
  /// It releases a value in the middle of a change.
  case releasesInTheMiddle
  /// It holds itself.
  case holdsItself
}

/// The sums of the values.
struct Summing<Upstream: Publisher>: Publisher where Upstream.Output == VerificationValue {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let mistake: NestedMistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber: subscriber, mistake: mistake))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
  where Downstream.Input == Int, Downstream.Failure == Failure {
    private var subscriber: Downstream?
    private var upstream: (any Subscription)?
    private var sum = 0
    private var last: VerificationValue?
    private let mistake: NestedMistake?
    private var itself: AnyObject?
    /// What came from inside a call.
    private var waiting: [() -> Void] = []
    private var isBusy = false

    init(subscriber: Downstream, mistake: NestedMistake?) {
      self.subscriber = subscriber
      self.mistake = mistake
      if mistake == .holdsItself { itself = self }
    }

    var description: String { "Summing" }

    func receive(subscription: any Subscription) {
      guard upstream == nil else { return subscription.cancel() }
      upstream = subscription
      whenFree { [self] in subscriber?.receive(subscription: self) }
    }

    func receive(_ input: VerificationValue) -> Subscribers.Demand {
      switch mistake {
      case .writesAfterUserCode:
        let before = sum
        UserCode.runs("the addition")
        sum = before + input.number
        return subscriber?.receive(sum) ?? .none
      case .releasesInTheMiddle:
        let before = sum
        release()
        last = VerificationValue(input.number)
        sum = before + input.number
        return subscriber?.receive(sum) ?? .none
      case nil, .holdsItself:
        whenFree { [self] in
          guard upstream != nil else { return }
          let before = sum
          UserCode.runs("the addition")
          sum = before + input.number
          guard upstream != nil, let more = subscriber?.receive(sum), more > .none else { return }
          upstream?.request(more)
        }
        return .none
      }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      whenFree { [self] in
        guard upstream != nil, let subscriber else { return }
        letGo()
        subscriber.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      let upstream = upstream
      letGo()
      upstream?.cancel()
    }

    /// Does something when what is being done has been done.
    private func whenFree(_ body: @escaping () -> Void) {
      waiting.append(body)
      if isBusy { return }
      isBusy = true
      while !waiting.isEmpty { waiting.removeFirst()() }
      isBusy = false
    }

    private func release() {
      let value = last
      last = nil
      withExtendedLifetime(value) {}
    }

    private func letGo() {
      let before = (subscriber, last, upstream)
      (subscriber, last, upstream) = (nil, nil, nil)
      withExtendedLifetime(before) {}
    }
  }
}

/// Appends a publisher, which it attaches even while the first one still delivers.
struct HastyAppend<Upstream: Publisher, Next: Publisher>: Publisher
where Next.Output == Upstream.Output, Next.Failure == Upstream.Failure {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let next: Next

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { subscriber.receive(subscription: $0) }, receiveValue: { subscriber.receive($0) },
        receiveCompletion: { completion in
          guard case .finished = completion else { return subscriber.receive(completion: completion) }
          next.subscribe(
            AnySubscriber(
              receiveSubscription: { $0.request(.unlimited) }, receiveValue: { subscriber.receive($0) },
              receiveCompletion: { subscriber.receive(completion: $0) }))
        }))
  }
}

/// A subject whose first sender delivers all that others send, and which keeps all of it.
final class Hoarding: Subject, @unchecked Sendable {  // The lock is the only way to what changes.
  typealias Output = VerificationValue
  typealias Failure = UpstreamFailure

  private let lock = NSLock()
  private var member: Member?
  private var inbox: [Event] = []
  private var isDelivering = false

  private enum Event {
    case value(VerificationValue)
    case completion(Subscribers.Completion<UpstreamFailure>)
  }

  private final class Member: Subscription {
    var subscriber: AnySubscriber<VerificationValue, UpstreamFailure>?
    var demand = Subscribers.Demand.none

    init(_ subscriber: AnySubscriber<VerificationValue, UpstreamFailure>) { self.subscriber = subscriber }

    func request(_ demand: Subscribers.Demand) { self.demand += demand }
    func cancel() { subscriber = nil }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == VerificationValue, S.Failure == UpstreamFailure {
    let member = Member(AnySubscriber(subscriber))
    lock.withLock { self.member = member }
    subscriber.receive(subscription: member)
  }

  func send(_ value: VerificationValue) { send(.value(value)) }
  func send(completion: Subscribers.Completion<UpstreamFailure>) { send(.completion(completion)) }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  private func send(_ event: Event) {
    let isMine = lock.withLock {
      inbox.append(event)
      defer { isDelivering = true }
      return !isDelivering
    }
    guard isMine else { return }
    while let event = lock.withLock({ next() }) {
      guard let member, let subscriber = member.subscriber else { continue }
      switch event {
      case .value(let value):
        if member.demand == .none { continue }
        member.demand -= 1
        member.demand += subscriber.receive(value)
      case .completion(let completion):
        member.subscriber = nil
        subscriber.receive(completion: completion)
      }
    }
  }

  private func next() -> Event? {
    if inbox.isEmpty { isDelivering = false }
    return inbox.isEmpty ? nil : inbox.removeFirst()
  }
}

/// An operator without any guard, attached where the library can't put one.
struct Unguarded<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: subscriber)
  }
}
