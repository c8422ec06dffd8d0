import Weir
import WeirRx

/// Many upstreams of one operator.
let upstreamShapes: [Shape] =
  Shape.inEachOrder("merge, upstreams complete") { order in
    let upstreams = sources(order.count)
    let counter = Publishers.MergeMany(upstreams).count()
    for number in order {
      upstreams[number].send(1)
      upstreams[number].send(completion: .finished)
    }
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("merge, a signal completes all upstreams") { order in
    let signal = Source()
    let upstreams = sources(order.count)
    let counter = Publishers.MergeMany(upstreams.map { $0.prefix(untilOutputFrom: signal) }).count()
    for number in order { upstreams[number].send(1) }
    signal.send(1)
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("merge, an answer to a request completes all upstreams") { order in
    let signal = Source()
    let upstreams = order.indices.map { number in
      [number, number].publisher.map { $0 }.prefix(untilOutputFrom: signal)
        .handleEvents(receiveOutput: { if $0 == order.first { signal.send(1) } })
    }
    let counter = Publishers.MergeMany(upstreams).count(.max(1))
    counter.request(.unlimited)
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("flatMap, inner publishers complete") { order in
    let inner = sources(order.count)
    let counter = order.indices.publisher.flatMap { inner[$0] }.count()
    for number in order {
      inner[number].send(1)
      inner[number].send(completion: .finished)
    }
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("flatMap, inner publishers are replaced") { order in
    let inner = sources(order.count * 2)
    let counter = inner.indices.publisher.flatMap(maxPublishers: .max(order.count)) { inner[$0] }.count()
    for half in [0, order.count] {
      for number in order { inner[half + number].send(completion: .finished) }
    }
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("zip of many, upstreams send") { order in
    let upstreams = sources(order.count)
    let counter = upstreams.zip().count()
    for number in order { upstreams[number].send(1) }
    precondition(counter.count == 1)
    counter.cancel()
  }
  + Shape.inEachOrder("combineLatest of many, upstreams complete") { order in
    let upstreams = sources(order.count)
    let counter = upstreams.combineLatest().count()
    for number in order { upstreams[number].send(1) }
    for number in order { upstreams[number].send(completion: .finished) }
    precondition(counter.isFinished)
  }
  + [
    Shape("amb of many, one sends") { count in
      let upstreams = sources(count)
      let counter = upstreams.amb().count()
      upstreams[count / 2].send(1)
      counter.cancel()
    },
    Shape("switchToLatest, inner publishers are replaced") { count in
      let outer = PassthroughSubject<Source, Never>()
      let counter = outer.switchToLatest().count()
      for inner in sources(count) { outer.send(inner) }
      counter.cancel()
    },
    Shape("concatMap, outer values are buffered") { count in
      let outer = Source()
      var inner: Source?
      let counter = outer.concatMap { _ in
        let next = Source()
        inner = next
        return next
      }.count()
      for value in 0..<count { outer.send(value) }
      outer.send(completion: .finished)
      while !counter.isFinished { inner?.send(completion: .finished) }
    },
    Shape("prefix(untilOutputFrom:), one signal for many pipelines") { count in
      let signal = Source()
      let counters = sources(count).map { $0.prefix(untilOutputFrom: signal).count() }
      signal.send(1)
      precondition(counters.allSatisfy(\.isFinished))
    },
    Shape("retry") { count in
      var attempts = 0
      let counter = Deferred {
        attempts += 1
        return Fail<Int, Overflow>(error: Overflow())
      }.retry(count).ignoreFailure().count()
      precondition(counter.isFinished && attempts == count + 1)
    },
  ]

private struct Overflow: Error {}
