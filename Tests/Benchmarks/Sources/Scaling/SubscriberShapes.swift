import Weir
import WeirRx

/// Many subscribers of one publisher.
let subscriberShapes: [Shape] =
  crowd("PassthroughSubject") { Source() }
  + crowd("CurrentValueSubject") { CurrentValueSubject<Int, Never>(0) }
  + crowd("ReplaySubject") { ReplaySubject<Int, Never>(bufferSize: 2) }
  + crowd("Future") { Future<Int, Never> { _ in } }
  + crowd("share") { Source().share() }
  + crowd("share(replay:)") { Source().share(replay: 3) }
  + crowd("autoconnect") { Source().multicast { Source() }.autoconnect() }
  + crowd("Driver") { Source().asDriver() }
  + Shape.inEachOrder("subject, cancelled by the first subscriber") { order in
    let subject = Source()
    var cancellables: [AnyCancellable?] = []
    cancellables.append(subject.sink { _ in for number in order where number > 0 { cancellables[number] = nil } })
    for _ in order.dropFirst() { cancellables.append(subject.sink { _ in }) }
    subject.send(1)
    cancellables = []
  }
  + [
    Shape("subject, each subscriber cancels itself") { count in
      let subject = Source()
      var cancellables: [AnyCancellable?] = []
      for number in 0..<count { cancellables.append(subject.sink { _ in cancellables[number] = nil }) }
      subject.send(1)
    },
    Shape("subject, requests of one value by each subscriber") { count in
      let subject = Source()
      let counters = (0..<count).map { _ in subject.count(.none) }
      for value in 0..<3 {
        for counter in counters { counter.request(.max(1)) }
        subject.send(value)
      }
    },
    Shape("Future, fulfilled for all subscribers") { count in
      var promise: Future<Int, Never>.Promise?
      let future = Future<Int, Never> { promise = $0 }
      let counters = (0..<count).map { _ in future.count() }
      promise?(.success(1))
      precondition(counters.allSatisfy(\.isFinished))
    },
    Shape("share, subscribed to and cancelled again") { count in
      let source = Source()
      let shared = source.share()
      for value in 0..<count {
        let counter = shared.count()
        source.send(value)
        counter.cancel()
      }
    },
    Shape("subject as a subscriber of many publishers") { count in
      let subject = Source()
      let counter = subject.count()
      let upstreams = sources(count)
      let cancellables = upstreams.map { $0.subscribe(subject) }
      for upstream in upstreams { upstream.send(1) }
      precondition(counter.count == count)
      for cancellable in cancellables { cancellable.cancel() }
    },
  ]

/// Subscribers of a publisher that are cancelled in each order.
private func crowd<P: Publisher<Int, Never> & SendableMetatype>(
  _ name: String, _ publisher: @escaping @Sendable () -> P
) -> [Shape] {
  Shape.inEachOrder("\(name), subscribers cancelled") { order in
    let publisher = publisher()
    var cancellables: [AnyCancellable?] = order.map { _ in publisher.sink { _ in } }
    for number in order { cancellables[number] = nil }
  }
}
