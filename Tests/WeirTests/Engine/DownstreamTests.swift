import Testing

@testable import TestSupport
@testable import Weir

@Suite("Downstream")
struct DownstreamTests {
  /// Retains its subscriber, as a publisher outside Weir does.
  private final class Stranger: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    private(set) var subscriber: (any Subscriber<Int, TestError>)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      self.subscriber = subscriber
    }
  }

  private let stranger = Stranger()
  private let recorder = Recorder<Int, TestError>(returning: .max(5))
  private let upstream = ManualSubscription()

  @Test("a stateless operator forwards the upstream's subscription, and the returned demand")
  func passesThrough() throws {
    stranger.filter { (value: Int) -> Bool in value > 1 }.map { (value: Int) -> Int in value * 10 }.subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    subscriber.receive(subscription: upstream)
    #expect(recorder.subscription as? ManualSubscription === upstream)
    #expect(subscriber.receive(1) == .max(1))
    #expect(subscriber.receive(2) == .max(5))
    subscriber.receive(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(20), .failed(.oops)])
  }

  @Test("the border describes itself as the attached operator, with the subscriber's identity")
  func face() throws {
    stranger.filter { (value: Int) -> Bool in value > 1 }.map { (value: Int) -> Int in value * 10 }.subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    #expect(String(describing: subscriber) == "Filter")
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
    #expect(Mirror(reflecting: subscriber).children.isEmpty)
    #expect(!(subscriber is any Subscription))
  }

  @Test("the border behind an erased publisher describes itself as the subscriber")
  func erased() throws {
    stranger.eraseToAnyPublisher().subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    #expect(String(describing: subscriber) == String(describing: recorder))
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
    let mirrors = [Mirror(reflecting: subscriber), Mirror(reflecting: recorder)]
    #expect(mirrors[0].children.map(\.label) == mirrors[1].children.map(\.label))
  }

  @Test("the border is a subscription if the operator's subscriber is one")
  func subscription() throws {
    let first = stranger.eraseToAnyPublisher().first()
    first.subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    #expect(String(describing: subscriber) == "First")
    let border = try #require(subscriber as? any Subscription)
    subscriber.receive(subscription: upstream)
    // The operator searches all values for one.
    border.request(.max(1))
    border.cancel()
    #expect(upstream.events == [.requested(.unlimited), .cancelled])
  }

  @Test("the border delivers a second thread's values after the present delivery")
  func serializes() throws {
    var log: [String] = []
    stranger.map { (value: Int) -> Int in value * 10 }.subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    recorder.onValue = { value in
      log.append("enter \(value)")
      if value == 10 {
        onAnotherThread { #expect(subscriber.receive(2) == .none) }
        onAnotherThread { subscriber.receive(completion: .finished) }
      }
      log.append("leave \(value)")
      return .max(1)
    }
    recorder.onCompletion = { log.append("end") }
    subscriber.receive(subscription: upstream)
    #expect(subscriber.receive(1) == .max(2))
    #expect(log == ["enter 10", "leave 10", "enter 20", "leave 20", "end"])
  }

  @Test("forwards rule violations unchanged: values without demand, a second subscription, late events")
  func rules() throws {
    stranger.map { (value: Int) -> Int in value * 10 }.subscribe(recorder)
    let subscriber = try #require(stranger.subscriber)
    #expect(subscriber.receive(1) == .max(5))
    subscriber.receive(subscription: upstream)
    subscriber.receive(subscription: ManualSubscription())
    subscriber.receive(completion: .finished)
    #expect(subscriber.receive(2) == .max(5))
    subscriber.receive(completion: .failure(.oops))
    #expect(
      recorder.events == [
        .value(10), .subscription, .subscription, .finished, .value(20), .failed(.oops),
      ])
  }
}
