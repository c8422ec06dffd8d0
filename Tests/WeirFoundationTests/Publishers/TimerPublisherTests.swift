import Dispatch
import Foundation
import Testing
import Weir
import WeirFoundation

@testable import TestSupport

@Suite("A timer as a publisher", .timeLimit(.minutes(10)))
struct TimerPublisherTests {
  typealias Ticks = Recorder<Date, Never>

  @Test("stores its parameters, except for the tolerance")
  func properties() {
    let publisher = Timer.publish(every: 0.25, tolerance: 0.02, on: .current, in: .init("mode"))
    #expect(publisher.interval == 0.25)
    #expect(publisher.tolerance == nil)
    #expect(publisher.runLoop === RunLoop.current)
    #expect(publisher.mode == .init("mode"))
    #expect(publisher.options == nil)
    #expect(Timer.TimerPublisher(interval: 1, tolerance: 2, runLoop: .current, mode: .common).tolerance == 2)
  }

  @Test("rejects an interval that is not a number")
  func noNumber() async {
    await #expect(processExitsWith: .failure) { _ = Timer.publish(every: .nan, on: .main, in: .default) }
  }

  @Test("sends all subscribers the same dates, within the demand of each, once it is connected")
  func demand() throws {
    let (waiting, all, two) = try #require(
      onRunLoop { loop in
        let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
        let all = publisher.record(demanding: .max(2), returning: .max(1))
        let two = publisher.record(demanding: .max(2))
        let none = publisher.record()
        var isLater = false
        loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { isLater = true }
        loop.run(until: { isLater })
        let waiting = all.events + two.events + none.events

        let connection = publisher.connect()
        loop.run(until: { all.values.count >= 5 })
        connection.cancel()
        return (waiting, all.events, two.events)
      })
    #expect(waiting == [.subscription, .subscription, .subscription])
    #expect(all.count >= 6)
    #expect(two == Array(all.prefix(3)))
  }

  @Test("drops ticks without demand")
  func dropping() throws {
    let (values, dropped) = try #require(
      onRunLoop { loop in
        let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
        let ticks = publisher.record()
        ticks.request(.none)
        let others = publisher.record(demanding: .unlimited)
        let connection = publisher.connect()
        loop.run(until: { others.values.count >= 3 })
        let dropped = others.values
        ticks.request(.max(1))
        loop.run(until: { others.values.count >= dropped.count + 3 })
        connection.cancel()
        return (ticks.values, dropped)
      })
    #expect(values.count == 1)
    #expect(values.allSatisfy { value in dropped.allSatisfy { $0 < value } })
  }

  @Test("sends no tick after a cancellation, also during a delivery")
  func cancelling() {
    let events = onRunLoop { loop in
      let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
      let ticks = Ticks(demanding: .unlimited)
      ticks.onValue = { [unowned ticks] _ in
        ticks.cancel()
        ticks.request(.max(1))
        return .unlimited
      }
      publisher.subscribe(ticks)
      let others = publisher.record(demanding: .unlimited)
      let connection = publisher.connect()
      loop.run(until: { others.values.count >= 3 })
      connection.cancel()
      return ticks.events.count
    }
    #expect(events == 2)
  }

  @Test("stops with its connection, and continues with the next one")
  func reconnecting() throws {
    let counts = try #require(
      onRunLoop { loop in
        let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
        let ticks = publisher.record(demanding: .unlimited)
        let connection = publisher.connect()
        loop.run(until: { ticks.values.count >= 2 })
        connection.cancel()
        connection.cancel()
        let stopped = ticks.values.count
        var isLater = false
        loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { isLater = true }
        loop.run(until: { isLater })
        let later = ticks.values.count

        let another = publisher.connect()
        loop.run(until: { ticks.values.count >= later + 2 })
        let connected = ticks.values.count
        another.cancel()
        isLater = false
        loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { isLater = true }
        loop.run(until: { isLater })
        return [stopped, later, connected, ticks.values.count]
      })
    #expect(counts[0] == counts[1])
    #expect(counts[1] < counts[2])
    #expect(counts[2] == counts[3])
  }

  @Test("sends the first tick after one interval, not immediately")
  func firstTick() {
    let isEmpty = onRunLoop { loop in
      let publisher = Timer.publish(every: 3600, on: loop, in: .default)
      let ticks = publisher.record(demanding: .unlimited)
      let connection = publisher.connect()
      for _ in 0..<10 { _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001)) }
      connection.cancel()
      return ticks.values.isEmpty
    }
    #expect(isEmpty == true)
  }

  @Test("continues when the result of connect() is released")
  func droppedConnection() {
    let isTicking = onRunLoop { loop in
      let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
      let ticks = publisher.record(demanding: .unlimited)
      _ = publisher.connect()
      loop.run(until: { ticks.values.count >= 3 })
      return ticks.values.count >= 3
    }
    #expect(isTicking == true)
  }

  @Test("starts with its first subscriber, stops with its last, and starts again")
  func autoconnecting() throws {
    let (first, stopped, second) = try #require(
      onRunLoop { loop in
        let publisher = Timer.publish(every: 0.001, on: loop, in: .default).autoconnect()
        var ticks = 0
        var token: AnyCancellable? = publisher.sink { _ in ticks += 1 }
        loop.run(until: { ticks >= 2 })
        withExtendedLifetime(token) {}
        token = nil
        let first = ticks
        var isLater = false
        loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { isLater = true }
        loop.run(until: { isLater })
        let stopped = ticks
        token = publisher.sink { _ in ticks += 1 }
        loop.run(until: { ticks >= stopped + 2 })
        token?.cancel()
        return (first, stopped, ticks)
      })
    #expect(first >= 2 && stopped == first && second >= first + 2)
  }

  @Test("leaves no timer on the run loop when it is disconnected")
  func disconnecting() {
    let isEmpty = onRunLoop { loop in
      Timer.publish(every: 3600, on: loop, in: .default).connect().cancel()
      // Immediately `false` if the run loop has no sources.
      return !loop.run(mode: .default, before: Date(timeIntervalSinceNow: 10))
    }
    #expect(isEmpty == true)
  }

  @Test("releases its subscribers when the connection is cancelled, while the run loop lives")
  func release() {
    let thread = RunLoopThread()
    let group = DispatchGroup()
    do {
      let publisher = Timer.publish(every: 0.001, on: thread.loop, in: .default)
      let tracer = Tracer(group: group)
      let token = publisher.sink { _ in tracer.touch() }
      let connection = publisher.connect()
      connection.cancel()
      token.cancel()
    }
    #expect(group.wait(timeout: .now() + 300) == .success)
    withExtendedLifetime(thread) {}
  }

  @Test("ticks in its mode", arguments: [.default, .common, .init("mode")] as [RunLoop.Mode])
  func modes(_ mode: RunLoop.Mode) {
    let isTicking = onRunLoop { loop in
      let ticks = Ticks(demanding: .unlimited)
      let publisher = Timer.publish(every: 0.001, on: loop, in: mode)
      publisher.subscribe(ticks)
      let connection = publisher.connect()
      // A timer doesn't end a run of the loop.
      let running = mode == .common ? .default : mode
      while ticks.values.count < 3, loop.run(mode: running, before: Date(timeIntervalSinceNow: 0.01)) {}
      connection.cancel()
      return ticks.values.count >= 3
    }
    #expect(isTicking == true)
  }

  @Test("ticks on the thread of its run loop")
  func thread() {
    let thread = RunLoopThread()
    let log = Log<String>()
    let token = Timer.publish(every: 0.001, on: thread.loop, in: .default).autoconnect().sink { _ in
      log(RunLoop.current === thread.loop ? "there" : "elsewhere")
    }
    #expect(log.wait(for: 2))
    token.cancel()
    #expect(Set(log.events) == ["there"])
  }
}
