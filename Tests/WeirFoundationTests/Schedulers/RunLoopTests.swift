import Dispatch
import Foundation
import Testing
import Weir

@testable import WeirFoundation

@Suite("A run loop as a scheduler", .timeLimit(.minutes(10)))
struct RunLoopTests {
  let log = Log<String>()

  @Test("returns the current time and has no minimum tolerance")
  func clock() {
    let before = Date()
    let now = RunLoop.current.now
    #expect(before <= now.date && now.date <= Date())
    #expect(RunLoop.current.minimumTolerance == 0)
  }

  @Test("runs actions after the call, on its thread, in the order in which they were scheduled")
  func order() {
    let thread = RunLoopThread(isRunning: false)
    thread.loop.schedule { log("first on \(RunLoop.current === thread.loop ? "the" : "another") thread") }
    thread.loop.schedule(options: nil) { log("second") }
    log("scheduled")
    thread.run()
    #expect(log.wait(for: 3))
    #expect(log.events == ["scheduled", "first on the thread", "second"])
  }

  @Test("never runs an action inside the call that schedules it")
  func neverInline() {
    let events = onRunLoop { loop in
      var events: [String] = []
      loop.schedule {
        loop.schedule { events.append("inner") }
        events.append("outer")
      }
      events.append("scheduled")
      loop.run(until: { events.count == 3 })
      return events
    }
    #expect(events == ["scheduled", "outer", "inner"])
  }

  @Test("an action can run the run loop, which then runs the next ones")
  func nested() {
    let events = onRunLoop { loop in
      var events: [String] = []
      loop.schedule {
        events.append("first")
        loop.schedule(after: loop.now) { events.append("due later") }
        loop.run(until: { events.contains("due later") })
        events.append("end of the first")
      }
      for name in ["second", "third"] { loop.schedule { events.append(name) } }
      loop.run(until: { events.count == 5 })
      return events
    }
    #expect(events == ["first", "second", "third", "due later", "end of the first"])
  }

  @Test("an action that is due runs before the immediate actions that others schedule in that pass")
  func passes() {
    let events = onRunLoop { loop in
      var events: [Int] = []
      for number in 1...3 {
        loop.schedule {
          events.append(number)
          loop.schedule { events.append(number * 10) }
        }
      }
      loop.schedule(after: loop.now) { events.append(0) }
      loop.run(until: { events.count == 7 })
      return events
    }
    #expect(events == [1, 2, 3, 0, 10, 20, 30])
  }

  @Test("many threads can schedule actions concurrently, and those of each thread keep their order")
  func many() {
    let thread = RunLoopThread()
    let received = Log<Int>()
    DispatchQueue.concurrentPerform(iterations: 4) { sender in
      for number in 0..<500 { thread.loop.schedule { received(sender * 1_000 + number) } }
    }
    #expect(received.wait(for: 2_000))
    for sender in 0..<4 {
      #expect(received.events.filter { $0 / 1_000 == sender } == (0..<500).map { sender * 1_000 + $0 })
    }
  }

  @Test("an action from another thread wakes it")
  func wakeUp() {
    let thread = RunLoopThread()
    for round in 0..<3 {
      thread.loop.schedule { log("\(round)") }
      #expect(log.wait())
    }
    #expect(log.events == ["0", "1", "2"])
  }

  @Test("runs delayed actions in the order of their dates, never early")
  func dates() {
    let thread = RunLoopThread(isRunning: false)
    let now = thread.loop.now
    for delay in [30, 10, 20] {
      let date = now.advanced(by: .milliseconds(delay))
      thread.loop.schedule(after: date, tolerance: .milliseconds(1)) {
        log(RunLoop.current.now >= date ? "\(delay)" : "\(delay) too early")
      }
    }
    log("scheduled")
    thread.run()
    #expect(log.wait(for: 4))
    #expect(log.events == ["scheduled", "10", "20", "30"])
  }

  @Test("releases an action that has run, and one that would never run")
  func release() {
    let thread = RunLoopThread()
    let group = DispatchGroup()
    thread.loop.schedule(Tracer(group: group).touch)
    thread.loop.schedule(after: thread.loop.now, Tracer(group: group).touch)
    thread.loop.schedule(after: thread.loop.now.advanced(by: .seconds(.infinity)), Tracer(group: group).touch)
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("releases an action that its own thread has scheduled, and the timer")
  func releaseOnItsThread() {
    let group = DispatchGroup()
    let isReleased = onRunLoop { loop in
      loop.schedule(Tracer(group: group).touch)
      loop.schedule(after: loop.now, interval: 1, Tracer(group: group).touch).cancel()
      let isReleased = loop.run(until: { group.wait(timeout: .now()) == .success })
      // Immediately `false` if the run loop has no sources.
      return isReleased && !loop.run(mode: .default, before: Date(timeIntervalSinceNow: 10))
    }
    #expect(isReleased == true)
  }

  #if canImport(CoreFoundation)
  @Test("uses timers that are released on another thread's run loop, once an action has run there")
  func core() {
    let thread = RunLoopThread()
    let group = DispatchGroup()
    thread.loop.schedule(Tracer(group: group).touch)
    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(thread.loop.coreRunLoop != nil)
    #expect(RunLoopThread().loop.coreRunLoop == nil)
  }

  @Test("releases pending actions when their thread ends, also if another one has scheduled actions there")
  func threadEnds() {
    let group = DispatchGroup()
    let hasRun = onRunLoop { [log] loop in
      nonisolated(unsafe) let shared = loop
      Thread.detachNewThread { shared.schedule { log("ran") } }
      let hasRun = loop.run(until: { log.events == ["ran"] })
      loop.schedule(after: loop.now.advanced(by: 1000), Tracer(group: group).touch)
      return hasRun
    }
    #expect(hasRun == true)
    #expect(group.wait(timeout: .now() + 300) == .success)
  }
  #endif

  @Test("repeats an action until it is cancelled")
  func repeating() {
    let runs = onRunLoop { loop in
      var runs = 0
      var token: (any Cancellable)?
      token = loop.schedule(after: loop.now, interval: .milliseconds(1)) {
        runs += 1
        guard runs == 3 else { return }
        token?.cancel()
        token?.cancel()
      }
      loop.run(until: { runs == 3 })
      var isLater = false
      loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { isLater = true }
      loop.run(until: { isLater })
      return runs
    }
    #expect(runs == 3)
  }

  @Test("accepts an interval of zero")
  func noInterval() {
    let thread = RunLoopThread()
    let token = thread.loop.schedule(after: thread.loop.now, interval: -1) { log("run") }
    #expect(log.wait(for: 3))
    token.cancel()
  }

  @Test("releases a repeating action that is cancelled or released, and doesn't start it")
  func cancelBeforeRun() {
    let thread = RunLoopThread(isRunning: false)
    let group = DispatchGroup()
    var tokens = [Tracer(group: group), Tracer(group: group)].map { tracer in
      thread.loop.schedule(after: thread.loop.now, interval: .milliseconds(1)) {
        tracer.touch()
        log("run")
      }
    }
    tokens[0].cancel()
    tokens.removeLast()
    #expect(group.wait(timeout: .now()) == .success)
    thread.run()
    thread.loop.schedule { log("end") }
    #expect(log.wait())
    #expect(log.events == ["end"])
  }

  @Test("many threads can cancel concurrently")
  func concurrentCancel() {
    let thread = RunLoopThread()
    for _ in 0..<200 {
      let group = DispatchGroup()
      let tracer = Tracer(group: group)
      nonisolated(unsafe) let token = thread.loop.schedule(
        after: thread.loop.now, interval: .milliseconds(1), tracer.touch)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in token.cancel() }
    }
    thread.loop.schedule { log("end") }
    #expect(log.wait())
  }

  @Test("delivers a pipeline's events in order, on its thread")
  func pipeline() {
    let thread = RunLoopThread()
    let token = (1...100).publisher.receive(on: thread.loop).sink(
      receiveCompletion: { _ in log(RunLoop.current === thread.loop ? "end" : "end elsewhere") },
      receiveValue: { log("\($0)") })
    #expect(log.wait(for: 101))
    #expect(log.events == (1...100).map { "\($0)" } + ["end"])
    withExtendedLifetime(token) {}
  }
}
