import Synchronization
import Weir
import WeirRedis
import WeirTesting

/// A subscriber to a publisher with a server in memory.
final class Worker {
  let server: FakeRedis
  let subscriber: TestSubscriber<RedisStreamEntry, RedisError>
  let statuses = Statuses()

  init(
    _ server: FakeRedis, as consumer: String = "a", demanding demand: Subscribers.Demand = .none,
    returning: Subscribers.Demand = .none, claimAfter: Duration? = nil, batch: Int = 100, attempts: Int? = nil,
    onEvent: ((TestSubscriber<RedisStreamEntry, RedisError>, TestEvent<RedisStreamEntry, RedisError>) -> Void)? = nil
  ) {
    self.server = server
    subscriber = TestSubscriber(demanding: demand, returning: returning, clock: server.scheduler)
    subscriber.onEvent = onEvent
    let statuses = statuses
    RedisStreamPublisher(
      group: "g", consumer: consumer, stream: "s", from: server,
      options: .init(
        claimAfter: claimAfter, batch: batch, backoff: Backoff(attempts: attempts, jitter: { 1 }),
        onStatus: { statuses.note($0) }),
      on: server.scheduler
    ).subscribe(subscriber)
  }

  /// The numbers of the received entries.
  var numbers: [Int] { subscriber.values.map { Int($0.id.milliseconds) } }

  func acknowledge(_ numbers: Int...) {
    for entry in subscriber.values where numbers.contains(Int(entry.id.milliseconds)) { entry.acknowledge() }
  }
}

/// The states of a connection, or the results of acknowledgements.
final class Statuses: Sendable {
  private let all = Mutex<[String]>([])

  func note(_ status: RedisStatus) {
    all.withLock { $0.append(status.description) }
  }

  func note(_ result: Result<Void, RedisError>) {
    let line =
      switch result {
      case .success: "confirmed"
      case .failure(let error): "\(error)"
      }
    all.withLock { $0.append(line) }
  }

  var lines: [String] { all.withLock { $0 } }
}
