import Foundation
import Weir
import WeirTesting

/// Mistakes that show only with certain demands.
enum DemandMistake: CaseIterable {
  /// It ignores the demand that the subscriber returns.
  case ignoresReturnedDemand
  /// It replaces the outstanding demand by a new one.
  case replacesDemand
  /// It counts returned demand twice.
  case countsReturnedDemandTwice
  /// It delivers wherever a request arrives, also during a delivery.
  case deliversWhereverAsked
  /// It never completes.
  case neverCompletes
  /// It completes with demand only.
  case completesOnDemand
}

/// A demand that is counted with a mistake.
struct CountedDemand {
  let mistake: DemandMistake?
  private(set) var demand = Subscribers.Demand.none

  init(mistake: DemandMistake?) { self.mistake = mistake }

  mutating func request(_ more: Subscribers.Demand) {
    demand = mistake == .replacesDemand ? more : demand + more
  }

  mutating func isReturned(_ more: Subscribers.Demand) {
    switch mistake {
    case .ignoresReturnedDemand: break
    case .countsReturnedDemandTwice: demand += more + more
    case .replacesDemand, .deliversWhereverAsked, .neverCompletes, .completesOnDemand, nil: demand += more
    }
  }

  mutating func take() -> Bool {
    if demand == .none { return false }
    demand -= 1
    return true
  }
}

/// Sends the numbers from 1 to 6.
struct Counting: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let mistake: DemandMistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Inner(AnySubscriber(subscriber), mistake))
  }

  private final class Inner: Subscription, CustomStringConvertible {
    private var subscriber: AnySubscriber<Int, Never>?
    private var next = 1
    private var demand: CountedDemand
    private var isDelivering = false

    init(_ subscriber: AnySubscriber<Int, Never>, _ mistake: DemandMistake?) {
      self.subscriber = subscriber
      demand = CountedDemand(mistake: mistake)
    }

    var description: String { "Counting" }

    func request(_ more: Subscribers.Demand) {
      demand.request(more)
      if isDelivering, demand.mistake != .deliversWhereverAsked { return }
      isDelivering = true
      while let subscriber, next <= 6, demand.take() {
        next += 1
        demand.isReturned(subscriber.receive(next - 1))
      }
      isDelivering = false
      if next > 6, mayComplete { subscriber.take()?.receive(completion: .finished) }
    }

    private var mayComplete: Bool {
      switch demand.mistake {
      case .neverCompletes: false
      case .completesOnDemand: demand.demand > .none
      default: true
      }
    }

    func cancel() { subscriber = nil }
  }
}

/// Requests all values, and buffers those without demand.
struct Buffering<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let mistake: DemandMistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(AnySubscriber(subscriber), mistake))
  }

  private final class Inner: Subscriber, Subscription {
    private struct State {
      var subscriber: AnySubscriber<Output, Failure>?
      var upstream: (any Subscription)?
      var isSubscribed = false
      var waiting: [Output] = []
      var completion: Subscribers.Completion<Failure>?
      var demand: CountedDemand
      var isDelivering = false
    }

    private let lock = NSLock()
    private var state: State

    init(_ subscriber: AnySubscriber<Output, Failure>, _ mistake: DemandMistake?) {
      state = State(subscriber: subscriber, demand: CountedDemand(mistake: mistake))
    }

    func receive(subscription: any Subscription) {
      let subscriber = lock.withLock {
        if state.isSubscribed { return AnySubscriber<Output, Failure>?.none }
        state.isSubscribed = true
        state.upstream = subscription
        return state.subscriber
      }
      guard let subscriber else { return subscription.cancel() }
      subscriber.receive(subscription: self)
      lock.withLock { state.upstream }?.request(.unlimited)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      lock.withLock { if state.isSubscribed, state.subscriber != nil { state.waiting.append(input) } }
      deliver()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.withLock {
        if state.isSubscribed { state.completion = completion }
        state.upstream = nil
      }
      deliver()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.withLock { state.demand.request(demand) }
      deliver()
    }

    func cancel() {
      let (upstream, subscriber) = lock.withLock { (state.upstream.take(), state.subscriber.take()) }
      lock.withLock { state.waiting = [] }
      withExtendedLifetime(subscriber) { upstream?.cancel() }
    }

    private func deliver() {
      let isMine = lock.withLock {
        if state.isDelivering, state.demand.mistake != .deliversWhereverAsked { return false }
        state.isDelivering = true
        return true
      }
      if !isMine { return }
      while let (subscriber, value) = lock.withLock({ next() }) {
        if let value {
          let more = subscriber.receive(value)
          lock.withLock { state.demand.isReturned(more) }
        } else if let completion = lock.withLock({ state.completion }) {
          subscriber.receive(completion: completion)
        }
      }
    }

    /// The next value, or `nil` for the completion.
    private func next() -> (AnySubscriber<Output, Failure>, Output?)? {
      if let subscriber = state.subscriber {
        if !state.waiting.isEmpty, state.demand.take() { return (subscriber, state.waiting.removeFirst()) }
        if state.waiting.isEmpty, state.completion != nil {
          state.subscriber = nil
          return (subscriber, nil)
        }
      }
      state.isDelivering = false
      return nil
    }
  }
}

/// Requests the demand that its subscriber returns, and returns it too.
struct Doubling<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    var subscription: (any Subscription)?
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: {
          subscription = $0
          subscriber.receive(subscription: $0)
        },
        receiveValue: {
          let more = subscriber.receive($0)
          if more > .none { subscription?.request(more) }
          return more
        },
        receiveCompletion: {
          subscription = nil
          subscriber.receive(completion: $0)
        }))
  }
}

/// A subject without a buffer.
final class Relaying: Subject {
  typealias Output = Int
  typealias Failure = UpstreamFailure

  enum Mistake {
    case ignoresReturnedDemand
    /// It sends nothing to a subscriber that comes after the completion, besides the subscription.
    case forgetsLateSubscribers
    /// It sends the completion alone to a late subscriber.
    case omitsLateSubscription
    /// It sends the last value to a late subscriber.
    case repeatsLastValue
    /// It retains the subscriptions that are cancelled.
    case keepsCancelled
    /// It requests nothing from a subscription that is sent.
    case ignoresSubscriptions
    /// It requests values only for the subscribers that have requested before.
    case forgetsSubscriptions
  }

  private final class Member: Subscription, CustomStringConvertible {
    var subscriber: AnySubscriber<Int, UpstreamFailure>?
    var demand: CountedDemand
    private weak var subject: Relaying?

    init(_ subscriber: AnySubscriber<Int, UpstreamFailure>, _ subject: Relaying) {
      self.subscriber = subscriber
      self.subject = subject
      demand = CountedDemand(mistake: subject.mistake == .ignoresReturnedDemand ? .ignoresReturnedDemand : nil)
    }

    var description: String { "Relaying" }

    func request(_ more: Subscribers.Demand) {
      demand.request(more)
      subject?.isAsked()
    }

    func cancel() {
      subscriber = nil
      subject?.remove(self)
    }

    func send(_ value: Int) {
      if let subscriber, demand.take() { demand.isReturned(subscriber.receive(value)) }
    }
  }

  private let mistake: Mistake?
  private var members: [Member] = []
  private var subscriptions: [any Subscription] = []
  private var completion: Subscribers.Completion<UpstreamFailure>?
  private var last: Int?

  init(_ mistake: Mistake?) { self.mistake = mistake }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == UpstreamFailure {
    if let completion, mistake == .omitsLateSubscription { return subscriber.receive(completion: completion) }
    let member = Member(AnySubscriber(subscriber), self)
    if completion == nil { members.append(member) }
    subscriber.receive(subscription: member)
    guard let completion, mistake != .forgetsLateSubscribers else { return }
    if mistake == .repeatsLastValue, let last { _ = member.subscriber?.receive(last) }
    member.subscriber.take()?.receive(completion: completion)
  }

  func send(_ value: Int) {
    last = value
    for member in members where completion == nil { member.send(value) }
  }

  func send(completion: Subscribers.Completion<UpstreamFailure>) {
    if self.completion != nil { return }
    self.completion = completion
    let members = members
    self.members = []
    for member in members { member.subscriber.take()?.receive(completion: completion) }
  }

  func send(subscription: any Subscription) {
    if mistake != .forgetsSubscriptions { subscriptions.append(subscription) }
    if members.contains(where: { $0.demand.demand > .none }) { ask(subscription) }
  }

  private func isAsked() {
    let waiting = subscriptions
    subscriptions = []
    for subscription in waiting { ask(subscription) }
  }

  private func ask(_ subscription: any Subscription) {
    if mistake != .ignoresSubscriptions { subscription.request(.unlimited) }
  }

  private func remove(_ member: Member) {
    if mistake != .keepsCancelled { members.removeAll { $0 === member } }
  }
}
