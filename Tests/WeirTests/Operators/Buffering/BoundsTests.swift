import Dispatch
import Synchronization
import Testing
import Weir

@testable import TestSupport

/// A subscriber takes its time over the first value, while another thread sends.
@Suite("bounds hold whatever another thread sends")
struct BoundsTests {
  typealias Upstream = AnyPublisher<Token, Never>

  /// A value that tells how many of its kind are alive.
  final class Token: Sendable {
    let number: Int
    let live: Live

    init(_ number: Int, _ live: Live) {
      self.number = number
      self.live = live
      live.add(1)
    }

    deinit { live.add(-1) }
  }

  final class Live: Sendable {
    private let counts = Mutex((live: 0, highest: 0))

    var highest: Int { counts.withLock { $0.highest } }
    var now: Int { counts.withLock { $0.live } }

    func add(_ change: Int) {
      counts.withLock { counts in
        counts.live += change
        counts.highest = max(counts.highest, counts.live)
      }
    }
  }

  /// What a publisher keeps while its subscriber is in the middle of a value and another thread sends a thousand more.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let bound: Int
    let expected: [Int]
    let make: @Sendable (Upstream) -> Upstream

    init(_ name: String, bound: Int, _ expected: [Int], _ make: @escaping @Sendable (Upstream) -> Upstream) {
      testDescription = name
      self.bound = bound
      self.expected = expected
      self.make = make
    }
  }

  static let cases = [
    Case("buffer, oldest", bound: 2, [0, 999, 1000]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("buffer, newest", bound: 2, [0, 1, 2]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    },
    Case("buffer of one", bound: 1, [0, 1000]) {
      $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below stateless operators", bound: 2, [1, 1000, 1001]) {
      $0.map { Token($0.number + 1, $0.live) }.filter { $0.number > 0 }
        .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below operators with state", bound: 2, [0, 999, 1000]) {
      $0.removeDuplicates { $0.number == $1.number }.prefix(10_000)
        .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below merge", bound: 2, [0, 999, 1000]) {
      $0.merge(with: Empty(completeImmediately: false))
        .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below flatMap", bound: 2, [0, 999, 1000]) {
      $0.flatMap { Just($0) }.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below switchToLatest", bound: 2, [0, 999, 1000]) { values in
      Just(values).switchToLatest().buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below append", bound: 2, [0, 999, 1000]) {
      $0.append(Empty()).buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below share", bound: 2, [0, 999, 1000]) {
      $0.share().buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below share, where another is already", bound: 2, [0, 999, 1000]) {
      let shared = $0.merge(with: Empty(completeImmediately: false)).share()
      shared.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      return shared.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below share, where another buffer is already", bound: 2, [0, 999, 1000]) {
      let shared = $0.merge(with: Empty(completeImmediately: false)).share()
      shared.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
        .subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      return shared.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below two that share, where others are already", bound: 2, [0, 999, 1000]) {
      let first = $0.merge(with: Empty(completeImmediately: false)).share()
      first.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      let second = first.merge(with: Empty(completeImmediately: false)).share()
      second.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      return second.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("above other operators", bound: 2, [0, 999, 1000]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).scan(Optional<Token>.none) { $1 }
        .compactMap { $0 }.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
    },
  ]

  @Test("of buffers", arguments: cases)
  func buffers(_ test: Case) {
    let live = Live()
    let subject = PassthroughSubject<Token, Never>()
    let (isInside, isSent) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      isInside.wait()
      for number in 1...1000 { subject.send(Token(number, live)) }
      isSent.signal()
    }
    var numbers: [Int] = []
    let cancellable = test.make(subject.eraseToAnyPublisher()).sink { token in
      numbers.append(token.number)
      if numbers.count > 1 { return }
      isInside.signal()
      isSent.wait()
    }
    subject.send(Token(0, live))
    HandOver.settle()
    #expect(numbers == test.expected)
    // One more for each thread that is inside a call, and for each operator that keeps the last one.
    #expect(live.highest <= test.bound + 4)
    cancellable.cancel()
    #expect(live.now == 0)
  }
  // A register that leads back to itself would be told for ever of a gate above.
  @Test("two subjects that send to each other, with a buffer below each")
  func ring() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let empty = Empty<Int, Never>(completeImmediately: false)
    let recorders = [first, second].map {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).record(demanding: .unlimited)
    }
    let there = first.merge(with: empty).map { $0 + 1 }.filter { $0 < 5 }.subscribe(second)
    let back = second.merge(with: empty).subscribe(first)
    first.send(1)
    #expect(recorders.map { $0.values } == [[1, 2, 3, 4], [2, 3, 4]])
    there.cancel()
    back.cancel()
  }
}
