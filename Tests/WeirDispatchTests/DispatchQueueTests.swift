import Dispatch
import Synchronization
import Testing
import Weir
import WeirDispatch

@Suite("A dispatch queue as a scheduler", .timeLimit(.minutes(10)))
struct DispatchQueueTests {
  let queue = DispatchQueue(label: "weir.tests")
  let record = Record()

  @Test("returns the current time and has no minimum tolerance")
  func clock() {
    let before = DispatchTime.now()
    let now = queue.now
    let after = DispatchTime.now()

    #expect(before <= now.dispatchTime && now.dispatchTime <= after)
    #expect(queue.minimumTolerance == .nanoseconds(0))
  }

  @Test("has default options that are the queue's own")
  func defaultOptions() {
    let options = DispatchQueue.SchedulerOptions()

    #expect(options.qos == .unspecified)
    #expect(options.flags == [])
    #expect(options.group == nil)
  }

  @Test("runs actions after the call, in the order in which they were scheduled")
  func order() {
    queue.suspend()
    queue.schedule { record("first") }
    queue.schedule(options: .init(qos: .utility)) { record("second") }
    queue.schedule { record("third") }
    record("scheduled")
    queue.resume()
    queue.sync {}

    #expect(record.events == ["scheduled", "first", "second", "third"])
  }

  @Test("adds an action to a group")
  func group() {
    let group = DispatchGroup()
    queue.suspend()
    queue.schedule(options: .init(group: group)) { record("ran") }
    #expect(group.wait(timeout: .now()) == .timedOut)
    queue.resume()

    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(record.events == ["ran"])
  }

  #if WEIR_PTHREAD_LOCK
  // The build for Thread Sanitizer wraps an action before the queue receives it, and loses its flags.
  static let keepsFlags = false
  #else
  static let keepsFlags = true
  #endif

  @Test("respects a barrier", .enabled(if: keepsFlags), arguments: [false, true])
  func barrier(isDelayed: Bool) {
    let queue = DispatchQueue(label: "weir.tests.concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    let options = DispatchQueue.SchedulerOptions(flags: .barrier, group: group)
    // The precondition asks the queue itself, and ends the process if the action is not a barrier there.
    let action = {
      dispatchPrecondition(condition: .onQueueAsBarrier(queue))
      record("barrier")
    }
    if isDelayed {
      queue.schedule(after: queue.now, tolerance: 0, options: options, action)
    } else {
      queue.schedule(options: options, action)
    }

    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(record.events == ["barrier"])
  }

  @Test("runs delayed actions in the order of their dates")
  func dates() {
    var record = Record()
    var isLate = true
    // Has no result if the machine was so busy that a date passed before all actions were scheduled.
    while isLate {
      record = Record()
      let group = DispatchGroup()
      let now = queue.now
      queue.suspend()
      for delay in [30, 10, 20] {
        group.enter()
        queue.schedule(after: now.advanced(by: .milliseconds(delay))) { [record] in
          record("\(delay)", at: queue.now >= now.advanced(by: .milliseconds(delay)))
          group.leave()
        }
      }
      isLate = queue.now >= now.advanced(by: .milliseconds(10))
      record("scheduled")
      queue.resume()
      #expect(group.wait(timeout: .now() + 300) == .success)
    }
    #expect(record.events == ["scheduled", "10", "20", "30"])
  }

  @Test("adds a delayed action to a group, and runs it on its queue")
  func delayedWithOptions() {
    let key = DispatchSpecificKey<String>()
    queue.setSpecific(key: key, value: "the queue")
    let group = DispatchGroup()
    let options = DispatchQueue.SchedulerOptions(qos: .userInitiated, group: group)
    queue.schedule(after: queue.now.advanced(by: .milliseconds(1)), tolerance: .milliseconds(1), options: options) {
      record(DispatchQueue.getSpecific(key: key) ?? "somewhere else")
    }

    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(record.events == ["the queue"])
  }

  @Test("releases an action that has run")
  func releaseAfterRun() {
    let group = DispatchGroup()
    queue.schedule(after: queue.now, Tracer(group: group).touch)
    queue.schedule(Tracer(group: group).touch)

    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("releases an action that would never run")
  func neverRuns() {
    let group = DispatchGroup()
    queue.schedule(after: queue.now.advanced(by: .nanoseconds(.max)), Tracer(group: group).touch)

    #expect(group.wait(timeout: .now()) == .success)
  }

  @Test("repeats an action until it is cancelled")
  func repeating() {
    let done = DispatchSemaphore(value: 0)
    let token = Token()
    queue.suspend()
    token.cancellable = queue.schedule(after: queue.now, interval: .milliseconds(1), tolerance: 0) {
      record("run")
      if record.events.count == 3 {
        token.cancellable?.cancel()
        token.cancellable?.cancel()
        // Later than two more runs would be.
        queue.schedule(after: queue.now.advanced(by: .milliseconds(5))) { done.signal() }
      }
    }
    #expect(token.cancellable is AnyCancellable)
    queue.resume()

    #expect(done.wait(timeout: .now() + 300) == .success)
    #expect(record.events == ["run", "run", "run"])
  }

  @Test("accepts an interval of zero")
  func noInterval() {
    let done = DispatchSemaphore(value: 0)
    let token = queue.schedule(after: queue.now, interval: -1) { done.signal() }

    for _ in 0..<3 { #expect(done.wait(timeout: .now() + 300) == .success) }
    token.cancel()
  }

  @Test("doesn't start an action that was cancelled or released on the queue")
  func cancelBeforeRun() {
    let group = DispatchGroup()
    queue.suspend()
    let tokens = [Token(), Token()]
    for token in tokens {
      let tracer = Tracer(group: group)
      token.cancellable = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        tracer.touch()
        record("run")
      }
    }
    tokens[0].cancellable?.cancel()
    tokens[1].cancellable = nil
    queue.resume()

    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(record.events == [])
  }

  @Test("many threads can cancel concurrently")
  func concurrentCancel() {
    for _ in 0..<200 {
      let group = DispatchGroup()
      let tracer = Tracer(group: group)
      let token = Token()
      token.cancellable = queue.schedule(after: queue.now, interval: .nanoseconds(1), tracer.touch)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in token.cancellable?.cancel() }
      queue.sync {}
    }
  }

  @Test("the main queue is supported")
  func main() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.schedule {
        MainActor.assumeIsolated { record("on the main actor") }
        DispatchQueue.main.schedule(after: DispatchQueue.main.now) { continuation.resume() }
      }
    }
    #expect(record.events == ["on the main actor"])
  }
}

/// The events in order.
final class Record: Sendable {
  private let list = Mutex<[String]>([])

  var events: [String] { list.withLock { $0 } }

  func callAsFunction(_ event: String, at isOnTime: Bool = true) {
    list.withLock { $0.append(isOnTime ? event : event + " too early") }
  }
}

/// Keeps a group waiting for its lifetime.
final class Tracer: Sendable {
  let group: DispatchGroup

  init(group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit { group.leave() }

  @Sendable func touch() {}
}

/// A cancellable that an action can reach: it is set before the action may run, and only read from then on.
final class Token: @unchecked Sendable {
  var cancellable: (any Cancellable)?
}
