import Synchronization
import Weir

/// The bytes of one read, or none at the end of a file.
final class Chunk: Sendable {
  /// The name of their source.
  let name: String

  /// The offset in the source.
  let offset: Int

  let bytes: [UInt8]

  init(name: String, offset: Int, bytes: [UInt8]) {
    self.name = name
    self.offset = offset
    self.bytes = bytes
  }
}

/// Reads a file, one chunk for each requested value; the last one is empty.
///
/// - Demand: the file is opened at the first request, and no chunk is read ahead of the demand.
/// - Completion and cancellation: finishes after the empty chunk; fails if the file can't be opened or read.
///   Cancellation closes the file.
/// - Threading: reads, waits and delivers on the requesting thread.
struct FilePublisher: Publisher {
  typealias Output = Chunk
  typealias Failure = Problem

  let input: Input
  let chunkSize: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Chunk, S.Failure == Problem {
    subscriber.receive(subscription: FileReading(self, for: subscriber))
  }
}

/// The subscription: a loop that reads while there is demand.
///
/// A re-entrant request, or one on another thread, only adds to the demand, and the loop continues. So delivery is
/// serialized, and a million nested requests don't grow the stack.
private final class FileReading<Downstream: Subscriber>: Subscription, CustomStringConvertible
where Downstream.Input == Chunk, Downstream.Failure == Problem {
  /// The outstanding demand.
  ///
  /// Invariant: the thread that raises it from 0 is the one that reads. After termination it is never 0 again, so no
  /// thread starts.
  private let owed = Atomic<Int>(0)

  private let isCancelled = Atomic<Bool>(false)

  // Only the reading thread accesses these properties.
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
    // If no thread is reading, the cancelling thread releases everything.
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

  /// - Returns: The previous demand.
  @discardableResult
  private func owe(_ demand: Subscribers.Demand) -> Int {
    let more = demand.max ?? .max
    return update { $0 > .max - more ? .max : $0 + more }.before
  }

  /// - Returns: The remaining demand.
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
