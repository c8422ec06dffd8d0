import CGtk4
import Dispatch
import Testing
import Weir
import WeirGtk

@Suite("A main loop of GLib's as a scheduler", .timeLimit(.minutes(1)))
struct GLibSchedulerTests {
  private let loop = Loop()
  private var scheduler: GLibScheduler { loop.scheduler }

  @Test("runs actions after the call, in the order in which they were scheduled")
  func order() {
    for name in ["first", "second", "third"] { scheduler.schedule { loop.record(name) } }
    loop.record("scheduled")
    loop.pass()
    #expect(loop.events == ["scheduled", "first", "second", "third"])
  }

  @Test("runs a nested action in the next pass of the loop")
  func nested() {
    scheduler.schedule {
      scheduler.schedule { loop.record("inner") }
      loop.record("outer")
    }
    loop.pass()
    #expect(loop.events == ["outer"])
    loop.pass()
    #expect(loop.events == ["outer", "inner"])
  }

  @Test("runs delayed actions in the order of their dates and calls, never early")
  func dates() {
    let now = scheduler.now
    for (name, delay) in [("c", 30), ("a1", 10), ("b", 20), ("a2", 10)] {
      let date = now.advanced(by: .milliseconds(delay))
      scheduler.schedule(after: date) { loop.record(scheduler.now >= date ? name : "\(name) too early") }
    }
    loop.run { loop.events.count == 4 }
    #expect(loop.events == ["a1", "a2", "b", "c"])
  }

  @Test("delays an action with a tolerance until another one wakes the loop")
  func tolerance() {
    scheduler.schedule(after: scheduler.now, tolerance: .seconds(3600)) { loop.record("patient") }
    loop.pass()
    #expect(loop.events == [])
    scheduler.schedule { loop.record("at once") }
    loop.pass()
    #expect(loop.events == ["patient", "at once"])
  }

  @Test("repeats an action until its cancellation, also during a run")
  func repeats() {
    var connection: (any Cancellable)?
    connection = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
      loop.record("tick")
      if loop.events.count == 3 { connection?.cancel() }
    }
    loop.run { loop.events.count == 3 }
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(5))) { loop.record("end") }
    loop.run { loop.events.last == "end" }
    #expect(loop.events == ["tick", "tick", "tick", "end"])
  }

  @Test("doesn't start a cancelled repeating action, also if an earlier action cancels it")
  func cancelBefore() {
    let now = scheduler.now
    var second: (any Cancellable)?
    scheduler.schedule(after: now) { second?.cancel() }
    second = scheduler.schedule(after: now, interval: .milliseconds(1)) { loop.record("cancelled") }
    scheduler.schedule(after: now) { loop.record("end") }
    loop.run { loop.events.last == "end" }
    #expect(loop.events == ["end"])
  }

  @Test("releases actions that have run or were cancelled")
  func release() {
    final class Token {}
    weak var ran: Token?
    weak var cancelled: Token?
    do {
      let (first, second) = (Token(), Token())
      (ran, cancelled) = (first, second)
      scheduler.schedule { withExtendedLifetime(first) {} }
      scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { withExtendedLifetime(second) {} }.cancel()
    }
    #expect(ran != nil)
    #expect(cancelled == nil)
    loop.pass()
    #expect(ran == nil)
  }

  @Test("other threads wake it, and each thread's order is kept")
  func threads() {
    // Only the scheduler is tested. The rest runs in the loop.
    nonisolated(unsafe) let loop = loop
    DispatchQueue.global().async {
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<50 { loop.scheduler.schedule { loop.record("\(thread) \(number)") } }
      }
    }
    loop.run { loop.events.count == 200 }
    for thread in 0..<4 {
      #expect(loop.events.filter { $0.hasPrefix("\(thread) ") } == (0..<50).map { "\(thread) \($0)" })
    }
  }

  @Test("stores actions that are centuries away")
  func farAway() {
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(100_000_000_000))) { loop.record("too early") }
    scheduler.schedule { loop.record("now") }
    loop.pass()
    loop.pass()
    #expect(loop.events == ["now"])
  }

  @Test("terminates with its context")
  func lifetime() {
    weak var scheduler: GLibScheduler?
    do {
      let loop = Loop()
      scheduler = loop.scheduler
      #expect(scheduler != nil)
    }
    #expect(scheduler == nil)
  }

  @Test("operators accept it as a scheduler")
  func operators() {
    let query = PassthroughSubject<String, Never>()
    let connection = query.debounce(for: .milliseconds(5), scheduler: scheduler).sink { loop.record($0) }
    for text in ["a", "ad", "ada"] { query.send(text) }
    loop.run { !loop.events.isEmpty }
    #expect(loop.events == ["ada"])
    withExtendedLifetime(connection) {}
  }
}

/// A main loop that runs step by step.
private final class Loop {
  private let context = g_main_context_new()
  let scheduler: GLibScheduler
  private(set) var events: [String] = []

  init() {
    scheduler = GLibScheduler(context: context)
  }

  deinit {
    g_main_context_unref(context)
  }

  func record(_ event: String) {
    events.append(event)
  }

  /// Runs one pass, without waiting.
  func pass() {
    g_main_context_iteration(context, 0)
  }

  func run(until isDone: () -> Bool) {
    while !isDone() { g_main_context_iteration(context, 1) }
  }
}
