import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("onBackpressure")
struct OnBackpressureTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("conform to the operator contract")
  func rules() {
    checkCommonRules(named: "OnBackpressure") { source, token in
      source.onBackpressureBuffer().map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
    }
    checkCommonRules(named: "OnBackpressure") { source, token in
      source.onBackpressureBuffer(10, overflow: .customError { withExtendedLifetime(token) { .oops } })
    }
  }

  @Test("requests unlimited demand at the subscription")
  func asks() {
    for recorder in [source.onBackpressureBuffer().record(), source.onBackpressureLatest().record()] {
      #expect(recorder.events == [.subscription])
    }
    let dropping = source.onBackpressureDrop().record()
    #expect(source.subscriptions.map { $0.events } == Array(repeating: [.requested(.unlimited)], count: 3))
    withExtendedLifetime(dropping) {}
  }

  @Test("buffers all values, and delivers the completion or failure after them")
  func bufferAll() {
    let recorder = source.onBackpressureBuffer().record(demanding: .max(1))
    for value in 1...100 { source.send(value) }
    source.send(completion: .failure(.oops))
    source.send(101)
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(98))
    #expect(recorder.values == Array(1...99))
    recorder.request(.max(1))
    #expect(recorder.events.suffix(2) == [.value(100), .failed(.oops)])
    #expect(!source.isCancelledOnce)
  }

  @Test("a full buffer drops the newest or the oldest value, and reports it")
  func overflow() {
    var dropped: [Int] = []
    let newest = source.onBackpressureBuffer(2, overflow: .dropNewest) { dropped.append($0) }.record()
    for value in 1...4 { source.send(value) }
    newest.request(.unlimited)
    #expect(newest.values == [1, 2])
    #expect(dropped == [3, 4])
    dropped = []
    let oldest = source.onBackpressureBuffer(2, overflow: .dropOldest) { dropped.append($0) }.record()
    for value in 1...4 { source.send(value, to: 1) }
    oldest.request(.unlimited)
    #expect(oldest.values == [3, 4])
    #expect(dropped == [1, 2])
  }

  @Test("a full buffer that fails cancels its upstream and delivers its values before the failure")
  func overflowError() {
    var dropped: [Int] = []
    let recorder = source.onBackpressureBuffer(2, overflow: .customError { .other }) { dropped.append($0) }.record()
    for value in 1...4 { source.send(value) }
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.other)])
    #expect(dropped == [3])
    #expect(source.isCancelledOnce)
  }

  @Test("a buffer of size zero fails immediately")
  func noRoom() {
    let recorder = source.onBackpressureBuffer(0, overflow: .customError { .other }).record(demanding: .max(1))
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription, .value(1), .failed(.other)])
  }

  @Test("drops values without demand, and reports them")
  func drop() {
    var dropped: [Int] = []
    let recorder = source.onBackpressureDrop { dropped.append($0) }.record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    source.send(4)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(4), .finished])
    #expect(dropped == [2, 3])
  }

  @Test("keeps the latest value, and delivers the completion after it")
  func latest() {
    let recorder = source.onBackpressureLatest().record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 3])
    recorder.request(.max(1))
    source.send(4)
    source.send(5)
    source.send(completion: .failure(.oops))
    #expect(recorder.values == [1, 3, 4])
    recorder.request(.max(1))
    #expect(recorder.events.suffix(2) == [.value(5), .failed(.oops)])
  }

  @Test("respect their size while another thread sends, and report a value when they drop it")
  func secondThread() {
    for (expected, dropped, make) in Self.bounded {
      var told: [Int] = []
      let subject = PassthroughSubject<Int, Never>()
      let recorder = make(subject, { told.append($0) }).record(demanding: .unlimited)
      recorder.onValue = { value in
        if value == 0 {
          onAnotherThread { for value in 1...3 { subject.send(value) } }
          #expect(told == dropped)
        }
        return .none
      }
      subject.send(0)
      #expect(recorder.values == expected)
    }
  }

  private typealias Bounded = (PassthroughSubject<Int, Never>, @escaping (Int) -> Void) -> AnyPublisher<Int, Never>

  private static var bounded: [(expected: [Int], dropped: [Int], make: Bounded)] {
    [
      ([0, 1], [2, 3], { $0.onBackpressureBuffer(1, overflow: .dropNewest, onOverflow: $1).eraseToAnyPublisher() }),
      ([0, 3], [1, 2], { $0.onBackpressureBuffer(1, overflow: .dropOldest, onOverflow: $1).eraseToAnyPublisher() }),
      // The first value is delivered without buffering.
      ([0, 1], [2, 3], { $0.onBackpressureDrop($1).eraseToAnyPublisher() }),
      ([0, 3], [], { subject, _ in subject.onBackpressureLatest().eraseToAnyPublisher() }),
      ([0, 1, 2, 3], [], { subject, _ in subject.onBackpressureBuffer().eraseToAnyPublisher() }),
    ]
  }

  @Test("the closure for dropped values may request, cancel and send")
  func onDropComesBack() {
    let kept = Box<Recorder<Int, TestError>?>(nil)
    var dropped: [Int] = []
    let recorder = source.onBackpressureBuffer(1, overflow: .dropNewest) { value in
      dropped.append(value)
      if value == 2 {
        kept.value?.request(.max(2))
        #expect(kept.value?.values == [1])
        source.send(3)
      } else {
        kept.value?.cancel()
      }
    }.record()
    kept.value = recorder
    source.send(1)
    source.send(2)
    #expect(recorder.values == [1, 3])
    source.send(4)
    source.send(5)
    source.send(6)
    #expect(dropped == [2, 5])
    #expect(recorder.events == [.subscription, .value(1), .value(3)])
    #expect(source.isCancelledOnce)
    kept.value = nil
  }

  @Test("cancelling during a delivery drops buffered values")
  func cancelInside() {
    let recorder = source.onBackpressureBuffer().record()
    recorder.onValue = { _ in
      recorder.cancel()
      return .unlimited
    }
    source.send(1)
    source.send(2)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(source.isCancelledOnce)
  }

  @Test("releases dropped values, and buffered values at a cancellation")
  func releases() {
    let subject = PassthroughSubject<Token, Never>()
    let recorder = subject.onBackpressureLatest().record()
    #expect(
      isReleased { token in
        subject.send(token)
        subject.send(Token())
      })
    #expect(
      isReleased { token in
        subject.send(token)
        recorder.cancel()
      })
  }

  @Test("concurrent senders and requests lose no value, and delivery is serialized")
  func races() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.onBackpressureBuffer().record()
    let send: () -> Void = { for value in 1...2_000 { subject.send(value) } }
    race(send, send, { for _ in 0..<2_000 { recorder.request(.max(1)) } })
    #expect(recorder.values.count == 2_000)
    recorder.request(.unlimited)
    #expect(recorder.values.count == 4_000)
    let sum: Int = recorder.values.reduce(0) { (sum: Int, value: Int) -> Int in sum + value }
    #expect(sum == 4_002_000)
  }

  @Test("100,000 re-entrant requests don't grow the stack")
  func stack() {
    onAnotherThread {
      let recorder = (1...100_000).publisher.onBackpressureBuffer().record()
      recorder.onValue = { _ in
        recorder.request(.max(1))
        return .none
      }
      recorder.request(.max(1))
      #expect(recorder.values.count == 100_000)
      #expect(recorder.isFinished)
    }
  }
}
