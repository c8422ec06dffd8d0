import Synchronization
import Weir

/// Bytes that were read at once, or none at the end of a file.
final class Chunk: Sendable {
  /// The name of what they were read from.
  let name: String

  /// Where they begin in it.
  let offset: Int

  let bytes: [UInt8]

  init(name: String, offset: Int, bytes: [UInt8]) {
    self.name = name
    self.offset = offset
    self.bytes = bytes
  }
}

/// Reads a file, a chunk for each value that is asked for; the last one is empty.
///
/// - Demand: nothing is opened before the first request, and nothing is read ahead of the demand.
/// - Completion and cancellation: finishes after the empty chunk; fails if the file can't be opened or read. A cancel
///   closes the file.
/// - Threading: reads, waits and delivers in the thread that asks.
struct FilePublisher: Publisher {
  typealias Output = Chunk
  typealias Failure = Problem

  let input: Input
  let chunkSize: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Chunk, S.Failure == Problem {
    subscriber.receive(subscription: FileReading(self, for: subscriber))
  }
}

/// The subscription: a loop that reads while something is owed.
///
/// A request from inside a delivery, or from another thread, only adds to what is owed, and the loop goes on: so delivery
/// is serial, and a million nested requests take no stack.
private final class FileReading<Downstream: Subscriber>: Subscription, CustomStringConvertible
where Downstream.Input == Chunk, Downstream.Failure == Problem {
  /// How many chunks are owed.
  ///
  /// Who raises it from 0 is the one to read. When all is over, it is never 0 again, so nobody begins.
  private let owed = Atomic<Int>(0)

  private let isCancelled = Atomic<Bool>(false)

  // These belong to the one who reads.
  private let publisher: FilePublisher
  private var downstream: Downstream?
  private var file: OpenFile?
  private var offset = 0

  init(_ publisher: FilePublisher, for downstream: Downstream) {
    self.publisher = publisher
    self.downstream = downstream
  }

  var description: String { "File" }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none, owe(demand) == 0 { read() }
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    // If nobody reads, it is for the one who cancels to let go.
    if owe(.max(1)) == 0 { end(nil) }
  }

  private func read() {
    while !isCancelled.load(ordering: .acquiring), let downstream {
      do throws(Problem) {
        let chunk = try nextChunk()
        let more = downstream.receive(chunk)
        if chunk.bytes.isEmpty { return end(.finished) }
        if more > .none { owe(more) }
        if settleOne() == 0 { return }
      } catch {
        return end(.failure(error))
      }
    }
    end(nil)
  }

  private func nextChunk() throws(Problem) -> Chunk {
    if file == nil { file = try OpenFile(publisher.input) }
    let bytes = try file?.next(atMost: publisher.chunkSize) ?? []
    defer { offset += bytes.count }
    return Chunk(name: publisher.input.name, offset: offset, bytes: bytes)
  }

  private func end(_ completion: Subscribers.Completion<Problem>?) {
    let downstream = self.downstream.take()
    file = nil
    if let completion, !isCancelled.load(ordering: .acquiring) { downstream?.receive(completion: completion) }
  }

  /// - Returns: how many chunks were owed before.
  @discardableResult
  private func owe(_ demand: Subscribers.Demand) -> Int {
    let more = demand.max ?? .max
    return update { $0 > .max - more ? .max : $0 + more }.before
  }

  /// - Returns: how many chunks are owed now.
  private func settleOne() -> Int {
    update { $0 == .max ? .max : $0 - 1 }.now
  }

  private func update(_ change: (Int) -> Int) -> (before: Int, now: Int) {
    var before = owed.load(ordering: .relaxed)
    while true {
      let now = change(before)
      let (isDone, found) = owed.compareExchange(
        expected: before, desired: now, ordering: .acquiringAndReleasing)
      if isDone { return (before, now) }
      before = found
    }
  }
}
