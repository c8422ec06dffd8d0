import Testing

@testable import TestSupport
@testable import Weir

/// A publisher outside Weir that delivers on the calling thread, so possibly on two threads concurrently.
private final class Stranger: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private var subscriber: (any Subscriber<Int, Never>)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    self.subscriber = subscriber
    subscriber.receive(subscription: ManualSubscription())
  }

  @discardableResult
  func send(_ value: Int) -> Subscribers.Demand { subscriber?.receive(value) ?? .none }

  func finish() { subscriber?.receive(completion: .finished) }
}

/// Records a subscriber's events, and acts during them.
private final class Listener {
  var events: [String] = []
  var meanwhile: (Int) -> Void = { _ in }

  var value = 0 {
    didSet { hear(value) }
  }

  func hear(_ value: Int) {
    events.append("begin \(value)")
    meanwhile(value)
    events.append("end \(value)")
  }

  func finish() { events.append("finished") }
}

/// A way in which one of Weir's subscribers attaches to a publisher.
private struct Way: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var hearsEnd = true
  /// Re-entrant values are pending in the operator.
  var isSerial = false
  let attach: @Sendable (Stranger, Listener) -> Any

  init(
    _ name: String, hearsEnd: Bool = true, isSerial: Bool = false,
    _ attach: @escaping @Sendable (Stranger, Listener) -> Any
  ) {
    testDescription = name
    self.hearsEnd = hearsEnd
    self.isSerial = isSerial
    self.attach = attach
  }

  private static func sink(_ listener: Listener) -> Subscribers.Sink<Int, Never> {
    Subscribers.Sink(
      receiveCompletion: { (_: Subscribers.Completion<Never>) in listener.finish() },
      receiveValue: { (value: Int) in listener.hear(value) })
  }

  private static func listen<P: Publisher<Int, Never>>(_ publisher: P, _ listener: Listener) -> Any {
    publisher.sink(
      receiveCompletion: { (_: Subscribers.Completion<Never>) in listener.finish() },
      receiveValue: { (value: Int) in listener.hear(value) })
  }

  static let all: [Way] = [
    Way("sink") { listen($0, $1) },
    Way("erased, sink") { listen($0.eraseToAnyPublisher(), $1) },
    Way("map, sink") { listen($0.map { (value: Int) -> Int in value }, $1) },
    Way("scan, sink") { listen($0.scan(0) { (_: Int, value: Int) -> Int in value }, $1) },
    Way("merge, sink", isSerial: true) { listen($0.merge(with: Empty<Int, Never>()), $1) },
    Way("share, sink") { listen($0.share(), $1) },
    Way("a sink of the user's") { stranger, listener in
      let sink = sink(listener)
      stranger.receive(subscriber: sink)
      return sink
    },
    Way("an erased sink") { stranger, listener in
      let sink = sink(listener)
      stranger.subscribe(AnySubscriber(sink))
      return sink
    },
    Way("closures") { stranger, listener in
      let closures = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.unlimited) },
        receiveValue: { (value: Int) in
          listener.hear(value)
          return .none
        }, receiveCompletion: { (_: Subscribers.Completion<Never>) in listener.finish() })
      stranger.subscribe(closures)
      return closures
    },
    Way("assign", hearsEnd: false) { stranger, listener in stranger.assign(to: \Listener.value, on: listener) },
    Way("an Assign of the user's", hearsEnd: false) { stranger, listener in
      let assign = Subscribers.Assign(object: listener, keyPath: \Listener.value)
      stranger.subscribe(assign)
      return assign
    },
    Way("a subject") { stranger, listener in
      let subject = PassthroughSubject<Int, Never>()
      return (listen(subject, listener), stranger.subscribe(subject))
    },
    Way("an erased subject") { stranger, listener in
      let subject = PassthroughSubject<Int, Never>()
      stranger.subscribe(AnySubscriber(subject))
      return (listen(subject, listener), subject)
    },
  ]
}

@Suite("turnstiles")
struct TurnstileTests {
  private let stranger = Stranger()
  private let listener = Listener()

  @Test("events of another thread during a delivery follow it", arguments: Way.all)
  fileprivate func otherThread(_ way: Way) {
    let (stranger, listener) = (stranger, listener)
    let kept = way.attach(stranger, listener)
    listener.meanwhile = { value in
      guard value == 1 else { return }
      onAnotherThread {
        stranger.send(2)
        stranger.send(3)
        stranger.finish()
      }
    }
    stranger.send(1)
    let values = ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]
    #expect(listener.events == values + (way.hearsEnd ? ["finished"] : []))
    withExtendedLifetime(kept) {}
  }

  @Test("re-entrant events of the same thread are delivered immediately", arguments: Way.all)
  fileprivate func nested(_ way: Way) {
    let (stranger, listener) = (stranger, listener)
    let kept = way.attach(stranger, listener)
    listener.meanwhile = { value in if value < 3 { stranger.send(value + 1) } }
    stranger.send(1)
    let nested = ["begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1"]
    #expect(listener.events == (way.isSerial ? [1, 2, 3].flatMap { ["begin \($0)", "end \($0)"] } : nested))
    withExtendedLifetime(kept) {}
  }

  @Test("a re-entrant event follows those that another thread has sent before it", arguments: Way.all)
  fileprivate func nestedBehindOthers(_ way: Way) {
    let (stranger, listener) = (stranger, listener)
    let kept = way.attach(stranger, listener)
    listener.meanwhile = { value in
      guard value == 1 else { return }
      onAnotherThread { stranger.send(2) }
      stranger.send(3)
      onAnotherThread { stranger.send(4) }
      stranger.finish()
    }
    stranger.send(1)
    let others = [2, 3, 4].flatMap { ["begin \($0)", "end \($0)"] } + (way.hearsEnd ? ["finished"] : [])
    #expect(listener.events == (way.isSerial ? ["begin 1", "end 1"] + others : ["begin 1"] + others + ["end 1"]))
    withExtendedLifetime(kept) {}
  }

  @Test("demand for pending values is returned to the delivering thread")
  func demand() {
    let (stranger, listener) = (stranger, listener)
    listener.meanwhile = { value in
      guard value == 1 else { return }
      onAnotherThread { #expect(stranger.send(2) == .none) }
    }
    stranger.subscribe(
      AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: { (value: Int) in
          listener.hear(value)
          return .max(value)
        }))
    #expect(stranger.send(1) == .max(3))
  }

  @Test("values during the subscription are pending, and their demand is requested")
  func subscription() {
    let listener = listener
    let upstream = ManualSubscription()
    var closures: AnySubscriber<Int, Never>?
    closures = AnySubscriber(
      receiveSubscription: { _ in
        onAnotherThread { _ = closures?.receive(1) }
        listener.events.append("subscribed")
      },
      receiveValue: { (value: Int) in
        listener.hear(value)
        return .max(4)
      })
    closures?.receive(subscription: upstream)
    closures = nil
    #expect(listener.events == ["subscribed", "begin 1", "end 1"])
    #expect(upstream.events == [.requested(.max(4))])
  }

  /// Passes its subscriber to one of Weir's publishers, and sends to it too.
  private final class Injecting: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let subject = PassthroughSubject<Int, Never>()
    private var subscriber: (any Subscriber<Int, Never>)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      self.subscriber = subscriber
      subject.receive(subscriber: subscriber)
    }

    func send(_ value: Int) { _ = subscriber?.receive(value) }
  }

  @Test("a publisher that shares its subscriber with another waits for the other one's delivery")
  func injecting() {
    let (publisher, listener) = (Injecting(), listener)
    listener.meanwhile = { value in if value == 1 { onAnotherThread { publisher.send(2) } } }
    let sink = publisher.sink { (value: Int) in listener.hear(value) }
    publisher.subject.send(1)
    #expect(listener.events == ["begin 1", "end 1", "begin 2", "end 2"])
    withExtendedLifetime(sink) {}
  }

  /// Passes its subscriber to two of Weir's publishers.
  private struct Doubled: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      first.receive(subscriber: subscriber)
      second.receive(subscriber: subscriber)
    }
  }

  @Test("a sink with two publishers receives values of the first only")
  func doubled() {
    let (publisher, listener) = (Doubled(), listener)
    listener.meanwhile = { value in if value == 1 { onAnotherThread { publisher.second.send(2) } } }
    let sink = publisher.sink { (value: Int) in listener.hear(value) }
    publisher.first.send(1)
    publisher.second.send(3)
    #expect(listener.events == ["begin 1", "end 1"])
    withExtendedLifetime(sink) {}
  }

  @Test("values that were pending for a cancelled sink are dropped")
  func cancelled() {
    let (stranger, listener) = (stranger, listener)
    var sink: AnyCancellable?
    listener.meanwhile = { _ in
      onAnotherThread { stranger.send(2) }
      sink?.cancel()
    }
    sink = stranger.sink { (value: Int) in listener.hear(value) }
    stranger.send(1)
    #expect(listener.events == ["begin 1", "end 1"])
  }
}
