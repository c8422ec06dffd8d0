import Dispatch
import Foundation
import Synchronization
import Testing
import Weir
import WeirFoundation

@Suite("An operation queue as a scheduler", .timeLimit(.minutes(10)))
struct OperationQueueTests {
  let log = Log<String>()
  let queue = OperationQueue()
  let hour: OperationQueue.SchedulerTimeType.Stride = 3600

  init() {
    queue.maxConcurrentOperationCount = 1
  }

  @Test("returns the current time and has no minimum tolerance")
  func clock() {
    let before = Date()
    let now = queue.now
    #expect(before <= now.date && now.date <= Date())
    #expect(queue.minimumTolerance == 0)
  }

  @Test("runs actions as separate operations, in the order in which they were scheduled")
  func order() {
    queue.isSuspended = true
    queue.schedule { log("first on \(OperationQueue.current === queue ? "the" : "another") queue") }
    queue.schedule(options: nil) { log("second") }
    log("scheduled")
    #expect(queue.operationCount == 2)
    queue.isSuspended = false
    #expect(queue.isEmptied())
    #expect(log.events == ["scheduled", "first on the queue", "second"])
  }

  // The queue decides their order: of two ready operations it prefers the one that was added first.
  @Test("runs delayed actions, never early")
  func dates() {
    let now = queue.now
    for delay in [30, 10, 20] {
      let date = now.advanced(by: .milliseconds(delay))
      queue.schedule(after: date, tolerance: .milliseconds(1)) {
        log(queue.now >= date ? "\(delay)" : "\(delay) too early")
      }
    }
    #expect(log.wait(for: 3))
    #expect(log.events.sorted() == ["10", "20", "30"])
  }

  @Test("immediately adds a delayed action to the queue, as an operation that is not ready and runs once")
  func delayed() throws {
    queue.isSuspended = true
    queue.schedule(after: queue.now.advanced(by: hour)) { log("run") }
    let waiting = try #require(queue.operations.first)
    #expect(queue.operationCount == 1)
    #expect(!waiting.isReady && !waiting.isAsynchronous && waiting is any Cancellable)

    queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) { log("run") }
    let operation = try #require(queue.operations.last)
    queue.isSuspended = false
    #expect(log.wait())
    operation.waitUntilFinished()
    operation.main()
    #expect(log.events == ["run"])
    waiting.cancel()
  }

  @Test("releases a cancelled delayed action long before its date")
  func cancelAll() {
    let group = DispatchGroup()
    queue.schedule(after: queue.now.advanced(by: hour), Tracer(group: group).touch)
    let token = queue.schedule(after: queue.now.advanced(by: hour), interval: hour, Tracer(group: group).touch)
    #expect(queue.operationCount == 2)
    queue.cancelAllOperations()
    #expect(queue.isEmptied())
    token.cancel()
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("releases an action that has run, and one that would never run")
  func release() {
    let group = DispatchGroup()
    queue.schedule(Tracer(group: group).touch)
    queue.schedule(after: queue.now, Tracer(group: group).touch)
    queue.schedule(after: queue.now.advanced(by: .seconds(.infinity)), Tracer(group: group).touch)
    let token = queue.schedule(
      after: queue.now.advanced(by: .seconds(.infinity)), interval: 1, Tracer(group: group).touch)
    token.cancel()
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("runs an action with an infinite interval once, and releases it")
  func infiniteInterval() {
    let group = DispatchGroup()
    let token = queue.schedule(
      after: queue.now, interval: .seconds(.infinity), Tracer(group: group).touch)
    #expect(queue.isEmptied())
    token.cancel()
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("runs an action of the infinite past, and one with any tolerance")
  func infinite() {
    let queue = queue
    queue.schedule(after: queue.now.advanced(by: .seconds(-.infinity))) { log("past") }
    queue.schedule(after: queue.now, tolerance: .seconds(.infinity)) { log("tolerant") }
    #expect(log.wait(for: 2))
    #expect(Set(log.events) == ["past", "tolerant"])
  }

  @Test("repeats an action until it is cancelled")
  func repeating() {
    queue.isSuspended = true
    nonisolated(unsafe) var token: (any Cancellable)?
    token = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      log("run")
      guard log.events.count == 3 else { return }
      token?.cancel()
      token?.cancel()
    }
    #expect(token is AnyCancellable)
    queue.isSuspended = false
    #expect(log.wait(for: 3))
    #expect(queue.isEmptied())
    #expect(log.events == ["run", "run", "run"])
  }

  @Test("accepts an interval of zero, and never runs a repeated action twice concurrently")
  func noInterval() {
    queue.maxConcurrentOperationCount = 4
    let inside = Atomic<Int>(0)
    let token = queue.schedule(after: queue.now, interval: -1) {
      let count = inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
      log(count == 1 ? "alone" : "not alone")
      inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    #expect(log.wait(for: 100))
    token.cancel()
    #expect(queue.isEmptied())
    #expect(!log.events.contains("not alone"))
  }

  @Test("removes a repeated action from the queue when it is cancelled or released")
  func cancelBeforeRun() {
    let group = DispatchGroup()
    var tokens = [Tracer(group: group), Tracer(group: group)].map { tracer in
      queue.schedule(after: queue.now.advanced(by: hour), interval: hour, tracer.touch)
    }
    tokens[0].cancel()
    tokens.removeLast()
    #expect(queue.isEmptied())
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("many threads can cancel concurrently")
  func concurrentCancel() {
    for _ in 0..<500 {
      nonisolated(unsafe) let token = queue.schedule(after: queue.now, interval: 0) {}
      DispatchQueue.concurrentPerform(iterations: 4) { _ in token.cancel() }
      #expect(queue.isEmptied())
    }
  }

  @Test("keeps a pipeline's order when it runs several operations concurrently")
  func concurrentPipeline() {
    queue.maxConcurrentOperationCount = 8
    for _ in 0..<20 {
      let log = Log<Int>()
      let token = (1...200).publisher.receive(on: queue).sink(
        receiveCompletion: { _ in log(0) }, receiveValue: { log($0) })
      #expect(log.wait(for: 201))
      #expect(log.events == Array(1...200) + [0])
      withExtendedLifetime(token) {}
    }
  }

  @Test("keeps a pipeline's order when its values are delayed")
  func concurrentDelay() {
    queue.maxConcurrentOperationCount = 8
    let log = Log<Int>()
    let token = (1...100).publisher.delay(for: .milliseconds(1), scheduler: queue).sink(
      receiveCompletion: { _ in log(0) }, receiveValue: { log($0) })
    #expect(log.wait(for: 101))
    #expect(log.events == Array(1...100) + [0])
    withExtendedLifetime(token) {}
  }
}

extension OperationQueue {
  /// Waits until all operations have finished; returns `false` after a timeout.
  fileprivate func isEmptied() -> Bool {
    let done = DispatchSemaphore(value: 0)
    // Not a barrier block, which on Linux may wait forever behind an operation that is cancelled meanwhile.
    Thread.detachNewThread {
      self.waitUntilAllOperationsAreFinished()
      done.signal()
    }
    return done.wait(timeout: .now() + 300) == .success
  }
}
