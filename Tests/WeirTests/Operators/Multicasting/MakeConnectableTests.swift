import Testing
import Weir

@testable import TestSupport

@Suite("makeConnectable")
struct MakeConnectableTests {
  @Test("sends no value before it is connected; then one subscription serves all within their demand")
  func connects() {
    let source = ManualPublisher<Int, Never>()
    let connectable = source.makeConnectable()
    let first = connectable.record(demanding: .unlimited)
    let second = connectable.record(demanding: .max(1))
    #expect(source.subscribers.isEmpty)
    #expect(first.events == [.subscription])
    let connection = connectable.connect()
    #expect(source.subscribers.count == 1)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(first.events == [.subscription, .value(1), .value(2), .finished])
    #expect(second.events == [.subscription, .value(1), .finished])
    withExtendedLifetime(connection) {}
  }

  @Test("cancelling the connection cancels the upstream without completing the subscribers")
  func disconnects() {
    let source = ManualPublisher<Int, Never>()
    let connectable = source.makeConnectable()
    let recorder = connectable.record(demanding: .unlimited)
    connectable.connect().cancel()
    source.send(1)
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(recorder.events == [.subscription])
  }

  @Test("a copy shares the same subscription")
  func copies() {
    let connectable = [1, 2].publisher.makeConnectable()
    let copy = connectable
    let recorder = copy.record(demanding: .unlimited)
    let connection = connectable.connect()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    withExtendedLifetime(connection) {}
  }
}
