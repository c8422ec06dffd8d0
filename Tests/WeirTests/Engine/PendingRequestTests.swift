import Testing

@testable import TestSupport
@testable import Weir

/// Demand that is requested while a request to the same upstream is in flight.
@Suite("Pending requests")
struct PendingRequestTests {
  /// An upstream that runs a closure in each request.
  private final class Upstream: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = Never

    private(set) var demand = Subscribers.Demand.none
    var onRequest: () -> Void = {}
    private var subscriber: AnySubscriber<Int, Never>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }

    func request(_ more: Subscribers.Demand) {
      demand += more
      onRequest()
    }

    func cancel() { subscriber = nil }

    func send(_ value: Int) {
      demand -= 1
      demand += subscriber?.receive(value) ?? .none
    }
  }

  @Test("all of it reaches the upstream that is requested from inside its value")
  func requests() {
    let upstream = Upstream()
    let never = Empty<Int, Never>(completeImmediately: false)
    let recorder = upstream.prefix(untilOutputFrom: never).record(demanding: .max(1))
    #expect(upstream.demand == .max(1))
    recorder.onValue = { [unowned recorder] (_: Int) in
      recorder.request(.max(1))
      return .none
    }
    upstream.onRequest = {
      upstream.onRequest = {}
      for _ in 0..<5 { recorder.request(.max(1)) }
    }
    upstream.send(1)
    #expect(upstream.demand == .max(6))
    upstream.cancel()
  }
}
