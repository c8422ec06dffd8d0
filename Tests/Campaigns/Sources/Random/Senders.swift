// The senders of a pipeline.

import Synchronization
import Weir

typealias Pipeline = AnyPublisher<Value, Failed>

protocol Sender: AnyObject, Sendable {
  func send(_ value: Value)
  func complete(isFailure: Bool)
  func end()
}

/// A subject as a sender.
final class SubjectSender<S: Subject & Sendable>: Sender where S.Output == Value, S.Failure == Failed {
  private let subject: S
  private let run: Run

  init(_ subject: S, _ run: Run) {
    self.subject = subject
    self.run = run
  }

  func send(_ value: Value) { subject.send(value) }

  func complete(isFailure: Bool) {
    subject.send(completion: isFailure ? .failure(Failed(value: run.value(8))) : .finished)
  }

  func end() { subject.send(completion: .finished) }
}

/// A nonconforming publisher: no subscription or two, values without demand or after its completion, on several
/// threads.
///
/// ``end()`` sends a subscription to each subscriber that has none. A joining operator sends its own subscription when
/// it has received all of its upstreams' subscriptions. Until then its subscriber can't cancel, so the operator and its
/// other upstreams retain each other. No library can distinguish such a publisher from a late one.
final class Rogue: Publisher, Sender {
  typealias Output = Value
  typealias Failure = Failed

  private struct State {
    var listeners: [Listener] = []
    var attempts = 0
    var isEnded = false
  }

  private let run: Run
  private let state = Guarded(State())
  private let tickets: Int

  init(_ run: Run, tickets: Int) {
    self.run = run
    self.tickets = tickets
  }

  private final class Ticket: Subscription {
    private let run: Run

    init(_ run: Run) {
      self.run = run
      run.count(1)
    }

    deinit { run.count(-1) }

    func request(_ demand: Subscribers.Demand) { run.reach() }
    func cancel() { run.reach() }
  }

  /// A subscriber, which notes what it is sent before it has a subscription.
  private final class Listener {
    private let subscriber: AnySubscriber<Value, Failed>
    private let run: Run
    private let isSubscribed = Atomic<Bool>(false)

    init(_ subscriber: AnySubscriber<Value, Failed>, _ run: Run) {
      (self.subscriber, self.run) = (subscriber, run)
    }

    func subscribe() {
      subscriber.receive(subscription: Ticket(run))
      isSubscribed.store(true, ordering: .releasing)
    }

    func send(_ value: Value) {
      noteEarly()
      _ = subscriber.receive(value)
    }

    func complete(_ completion: Subscribers.Completion<Failed>) {
      noteEarly()
      subscriber.receive(completion: completion)
    }

    private func noteEarly() {
      if !isSubscribed.load(ordering: .acquiring) { run.sentEarly() }
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Failed {
    let listener = Listener(AnySubscriber(subscriber), run)
    let (isEnded, attempt) = state.withLock { state in
      // A resubscribing operator retains this publisher. If both retained each other after the end, neither would be
      // deallocated.
      if !state.isEnded { state.listeners.append(listener) }
      state.attempts += 1
      return (state.isEnded, state.attempts)
    }
    let count = isEnded && tickets == 0 ? 1 : tickets
    for _ in 0..<count { listener.subscribe() }
    if attempt % 3 == 0 { listener.send(run.value(9)) }
  }

  /// The subscribers that receive values: only a few, because a pipeline that resubscribes at each value would grow
  /// without a limit.
  private var audience: ArraySlice<Listener> { state.withLock { $0.listeners.prefix(4) } }

  func send(_ value: Value) {
    for listener in audience { listener.send(value) }
  }

  func complete(isFailure: Bool) {
    for listener in audience { listener.complete(isFailure ? .failure(Failed(value: run.value(8))) : .finished) }
  }

  func end() {
    let before = state.withLock { state in
      state.isEnded = true
      defer { state.listeners = [] }
      return state.listeners
    }
    if tickets > 0 { return }
    for listener in before { listener.subscribe() }
  }
}
