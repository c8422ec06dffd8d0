// Four threads that create, feed and terminate requests, of which about a thousand are alive at any time.

import Dispatch
import Synchronization
import Weir

/// Blocks the thread.
func pause(_ duration: Duration) {
  let nanoseconds = Int(duration / .nanoseconds(1))
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(nanoseconds))
}

final class Server: Sendable {
  static let threads = 4
  static let requests = 1000

  let counts: [Kind: Count]
  let shared = Shared()

  private let kinds: [Kind]
  private let slots = (0..<Server.requests).map { _ in Slot() }
  private let isTerminated = Atomic<Bool>(false)
  private let ended = DispatchGroup()

  init(_ kinds: [Kind]) {
    self.kinds = kinds
    counts = Dictionary(uniqueKeysWithValues: kinds.map { ($0, Count()) })
  }

  func start(seed: UInt64) {
    for thread in 0..<Server.threads {
      DispatchQueue(label: "thread \(thread)").async(group: ended) { [self] in
        var random = Random(seed: seed &+ UInt64(thread))
        while !isTerminated.load(ordering: .relaxed) {
          serve(&random)
          // So that the machine isn't always busy, which would delay the timers.
          pause(.milliseconds(1))
        }
      }
    }
  }

  /// Terminates all requests; returns `false` if a thread doesn't return.
  func end() -> Bool {
    isTerminated.store(true, ordering: .relaxed)
    // A thread can be in a subscriber that returns only after its request is cancelled.
    for slot in slots { slot.replace(by: nil)?.cancel() }
    guard ended.wait(timeout: .now() + .seconds(60)) == .success else { return false }
    // The requests that the threads have added since.
    for slot in slots { slot.replace(by: nil)?.cancel() }
    for work in shared.mail.takeAll() { work() }
    return true
  }

  private func serve(_ random: inout Random) {
    for work in shared.mail.takeAll() { work() }
    replaceOne(&random)
    for _ in 0..<4 { slots.randomElement(using: &random)?.request?.send(payload(&random)) }
    // The first slots are busy: all threads send there, while one of them is in the slow subscriber.
    let busy = slots[Int.random(in: 0..<Busy.kinds.count, using: &random)]
    for _ in 0..<3 { busy.request?.send(payload(&random)) }
  }

  private func payload(_ random: inout Random) -> Payload { Payload(.random(in: 0..<1_000_000, using: &random)) }

  private func replaceOne(_ random: inout Random) {
    let index = random.isOne(in: 100) ? Int.random(in: 0..<Busy.kinds.count, using: &random) : randomSlot(&random)
    let slot = slots[index]
    if let request = slot.request {
      switch Int.random(in: 0..<6, using: &random) {
      // A completed request stays until its slot is used again, because a timer may still have to deliver.
      case 0, 1: if request.complete(.finished) { return }
      case 2: if request.complete(.failure(Oops())) { return }
      // A completion, followed by a cancellation.
      case 3: _ = request.complete(.finished)
      default: break
      }
    }
    let busy = index < Busy.kinds.count ? Busy.kinds[index] : nil
    guard let kind = busy.flatMap({ kinds.contains($0) ? $0 : nil }) ?? kinds.randomElement(using: &random),
      let count = counts[kind]
    else { return }
    let old = slot.replace(by: Request(kind, counting: count, sharing: shared, using: &random))
    // Some requests are only released, which cancels them too.
    if !random.isOne(in: 3) { old?.cancel() }
  }

  private func randomSlot(_ random: inout Random) -> Int { Int.random(in: 0..<slots.count, using: &random) }
}

private enum Busy {
  /// Kinds of the first slots.
  static let kinds = [Kind.buffer, .backpressureLatest]
}

private final class Slot: Sendable {
  private let content = Mutex<Request?>(nil)

  var request: Request? { content.withLock { $0 } }

  func replace(by request: Request?) -> Request? {
    content.withLock { content in
      defer { content = request }
      return content
    }
  }
}
