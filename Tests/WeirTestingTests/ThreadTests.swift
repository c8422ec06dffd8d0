import Dispatch
import Testing
import Weir
import WeirTesting

/// Several concurrent threads, with the same result in every order.
@Suite struct ThreadTests {
  @Test func sendsFromManyThreadsArriveOneByOne() throws {
    let publisher = TestPublisher<Int, Never>(whenNotAsked: .buffer)
    let subscriber = TestSubscriber<Int, Never>(demanding: .max(1), returning: .max(1))
    publisher.subscribe(subscriber)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for value in 0..<500 { publisher.send(thread * 500 + value) }
    }
    #expect(subscriber.values.sorted() == Array(0..<2000))
    #expect(subscriber.ledger.outstanding == .max(1))
    try subscriber.checkContract()
  }

  @Test func aCancelFromAnotherThreadIsNoViolation() throws {
    for _ in 0..<200 {
      let publisher = TestPublisher<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
      publisher.subscribe(subscriber)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { subscriber.cancel() } else { for value in 0..<20 { publisher.send(value) } }
      }
      publisher.send(99)
      #expect(!subscriber.values.contains(99))
      try subscriber.checkContract()
    }
  }

  @Test func workIsScheduledFromManyThreads() throws {
    let scheduler = VirtualTimeScheduler()
    let notes = Notes()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<500 {
        scheduler.schedule(after: .milliseconds(step)) { notes.add("\(step)") }
        scheduler.schedule(after: .milliseconds(step), interval: 1) {}.cancel()
      }
    }
    try scheduler.run()
    #expect(notes.lines == (0..<500).flatMap { Array(repeating: "\($0)", count: 4) })
    #expect(scheduler.now == .milliseconds(499))
  }
}
