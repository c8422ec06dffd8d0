import Synchronization
import Testing

@testable import TestSupport
@testable import Weir

/// A call delivers a limited number of events that other threads send or request.
@Suite("HandOver")
struct FairnessTests {
  static let count = 5 * HandOver.limit

  /// The values, and the number of them that the calling thread has delivered before the call returned.
  final class Deliveries {
    let thread = currentThread()
    private(set) var values: [Int] = []
    private(set) var own = 0
    private var isReturned = false

    func receive(_ value: Int) {
      values.append(value)
      if currentThread() == thread, !isReturned { own += 1 }
    }

    /// Makes the call, and waits for handed-over values.
    func during(_ call: () -> Void) {
      call()
      isReturned = true
      HandOver.settle()
    }
  }

  /// A publisher with senders on one thread and on another.
  struct Source: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable () -> (publisher: AnyPublisher<Int, Never>, first: (Int) -> Void, other: (Int) -> Void)

    static let all = [
      Source(testDescription: "a subject") {
        let subject = PassthroughSubject<Int, Never>()
        return (subject.eraseToAnyPublisher(), subject.send, subject.send)
      },
      Source(testDescription: "a current value") {
        let subject = CurrentValueSubject<Int, Never>(-1)
        return (subject.dropFirst().eraseToAnyPublisher(), { subject.send($0) }, { subject.value = $0 })
      },
      Source(testDescription: "a coordinator") {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        return (first.merge(with: second).eraseToAnyPublisher(), first.send, second.send)
      },
      Source(testDescription: "a border") {
        let source = ManualPublisher<Int, Never>()
        return (source.map { $0 }.eraseToAnyPublisher(), { source.send($0) }, { source.send($0) })
      },
    ]
  }

  @Test("hands over after a limit, loses no value, and keeps the order", arguments: Source.all)
  func sources(_ source: Source) {
    let (publisher, first, other) = source.make()
    let deliveries = Deliveries()
    let sink = publisher.sink { (value: Int) in
      deliveries.receive(value)
      if value == 0 { onAnotherThread { for value in 1...Self.count { other(value) } } }
    }
    deliveries.during { first(0) }
    withExtendedLifetime(sink) {}
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("hands over to a sender, which takes precedence over the new thread", arguments: Source.all)
  func sender(_ source: Source) {
    let (publisher, first, other) = source.make()
    var threads: [UInt] = []
    let sink = publisher.sink { (value: Int) in
      threads.append(currentThread())
      if value == 0 { onAnotherThread { for value in 1...HandOver.limit + 1 { other(value) } } }
      // The first value of the others beyond the limit.
      if threads.count == HandOver.limit + 2 { other(-1) }
    }
    first(0)
    HandOver.settle()
    withExtendedLifetime(sink) {}
    #expect(threads.count == HandOver.limit + 3)
    #expect(Set(threads.prefix(HandOver.limit + 1)) == [currentThread()])
  }

  @Test("hands over to a new thread when no thread sends", arguments: Source.all)
  func newThread(_ source: Source) async {
    let (publisher, first, other) = source.make()
    var sink: AnyCancellable?
    await withCheckedContinuation { continuation in
      sink = publisher.sink { (value: Int) in
        if value == 0 { onAnotherThread { for value in 1...HandOver.limit + 1 { other(value) } } }
        if value == HandOver.limit + 1 { continuation.resume() }
      }
      first(0)
    }
    withExtendedLifetime(sink) {}
  }

  @Test("hands over what others send to a subscriber during its subscription")
  func duringASubscription() {
    let subject = PassthroughSubject<Int, Never>()
    let deliveries = Deliveries()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { (subscription: any Subscription) in
        subscription.request(.unlimited)
        onAnotherThread { for value in 1...Self.count { subject.send(value) } }
      },
      receiveValue: { (value: Int) -> Subscribers.Demand in
        deliveries.receive(value)
        return .none
      })
    deliveries.during { subject.subscribe(subscriber) }
    subject.send(0)
    #expect(deliveries.values == Array(1...Self.count) + [0])
    #expect(deliveries.own == HandOver.limit)
  }

  @Test("hands over what others send to a subscriber during the delivery for its request")
  func duringARequest() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let deliveries = Deliveries()
    var subscription: (any Subscription)?
    subject.subscribe(
      AnySubscriber<Int, Never>(
        receiveSubscription: { subscription = $0 },
        receiveValue: { (value: Int) -> Subscribers.Demand in
          deliveries.receive(value)
          if value == 0 { onAnotherThread { for value in 1...Self.count { subject.send(value) } } }
          return .none
        }))
    deliveries.during { subscription?.request(.unlimited) }
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("a thread that has handed a subscriber over doesn't deliver to it beside the new thread")
  func handedOverSubscriber() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>()
    let last = HandOver.limit + 3
    var isRequesting = false
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.max(1 + HandOver.limit))
      onAnotherThread { for value in 1...last { subject.send(value) } }
    }
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == last {
        if isRequesting { HandOver.settle() }
        onAnotherThread { subject.send(last + 1) }
        #expect(recorder.values.last == last)
      }
      return .none
    }
    subject.subscribe(recorder)
    isRequesting = true
    recorder.request(.max(3))
    isRequesting = false
    HandOver.settle()
    #expect(recorder.values == Array(0...HandOver.limit) + [last, last + 1])
  }

  @Test("hands over what other threads' requests deliver")
  func othersRequests() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let deliveries = Deliveries()
    let recorders = (0..<Self.count).map { (_: Int) in Recorder<Int, Never>() }
    for recorder in recorders {
      subject.subscribe(recorder)
      recorder.onValue = { (value: Int) -> Subscribers.Demand in
        deliveries.receive(value)
        return .none
      }
    }
    let sink = subject.dropFirst().sink { (_: Int) in
      onAnotherThread { for recorder in recorders { recorder.request(.max(1)) } }
    }
    deliveries.during { subject.send(1) }
    withExtendedLifetime(sink) {}
    #expect(deliveries.values.count == Self.count)
    #expect(deliveries.own == HandOver.limit)
  }

  @Test("counts another thread's requests for one subscriber as one event until it is performed")
  func requestsOfOneSubscriber() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (deliveries, recorder) = (Deliveries(), Recorder<Int, Never>())
    subject.subscribe(recorder)
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      deliveries.receive(value)
      return .none
    }
    let sink = subject.sink { (value: Int) in
      if value == 0 { return }
      onAnotherThread {
        for _ in 0..<Self.count { recorder.request(.max(1)) }
        if value < 3 { subject.send(value + 1) }
      }
    }
    deliveries.during { subject.send(1) }
    withExtendedLifetime(sink) {}
    #expect(deliveries.values == [1, 2, 3])
    #expect(deliveries.own == 3)
  }

  @Test("serves a request that another thread makes in each of two deliveries")
  func requestsInSuccession() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    let sink = subject.dropFirst().sink { (value: Int) in
      onAnotherThread { recorder.request(.max(1)) }
      #expect(recorder.values == Array(1..<value))
    }
    for value in 1...2 { subject.send(value) }
    withExtendedLifetime(sink) {}
    #expect(recorder.values == [1, 2])
  }

  @Test("doesn't hand over re-entrant values of the delivering thread")
  func ownEvents() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let deliveries = Deliveries()
    let sink = first.merge(with: second).sink { (value: Int) in
      deliveries.receive(value)
      if value == 0 { for value in 1...Self.count { second.send(value) } }
    }
    deliveries.during { first.send(0) }
    withExtendedLifetime(sink) {}
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + Self.count)
  }

  @Test("requests demand that is returned after a hand-over from a publisher outside Weir")
  func returnedDemand() {
    let source = ManualPublisher<Int, Never>()
    let deliveries = Deliveries()
    source.map { $0 }.subscribe(
      AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: { (value: Int) in
          deliveries.receive(value)
          if value == 0 { onAnotherThread { for value in 1...Self.count { source.send(value) } } }
          return .max(1)
        }))
    var returned = Subscribers.Demand.none
    deliveries.during { returned = source.send(0) }
    #expect(deliveries.values == Array(0...Self.count))
    #expect(returned == .max(1 + HandOver.limit))
    let requested = source.events.reduce(Subscribers.Demand.none) { sum, event in
      if case .requested(let demand) = event { sum + demand } else { sum }
    }
    #expect(requested == .max(1 + Self.count - HandOver.limit))
  }

  @Test("hands over the lines of print")
  func lines() {
    final class Stream: TextOutputStream {
      let deliveries = Deliveries()
      var onFirst: () -> Void = {}

      func write(_ text: String) {
        guard text.hasPrefix("request max"), let demand = Int(text.filter(\.isNumber)) else { return }
        deliveries.receive(demand)
        if demand == 1 { onFirst() }
      }
    }
    let (stream, recorder) = (Stream(), Recorder<Int, Never>())
    PassthroughSubject<Int, Never>().print("", to: stream).subscribe(recorder)
    stream.onFirst = { onAnotherThread { for demand in 2...Self.count { recorder.request(.max(demand)) } } }
    stream.deliveries.during { recorder.request(.max(1)) }
    #expect(stream.deliveries.values == Array(1...Self.count))
    #expect(stream.deliveries.own == 1 + HandOver.limit)
  }

  // MARK: Sequences

  /// Requests `demand` on this thread, and during the first delivery `others` on another one.
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
    (0...Self.count).publisher.subscribe(recorder)
    deliveries.during { recorder.request(demand) }
    return deliveries
  }

  @Test(
    "a sequence hands over another thread's requests after a limit",
    arguments: [.max(count), .unlimited] as [Subscribers.Demand])
  func sequence(others: Subscribers.Demand) {
    let deliveries = pull(requesting: .max(1), then: others)
    #expect(deliveries.values == Array(0...Self.count))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("a sequence delivers all that a thread has requested itself")
  func ownRequests() {
    #expect(pull(requesting: .unlimited, then: .unlimited).own == 1 + Self.count)
    #expect(pull(requesting: .max(Self.count), then: .max(1)).own == 1 + Self.count)
    #expect(pull(requesting: .max(1), then: .max(1), returning: Self.count).own == 1 + Self.count)
  }

  @Test("a sequence delivers the handed-over demand, and no more")
  func remainder() {
    let deliveries = pull(requesting: .max(1), then: .max(2 * HandOver.limit))
    #expect(deliveries.values == Array(0...2 * HandOver.limit))
    #expect(deliveries.own == 1 + HandOver.limit)
  }

  @Test("publishers that another thread opens send in its order")
  func openings() {
    let (outer, busy) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Mutex<[Int]>([])
    let subscription = outer.flatMap { (number: Int) -> AnyPublisher<Int, Never> in
      number < 0 ? busy.eraseToAnyPublisher() : Just(number).eraseToAnyPublisher()
    }.sink { (value: Int) in
      if value < 0 {
        onAnotherThread { for number in 0..<Self.count { outer.send(number) } }
      } else {
        log.withLock { $0.append(value) }
      }
    }
    outer.send(-1)
    busy.send(-2)
    HandOver.settle()
    withExtendedLifetime(subscription) {}
    #expect(log.withLock { $0 } == Array(0..<Self.count))
  }
}
