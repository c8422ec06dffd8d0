import Weir

@testable import TestSupport

/// A subscriber that checks the contract on every thread.
///
/// Threads run one at a time, so its own state needs no lock. Another thread may run between its steps.
final class Witness: Subscriber, Cancellable {
  typealias Input = Int
  typealias Failure = TestError

  private(set) var values: [Int] = []
  private(set) var ends: [Event<Int>] = []
  private(set) var faults: [String] = []
  private(set) var isCancelled = false
  private var subscription: (any Subscription)?
  private var credit: Subscribers.Demand = .none
  private var isInside = false
  private var cancelledOn: Set<Int> = []
  private var begunAfterCancel = 0

  let initial: Subscribers.Demand
  let returned: Subscribers.Demand
  var onSubscription: () -> Void = {}
  var onValue: (Int) -> Void = { _ in }
  /// Whether this is the thread on which events must arrive.
  var isWhereItShouldBe: () -> Bool = { true }

  init(demanding initial: Subscribers.Demand = .unlimited, returning returned: Subscribers.Demand = .none) {
    self.initial = initial
    self.returned = returned
  }

  func request(_ demand: Subscribers.Demand) {
    Interleaver.step()
    guard let subscription else { return }
    credit += demand
    subscription.request(demand)
  }

  func cancel() {
    Interleaver.step()
    guard let subscription else { return }
    subscription.cancel()
    isCancelled = true
    cancelledOn.insert(Interleaver.currentNumber ?? -1)
  }

  func receive(subscription: any Subscription) {
    enter("a subscription")
    if self.subscription != nil { faults.append("a second subscription") }
    self.subscription = subscription
    leave()
    if initial > .none {
      credit += initial
      subscription.request(initial)
    }
    onSubscription()
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    enter("value \(input)")
    if !isWhereItShouldBe() { faults.append("value \(input) on another thread than the scheduler's") }
    if subscription == nil { faults.append("value \(input) before the subscription") }
    if !ends.isEmpty { faults.append("value \(input) after the end") }
    if credit == .none { faults.append("value \(input), which was not asked for") } else { credit -= 1 }
    values.append(input)
    onValue(input)
    credit += returned
    leave()
    return returned
  }

  func receive(completion: Subscribers.Completion<TestError>) {
    enter("the end")
    if !isWhereItShouldBe() { faults.append("the end on another thread than the scheduler's") }
    if subscription == nil { faults.append("the end before the subscription") }
    if !ends.isEmpty { faults.append("a second end") }
    switch completion {
    case .finished: ends.append(.finished)
    case .failure(let error): ends.append(.failed(error))
    }
    leave()
  }

  private func enter(_ what: String) {
    if isInside { faults.append("\(what) while another delivery is under way") }
    isInside = true
    if cancelledOn.contains(Interleaver.currentNumber ?? -1) {
      faults.append("\(what) on a thread on which cancel has returned")
    }
    if isCancelled {
      begunAfterCancel += 1
      if begunAfterCancel > 1 { faults.append("more than one delivery after cancel has returned") }
    }
    Interleaver.step()
  }

  private func leave() {
    Interleaver.step()
    isInside = false
  }
}

/// A foreign operator, which records the calls on its upstream.
struct Watched<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let watch: Watch

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let connection = Connection()
    watch.connections.append(connection)
    upstream.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscription in
          subscriber.receive(subscription: WatchedSubscription(subscription, connection, watch))
        },
        receiveValue: { value in subscriber.receive(value) },
        receiveCompletion: { completion in
          connection.hasEnded = true
          subscriber.receive(completion: completion)
        }))
  }
}

final class Connection {
  var cancels = 0
  var hasEnded = false
  /// The requesting thread, during a request.
  var asking: Int?
  var overlaps = false
}

final class Watch {
  var connections: [Connection] = []

  /// The number of connections that have neither completed nor been cancelled.
  var live: Int { connections.count { $0.cancels == 0 && !$0.hasEnded } }

  var faults: [String] {
    connections.contains { $0.cancels > 1 } ? ["an upstream was cancelled twice"] : []
  }

  /// Calls that an operator must not make by itself.
  ///
  /// Operators that forward the upstream's subscription only forward calls.
  var overlaps: [String] {
    connections.contains { $0.overlaps } ? ["an upstream was asked by two threads at once"] : []
  }
}

private final class WatchedSubscription: Subscription {
  let subscription: any Subscription
  let connection: Connection
  let watch: Watch

  init(_ subscription: any Subscription, _ connection: Connection, _ watch: Watch) {
    self.subscription = subscription
    self.connection = connection
    self.watch = watch
  }

  func request(_ demand: Subscribers.Demand) {
    let (thread, outer) = (Interleaver.currentNumber ?? -1, connection.asking)
    if let outer, outer != thread { connection.overlaps = true }
    connection.asking = thread
    Interleaver.step()
    subscription.request(demand)
    connection.asking = outer
  }

  func cancel() {
    connection.cancels += 1
    Interleaver.step()
    subscription.cancel()
  }
}
