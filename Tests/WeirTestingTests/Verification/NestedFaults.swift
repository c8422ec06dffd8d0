import Weir
import WeirTesting

/// Mistakes that appear only when user code acts during a call, or when two threads overlap.
enum NestedMistake {
  /// It reads its state, calls user code, and writes the state.
  case writesAfterUserCode
  /// It releases a value during a change.
  case releasesInTheMiddle
  /// It retains itself.
  case retainsItself
}

/// An operator that sends the sums of its values.
///
/// Without a mistake it enqueues events that arrive during a step, but isn't thread-safe.
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
    private var itself: Inner?
    /// The events that arrived during a step.
    private var pending: [() -> Void] = []
    private var isBusy = false

    init(subscriber: Downstream, mistake: NestedMistake?) {
      self.subscriber = subscriber
      self.mistake = mistake
      if mistake == .retainsItself { itself = self }
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
      case nil, .retainsItself:
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
        releaseAll()
        subscriber.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      let upstream = upstream
      releaseAll()
      upstream?.cancel()
    }

    private func whenFree(_ body: @escaping () -> Void) {
      pending.append(body)
      if isBusy { return }
      isBusy = true
      while !pending.isEmpty { pending.removeFirst()() }
      isBusy = false
    }

    private func release() {
      let value = last
      last = nil
      withExtendedLifetime(value) {}
    }

    private func releaseAll() {
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
      Bare(
        receiveSubscription: { subscriber.receive(subscription: $0) }, receiveValue: { subscriber.receive($0) },
        receiveCompletion: { completion in
          guard case .finished = completion else { return subscriber.receive(completion: completion) }
          next.subscribe(
            Bare(
              receiveSubscription: { $0.request(.unlimited) }, receiveValue: { subscriber.receive($0) },
              receiveCompletion: { subscriber.receive(completion: $0) }))
        }))
  }
}

/// Forwards values of one thread at a time: it drops those of a second thread.
struct Losing<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let isBusy = Locked(false)
    upstream.receive(
      subscriber: Bare(
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: { value in
          let isFirst = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
          }
          guard isFirst else { return .none }
          defer { isBusy.withLock { $0 = false } }
          return subscriber.receive(value)
        }, receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}

/// Forwards all events without a guard.
struct Unguarded<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  /// A closure that runs before each value.
  var onValue: () -> Void = {}

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(
      subscriber: Bare(
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: {
          onValue()
          return subscriber.receive($0)
        }, receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}

/// Closures that run on the calling threads, also concurrently.
private struct Bare<Input, Failure: Error>: Subscriber {
  let receiveSubscription: (any Subscription) -> Void
  let receiveValue: (Input) -> Subscribers.Demand
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { receiveSubscription(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { receiveValue(input) }

  func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion(completion) }
}

/// Forwards all events, and retains the upstream's subscription forever.
///
/// It passes another object to the subscriber, which no object retains.
struct Hoarding<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(AnySubscriber(subscriber)))
  }

  private final class Inner: Subscriber {
    private var subscriber: AnySubscriber<Output, Failure>?
    private var upstream: (any Subscription)?
    private var itself: Inner?

    init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }

    func receive(subscription: any Subscription) {
      (upstream, itself) = (subscription, self)
      subscriber?.receive(subscription: Handle(inner: self))
    }

    func receive(_ input: Output) -> Subscribers.Demand { subscriber?.receive(input) ?? .none }

    func receive(completion: Subscribers.Completion<Failure>) { subscriber.take()?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      subscriber = nil
      upstream?.cancel()
    }
  }

  private final class Handle: Subscription {
    private weak var inner: Inner?

    init(inner: Inner) { self.inner = inner }

    func request(_ demand: Subscribers.Demand) { inner?.request(demand) }

    func cancel() { inner?.cancel() }
  }
}
