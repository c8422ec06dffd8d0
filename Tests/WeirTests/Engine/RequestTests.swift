import Dispatch
import Testing

@testable import TestSupport
@testable import Weir

/// A publisher outside of Weir that records requests, and calls a closure inside each.
private final class Asked: Publisher, Subscription {
  typealias Output = Int
  typealias Failure = Never

  private let state = Locked<(requests: [Subscribers.Demand], isInside: Bool)>(([], false))
  private var subscriber: (any Subscriber<Int, Never>)?

  var onFirst: () -> Void = {}
  var onOthers: (Subscribers.Demand) -> Void = { _ in }

  var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    self.subscriber = subscriber
    subscriber.receive(subscription: self)
  }

  func request(_ demand: Subscribers.Demand) {
    let (isFirst, isInside) = state.withLock { state in
      defer { state = (state.requests + [demand], true) }
      return (state.requests.isEmpty, state.isInside)
    }
    #expect(!isInside, "Two threads request at the same time.")
    if isFirst { onFirst() } else { onOthers(demand) }
    state.withLock { $0.isInside = false }
  }

  func cancel() {}

  /// Sends two values on another thread.
  ///
  /// Inside the first request, they are pending in the border, so the border requests what is returned for them.
  func sendElsewhere() {
    onAnotherThread {
      _ = subscriber?.receive(1)
      _ = subscriber?.receive(2)
    }
  }
}

/// What stands between the border and an operator that makes requests of its own.
private struct Between: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let attach: @Sendable (Publishers.Map<Asked, Int>) -> any Publisher<Int, Never>

  init(
    _ name: String, _ attach: @escaping @Sendable (Publishers.Map<Asked, Int>) -> any Publisher<Int, Never>
  ) {
    testDescription = name
    self.attach = attach
  }

  static let all: [Between] = [
    Between("map") { $0 },
    Between("scan") { $0.scan(0) { (_: Int, value: Int) -> Int in value } },
    Between("removeDuplicates") { $0.removeDuplicates() },
    Between("handleEvents") { $0.handleEvents(receiveOutput: { (_: Int) in }) },
    Between("breakpoint") { $0.breakpoint(receiveOutput: { (_: Int) -> Bool in false }) },
    Between("append") { $0.append([Int]()) },
    Between("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    Between("dropFirst, append, scan") {
      $0.dropFirst(0).append([Int]()).scan(0) { (_: Int, value: Int) -> Int in value }
    },
  ]
}

/// An operator that makes a request of its own, inside which another thread requests 5 values.
private struct Asking: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let initially: Subscribers.Demand
  let expected: [Subscribers.Demand]
  let attach: @Sendable (Asked) -> any Publisher<Int, Never>

  init(
    _ name: String, demanding initially: Subscribers.Demand = .max(1),
    _ expected: [Subscribers.Demand] = [.max(1), .max(5)],
    _ attach: @escaping @Sendable (Asked) -> any Publisher<Int, Never>
  ) {
    testDescription = name
    self.initially = initially
    self.expected = expected
    self.attach = attach
  }

  static let all: [Asking] = [
    Asking("append") { Empty().append($0) },
    Asking("prepend") { $0.prepend(Empty()) },
    Asking("catch") { (upstream: Asked) in Fail<Int, TestError>(error: .oops).catch { (_: TestError) in upstream } },
    Asking("dropFirst", demanding: .none, [.max(2), .max(5)]) { $0.dropFirst(2) },
    Asking("append, dropFirst", [.max(3), .max(5)]) { Empty().append($0.dropFirst(2)) },
    Asking("retry") { $0.retry(1) },
    Asking("replaceEmpty") { $0.replaceEmpty(with: 0) },
    Asking("switchToLatest") { Just($0).switchToLatest() },
    Asking("flatMap", [.max(1)]) { (upstream: Asked) in Just(1).flatMap { (_: Int) in upstream } },
    Asking("buffer", [.max(3)]) { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest) },
    Asking("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
  ]
}

@Suite("requests of operators and borders")
struct RequestTests {
  @Test("wait until the request of another thread has returned", arguments: Between.all)
  private func takingTurns(_ between: Between) {
    let upstream = Asked()
    upstream.onFirst = upstream.sendElsewhere
    let recorder = Recorder<Int, Never>(demanding: .max(2))
    let (isInside, mayReturn, hasReturned) = (semaphore(), semaphore(), semaphore())
    upstream.onOthers = { demand in
      if demand == .max(5) {
        isInside.signal()
        mayReturn.wait()
      }
    }
    recorder.onValue = { (value: Int) in value == 1 ? .max(1) : .none }
    let values = upstream.map { (value: Int) -> Int in
      if value == 2 {
        nonisolated(unsafe) let recorder = recorder
        DispatchQueue.global().async {
          recorder.request(.max(5))
          hasReturned.signal()
        }
        isInside.wait()
      }
      return value
    }
    Just(erased(between.attach(values))).switchToLatest().subscribe(recorder)
    mayReturn.signal()
    hasReturned.wait()
    #expect(recorder.values == [1, 2])
    #expect(upstream.requests == [.max(2), .max(5), .max(1)])
  }

  @Test("are made by the thread that is delivering")
  func leftToAnotherThread() {
    let upstream = Asked()
    upstream.onFirst = upstream.sendElsewhere
    let other = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .max(9))
    let (isInside, mayReturn, hasReturned) = (semaphore(), semaphore(), semaphore())
    recorder.onValue = { (value: Int) in
      if value == 3 {
        isInside.signal()
        mayReturn.wait()
      }
      return .none
    }
    let values = upstream.map { (value: Int) -> Int in
      if value == 2 {
        DispatchQueue.global().async {
          other.send(3)
          hasReturned.signal()
        }
        isInside.wait()
      }
      return value
    }
    other.merge(with: values).subscribe(recorder)
    let before = upstream.requests
    mayReturn.signal()
    hasReturned.wait()
    #expect(recorder.values == [1, 3, 2])
    #expect(before == [.max(1)])
    #expect(upstream.requests == [.max(1), .max(2)])
  }

  @Test("of the operator wait for none, and the downstream's wait for them", arguments: Asking.all)
  private func ownRequests(_ asking: Asking) {
    let upstream = Asked()
    let recorder = Recorder<Int, Never>(demanding: asking.initially)
    upstream.onFirst = { onAnotherThread { recorder.request(.max(5)) } }
    erased(asking.attach(upstream)).subscribe(recorder)
    #expect(upstream.requests == asking.expected)
  }

  private func erased(_ publisher: some Publisher<Int, Never>) -> AnyPublisher<Int, Never> {
    publisher.eraseToAnyPublisher()
  }

  private func semaphore() -> DispatchSemaphore { DispatchSemaphore(value: 0) }
}
