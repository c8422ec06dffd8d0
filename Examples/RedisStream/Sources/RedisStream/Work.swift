import Dispatch
import Foundation
import Synchronization
import Weir
import WeirDispatch
import WeirRedis

/// Works entries off, as many at once as it may hold.
func work(_ options: Options) -> AnyCancellable {
  let consumer = options.consumer ?? ""
  let worker = Worker(options)
  let source = RedisStreamPublisher(
    group: options.group, consumer: consumer, stream: options.stream, from: HiredisTransport(options.address),
    options: .init(
      claimAfter: .milliseconds(options.claimAfter), batch: options.hold, block: .seconds(1),
      onStatus: { report("\(consumer): \($0)") }))
  let queue = DispatchQueue(label: "work")
  let slow = options.slow
  let subscription =
    source
    .prefix(options.count ?? .max)
    .flatMap(maxPublishers: .max(options.hold)) {
      (entry: RedisStreamEntry) -> AnyPublisher<RedisStreamEntry, RedisError> in
      let done = Just(entry).setFailureType(to: RedisError.self)
      return slow == 0
        ? done.eraseToAnyPublisher() : done.delay(for: .milliseconds(slow), scheduler: queue).eraseToAnyPublisher()
    }
    .sink(
      receiveCompletion: { completion in
        switch completion {
        case .finished: worker.stop()
        case .failure(let error):
          report("\(consumer): \(error)")
          exit(1)
        }
      },
      receiveValue: worker.done)
  return AnyCancellable {
    subscription.cancel()
    worker.stop()
  }
}

/// Keeps the books of a worker: what it has done, and of what the server has heard.
private final class Worker: Sendable {
  private struct Books {
    var done = 0
    var confirmed = 0
    var isStopping = false

    var isClosed: Bool { isStopping && done == confirmed }
  }

  private let books = Mutex(Books())
  private let journal: Int32?
  private let consumer: String
  private let start = ContinuousClock.now

  init(_ options: Options) {
    consumer = options.consumer ?? ""
    journal = options.journal.map { path in
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
      if file < 0 {
        report("can't write \(path): \(String(cString: strerror(errno)))")
        exit(2)
      }
      return file
    }
  }

  /// The work is done: says so in the journal, then to the server.
  func done(_ entry: RedisStreamEntry) {
    if let journal {
      let line = Array("\(entry)\n".utf8)
      _ = line.withUnsafeBytes { write(journal, $0.baseAddress, $0.count) }
    }
    books.withLock { $0.done += 1 }
    entry.acknowledge { self.change { $0.confirmed += 1 } }
  }

  /// Ends the program as soon as the server has heard of all that is done.
  func stop() {
    change { $0.isStopping = true }
  }

  private func change(_ change: (inout Books) -> Void) {
    let books = books.withLock { books in
      change(&books)
      return books
    }
    guard books.isClosed else { return }
    say("\(consumer): \(books.done) entries, \(rate(books.done, in: ContinuousClock.now - start))")
    exit(0)
  }
}
