import Testing
import Weir

@testable import TestSupport

/// Races between a task and another one.
///
/// Every task is awaited: one whose continuation is lost would never end, and one that is resumed twice stops a debug
/// build.
@Suite("races between a publisher and a task", .timeLimit(.minutes(10)))
struct AsyncStressTests {
  /// Buffers a subject's values, so that a race has values.
  private static let bufferings: [AsyncBuffering?] = [nil, .unbounded, .newest(1), .suspending(2)]

  /// Counts the values of a subject in a task, up to the completion or cancellation.
  private func count(
    _ subject: PassthroughSubject<Int, Never>, _ buffering: AsyncBuffering?, _ cancels: LiveCount, isReady: LiveCount
  ) -> Task<Int, Never> {
    nonisolated(unsafe) let source = subject.handleEvents(receiveCancel: { cancels.add(1) })
    return Task {
      var count = 0
      if let buffering {
        var iterator = source.values(buffering: buffering).makeAsyncIterator()
        isReady.add(1)
        while await iterator.next() != nil { count += 1 }
      } else {
        var iterator = source.values.makeAsyncIterator()
        isReady.add(1)
        while await iterator.next() != nil { count += 1 }
      }
      return count
    }
  }

  @Test("a cancellation and a wait", arguments: bufferings)
  func cancelAndNext(buffering: AsyncBuffering?) async {
    for round in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, Never>()
      let (cancels, isReady) = (LiveCount(), LiveCount())
      let task = count(subject, buffering, cancels, isReady: isReady)
      // Sometimes before the task waits, and sometimes while it waits.
      if !round.isMultiple(of: 4) { await until { isReady.value == 1 } }
      task.cancel()
      #expect(await task.value == 0)
      #expect(cancels.value == 1)
      subject.send(1)
    }
  }

  @Test("a completion and a wait", arguments: bufferings)
  func finishAndNext(buffering: AsyncBuffering?) async {
    for _ in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, Never>()
      let (cancels, isReady) = (LiveCount(), LiveCount())
      let task = count(subject, buffering, cancels, isReady: isReady)
      await until { isReady.value == 1 }
      subject.send(completion: .finished)
      #expect(await task.value == 0)
      #expect(cancels.value == 0)
    }
  }

  @Test("a value and the end of the iterator", arguments: bufferings)
  func valueAndDrop(buffering: AsyncBuffering?) async {
    for _ in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject
      let cancels = LiveCount()
      nonisolated(unsafe) let source = subject.handleEvents(receiveCancel: { cancels.add(1) })
      let isReady = LiveCount()
      let dropping = Task {
        // Released while values may be in flight, and no task waits for them.
        if let buffering {
          let iterator = source.values(buffering: buffering).makeAsyncIterator()
          isReady.add(1)
          withExtendedLifetime(iterator) {}
        } else {
          let iterator = source.values.makeAsyncIterator()
          isReady.add(1)
          withExtendedLifetime(iterator) {}
        }
      }
      let sending = Task {
        while isReady.value == 0, !Task.isCancelled { await Task.yield() }
        for value in 0..<3 { shared.send(value) }
      }
      await dropping.value
      await sending.value
      #expect(cancels.value == 1)
    }
  }

  @Test("a cancellation of the task and the demand of its waits", arguments: bufferings)
  func cancelAndDemand(buffering: AsyncBuffering?) async {
    for _ in 0..<Effort.rounds(200) {
      let isReady = LiveCount()
      nonisolated(unsafe) let source = (0..<Int.max).lazy.publisher
      let task = Task {
        var last = -1
        var isInOrder = true
        if let buffering, buffering != .unbounded, buffering != .newest(1) {
          for await value in source.values(buffering: buffering) {
            isInOrder = isInOrder && value == last + 1
            last = value
            isReady.add(1)
            // No operation here suspends by itself. Without this, no other task would get a thread to cancel it.
            await Task.yield()
          }
        } else {
          for await value in source.values {
            isInOrder = isInOrder && value == last + 1
            last = value
            isReady.add(1)
            await Task.yield()
          }
        }
        return isInOrder
      }
      await until { isReady.value > 0 }
      task.cancel()
      #expect(await task.value)
    }
  }

  @Test("a cancellation and the pulls of a sequence")
  func cancelAndPull() async {
    for _ in 0..<Effort.rounds(200) {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let values = LiveCount()
      weak var remains: Token?
      let feeding = Task { for value in 0..<3 { continuation.yield(value) } }
      do {
        let token = Token()
        remains = token
        let sink = stream.map { (value: Int) -> Int in
          withExtendedLifetime(token) {}
          return value
        }.publisher.sink { (_: Int) in values.add(1) }
        await until { values.value > 0 }
        sink.cancel()
      }
      await feeding.value
      // The pulling task has released everything.
      await until { remains == nil }
      #expect(values.value <= 3)
    }
  }
}
