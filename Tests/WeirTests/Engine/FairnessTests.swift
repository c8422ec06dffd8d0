import Synchronization
import Testing

@testable import TestSupport
@testable import Weir

/// A thread that delivers what others send, or request, hands over after a bounded number of events.
@Suite("a thread that delivers for others")
struct FairnessTests {
  static let count = 5 * HandOver.limit

  /// The values, and how many of them the thread that made a call has delivered before the call returned.
  final class Deliveries {
    let thread = currentThread()
    private(set) var values: [Int] = []
    private(set) var own = 0
    private var isReturned = false

    func receive(_ value: Int) {
      values.append(value)
      if currentThread() == thread, !isReturned { own += 1 }
    }

    /// Makes the call, and waits for what is handed over.
    func during(_ call: () -> Void) {
      call()
      isReturned = true
      HandOver.settle()
    }
  }

  /// Sends 0 on this thread, and from inside its delivery all other values on another one.
  private func send(
    to publisher: some Publisher<Int, Never>, _ first: @escaping (Int) -> Void, _ others: @escaping (Int) -> Void
  ) -> Deliveries {
    let deliveries = Deliveries()
    let sink = publisher.sink { value in
      deliveries.receive(value)
      if value == 0 { onAnotherThread { for value in 1...Self.count { others(value) } } }
    }
    deliveries.during { first(0) }
    withExtendedLifetime(sink) {}
    return deliveries
  }

  @Test("a subject's thread hands over after a limit, and no value is lost or overtakes another")
  func subject() {
    let subject = PassthroughSubject<Int, Never>()
    let deliveries = send(to: subject, subject.send, subject.send)
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("a coordinator's thread hands over after a limit, and no value is lost or overtakes another")
  func coordinator() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let deliveries = send(to: first.merge(with: second), first.send, second.send)
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("a guard's thread hands over after a limit, and no value is lost or overtakes another")
  func strictSubscriber() {
    let source = ManualPublisher<Int, Never>()
    let deliveries = send(to: source, { source.send($0) }, { source.send($0) })
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  /// Requests `demand` on this thread, and from inside the first delivery all other values on another one.
  private func pull(
    requesting demand: Subscribers.Demand, then others: Subscribers.Demand, returning returned: Int = 0
  ) -> Deliveries {
    let deliveries = Deliveries()
    let recorder = Recorder<Int, Never>()
    var left = returned
    recorder.onValue = { [recorder] value in
      deliveries.receive(value)
      if value == 0 { onAnotherThread { recorder.request(others) } }
      left -= 1
      return left >= 0 ? .max(1) : .none
    }
    recorder.pull("Range", from: (0...Self.count).makeIterator())
    deliveries.during { recorder.request(demand) }
    return deliveries
  }

  @Test(
    "a sequence's thread hands over after a limit what another thread has requested",
    arguments: [.max(count), .unlimited] as [Subscribers.Demand])
  func sequence(others: Subscribers.Demand) {
    let deliveries = pull(requesting: .max(1), then: others)
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("a sequence's thread delivers all that it has requested itself")
  func ownRequests() {
    #expect(pull(requesting: .unlimited, then: .unlimited).own == 1 + Self.count)
    #expect(pull(requesting: .max(Self.count), then: .max(1)).own == 1 + Self.count)
    #expect(pull(requesting: .max(1), then: .max(1), returning: Self.count).own == 1 + Self.count)
  }

  @Test("what a sequence's thread has handed over is delivered, and no more")
  func remainder() {
    let deliveries = pull(requesting: .max(1), then: .max(2 * HandOver.limit))
    #expect(deliveries.values == Array(0...2 * HandOver.limit))
    #expect(deliveries.own == 1 + HandOver.limit)
  }
}
