import Testing
import Weir

@testable import TestSupport

/// A publisher outside Weir whose subscriptions retain their subscribers, also after a cancellation.
private struct Keeper: Publisher {
  typealias Output = Int
  typealias Failure = Never

  /// Holds a subscriber, and is alive while its subscription is.
  final class State {
    let subscriber: any Subscriber

    init(_ subscriber: any Subscriber) {
      self.subscriber = subscriber
    }
  }

  struct ValueSubscription: Subscription {
    let state: State
    let combineIdentifier = CombineIdentifier()

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {}
  }

  final class ObjectSubscription: Subscription {
    private let state: State

    init(_ state: State) {
      self.state = state
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {}
  }

  let sendsObject: Bool
  let onSubscription: (State) -> Void

  func receive<S: Subscriber<Int, Never>>(subscriber: S) {
    let state = State(subscriber)
    onSubscription(state)
    subscriber.receive(subscription: sendsObject ? ObjectSubscription(state) : ValueSubscription(state: state))
  }
}

/// A user's subscriber, which drops its subscription when it cancels.
private final class Owner: Subscriber, Cancellable {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: Int) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Never>) {}

  func cancel() {
    subscription.take()?.cancel()
  }
}

private final class Target {
  var value = 0

  @Published
  var published = 0
}

@Suite("A publisher outside Weir that keeps its subscriber")
struct KeptSubscriberTests {
  private struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attach: @Sendable (Keeper) -> any Cancellable

    init(_ name: String, _ attach: @escaping @Sendable (Keeper) -> any Cancellable) {
      testDescription = name
      self.attach = attach
    }

    /// An operator, with `sink` behind it.
    static func op<P: Publisher & SendableMetatype>(_ name: String, _ make: @escaping @Sendable (Keeper) -> P) -> Way {
      Way(name) { keeper in
        make(keeper).sink(
          receiveCompletion: { (_: Subscribers.Completion<P.Failure>) in }, receiveValue: { (_: P.Output) in })
      }
    }
  }

  private static var never: Empty<Int, Never> { Empty(completeImmediately: false) }

  private static let subscribers: [Way] = [
    Way("sink") { $0.sink { (_: Int) in } },
    Way("assign(to:on:)") { $0.assign(to: \.value, on: Target()) },
    Way("Sink") { keeper in
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
      keeper.subscribe(sink)
      return sink
    },
    Way("Assign") { keeper in
      let assign = Subscribers.Assign<Target, Int>(object: Target(), keyPath: \.value)
      keeper.subscribe(assign)
      return assign
    },
    Way("subscribe(subject)") { $0.subscribe(PassthroughSubject<Int, Never>()) },
    Way("subscribe(subject) of a current value") { $0.subscribe(CurrentValueSubject<Int, Never>(0)) },
  ]

  private static let operators: [Way] = [
    .op("eraseToAnyPublisher") { $0.eraseToAnyPublisher() },
    .op("map") { $0.map { (value: Int) in value } },
    .op("tryMap") { $0.tryMap { (value: Int) throws -> Int in value } },
    .op("filter") { $0.filter { (_: Int) in true } },
    .op("scan") { $0.scan(0) { (sum: Int, value: Int) in sum + value } },
    .op("collect") { $0.collect() },
    .op("dropFirst") { $0.dropFirst() },
    .op("first") { $0.first() },
    .op("removeDuplicates") { $0.removeDuplicates() },
    .op("handleEvents") { $0.handleEvents(receiveOutput: { (_: Int) in }) },
    .op("print") { $0.print(to: Silence()) },
    .op("setFailureType") { $0.setFailureType(to: TestError.self) },
    .op("catch") { $0.setFailureType(to: TestError.self).catch { (_: TestError) in never } },
    .op("retry") { $0.retry(1) },
    .op("append") { $0.append(1) },
    .op("prepend") { $0.prepend(1) },
    .op("merge") { $0.merge(with: never) },
    .op("zip") { $0.zip(never) },
    .op("combineLatest") { $0.combineLatest(never) },
    .op("flatMap") { $0.flatMap { (value: Int) in Just(value) } },
    .op("flatMap to it") { keeper in Just(1).flatMap { (_: Int) in keeper } },
    .op("switchToLatest") { $0.map { (value: Int) in Just(value) }.switchToLatest() },
    .op("switchToLatest to it") { keeper in Just(keeper).append(Empty(completeImmediately: false)).switchToLatest() },
    .op("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: never) },
    .op("drop(untilOutputFrom:)") { $0.drop(untilOutputFrom: never) },
    .op("buffer") { $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) },
    .op("share") { $0.share() },
    .op("multicast") { $0.multicast { PassthroughSubject<Int, Never>() }.autoconnect() },
    .op("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    .op("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    .op("debounce") { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) },
    .op("throttle") { $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true) },
    .op("measureInterval") { $0.measureInterval(using: ImmediateScheduler.shared) },
    .op("Deferred") { keeper in Deferred { keeper } },
  ]

  private struct Silence: TextOutputStream, Sendable {
    mutating func write(_ string: String) {}
  }

  /// Returns whether the subscription outlives the cancellation.
  private func survives(sendingObject sendsObject: Bool, _ attach: (Keeper) -> any Cancellable) -> Bool {
    weak var state: Keeper.State?
    do {
      let subscription = attach(Keeper(sendsObject: sendsObject) { state = $0 })
      #expect(state != nil)
      subscription.cancel()
    }
    return state != nil
  }

  @Test(
    "is released after a cancellation, whether its subscription is an object or a value",
    arguments: subscribers + operators)
  private func cancelled(way: Way) {
    #expect(!survives(sendingObject: true, way.attach))
    #expect(!survives(sendingObject: false, way.attach))
  }

  @Test("is released when a user's subscriber drops the object that it has received")
  func usersSubscriber() {
    func attach<P: Publisher<Int, Never>>(_ publisher: P) -> Owner {
      let owner = Owner()
      publisher.subscribe(owner)
      return owner
    }
    #expect(!survives(sendingObject: true) { attach($0) })
    #expect(!survives(sendingObject: true) { attach($0.map { (value: Int) in value }) })
    #expect(!survives(sendingObject: true) { attach($0.removeDuplicates()) })
    #expect(!survives(sendingObject: false) { attach($0.removeDuplicates()) })
  }
}
