import Dispatch
import Foundation
import Synchronization
import Weir
import WeirDispatch
import WeirRedis

/// Processes entries, as many concurrently as allowed; returns the handler of a signal, which gives the exit status.
func work(_ options: Options) -> (Int32) -> Void {
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
        case .failure(let error): worker.refused(error)
        }
      },
      receiveValue: worker.done)
  return { status in
    subscription.cancel()
    worker.interrupt(status)
  }
}

/// Records a worker's completed entries, and those that the server has confirmed.
private final class Worker: Sendable {
  private struct Books {
    var done = 0
    var confirmed = 0
    var isStopping = false
    /// With what the program ends, if a signal has come.
    var signalStatus: Int32?

    var open: Int { done - confirmed }
    var isClosed: Bool { isStopping && open == 0 }
  }

  private let books = Mutex(Books())
  private let isTerminated = Atomic<Bool>(false)
  private let journal: (path: String, file: Int32)?
  private let consumer: String
  private let start = ContinuousClock.now

  init(_ options: Options) {
    consumer = options.consumer ?? ""
    journal = options.journal.map { path in
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
      if file < 0 {
        report("can't write \(path): \(String(cString: strerror(errno)))")
        exit(73)
      }
      return (path, file)
    }
  }

  /// Records a completed entry in the journal, and then acknowledges it.
  func done(_ entry: RedisStreamEntry) {
    // It is counted first, so that no signal ends the program between the journal and the server.
    books.withLock { $0.done += 1 }
    if let journal, let reason = append("\(entry)\n", to: journal.file) {
      return end(74) {
        report("can't write \(journal.path): \(reason)")
        report("\(entry.id) is not acknowledged: free some space, and another worker claims it")
      }
    }
    entry.acknowledge { result in
      switch result {
      case .success: self.change { $0.confirmed += 1 }
      case .failure(let error): self.refused(error)
      }
    }
  }

  /// Writes a whole line, or returns the error.
  private func append(_ line: String, to file: Int32) -> String? {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return String(cString: strerror(errno)) }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }

  func refused(_ error: RedisError) {
    end(1) { report("\(consumer): \(error)") }
  }

  /// Handles a signal: the first one waits for the server, the second one doesn't.
  func interrupt(_ status: Int32) {
    let before = books.withLock { books in
      defer { books.signalStatus = status }
      return books
    }
    if before.signalStatus != nil {
      return end(status) {
        report("\(consumer): stopped; other workers repeat the entries without an acknowledgement (\(before.open))")
      }
    }
    if before.open > 0 {
      report(
        "\(consumer): waits until the server has the acknowledgements (\(before.open)); a second Ctrl-C stops immediately"
      )
    }
    stop()
  }

  /// Ends the program as soon as the server has confirmed all completed entries.
  func stop() {
    change { $0.isStopping = true }
  }

  private func change(_ change: (inout Books) -> Void) {
    let books = books.withLock { books in
      change(&books)
      return books
    }
    guard books.isClosed else { return }
    end(books.signalStatus ?? 0) {
      say("\(consumer): \(books.done) entries, \(rate(books.done, in: ContinuousClock.now - start))")
    }
  }

  /// Ends the program once, because there may be several reasons on several threads.
  private func end(_ status: Int32, _ tell: () -> Void) {
    if isTerminated.exchange(true, ordering: .relaxed) { return }
    tell()
    exit(status)
  }
}
