import Weir

/// Three classic mistakes, each in an operator that passes values on.
enum Mistake {
  /// It asks for everything at once, and sends it all, whatever its subscriber asks for.
  case ignoresDemand
  /// It forgets to look whether it has been cancelled.
  case sendsAfterCancel
  /// It takes any subscription that comes.
  case keepsSecondSubscription
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
    private var subscriber: Downstream?
    private var upstream: (any Subscription)?
    private var isOver = false
    private let mistake: Mistake?

    init(subscriber: Downstream, mistake: Mistake?) {
      self.subscriber = subscriber
      self.mistake = mistake
    }

    var description: String { "Faulty" }

    func receive(subscription: any Subscription) {
      if mistake == .keepsSecondSubscription, upstream != nil {
        upstream = subscription
        return
      }
      guard upstream == nil, !isOver else { return subscription.cancel() }
      upstream = subscription
      subscriber?.receive(subscription: self)
      if mistake == .ignoresDemand { upstream?.request(.unlimited) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      guard upstream != nil || (isOver && mistake == .sendsAfterCancel), let subscriber else { return .none }
      let demand = subscriber.receive(input)
      return isOver ? .none : demand
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard upstream != nil, let subscriber else { return }
      letGo()
      subscriber.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      if mistake != .ignoresDemand { upstream?.request(demand) }
    }

    func cancel() {
      let upstream = upstream
      if mistake == .sendsAfterCancel {
        self.upstream = nil
        isOver = true
      } else {
        letGo()
      }
      upstream?.cancel()
    }

    private func letGo() {
      isOver = true
      upstream = nil
      subscriber = nil
    }
  }
}

extension Publisher {
  func faulty(_ mistake: Mistake?) -> Faulty<Self> { Faulty(upstream: self, mistake: mistake) }
}
