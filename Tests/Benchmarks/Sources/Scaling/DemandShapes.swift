import Weir
import WeirRx

/// Many requests, many buffered values, and many upstreams that answer requests.
let demandShapes: [Shape] =
  Shape.inEachOrder("flatMap, buffered values of inner publishers that complete") { order in
    let inner = order.map { CurrentValueSubject<Int, Never>($0) }
    let counter = order.indices.publisher.flatMap { inner[$0] }.count(.max(1))
    for number in order { inner[number].send(completion: .finished) }
    counter.requestOneByOne(order.count)
    precondition(counter.isFinished)
  }
  + [
    Shape("flatMap, inner publishers answer unlimited demand") { count in
      let outer = Source()
      let counter = outer.flatMap(maxPublishers: .max(count)) { [$0, $0].publisher }.count(.max(1))
      for value in 0..<count { outer.send(value) }
      counter.request(.unlimited)
      precondition(counter.count == 2 * count)
    },
    Shape("flatMap, inner publishers answer the demand that each value returns") { count in
      let counter = (0..<2 * count).publisher.flatMap(maxPublishers: .max(count)) { [$0, $0].publisher }
        .count(.max(1)) { _ in .max(1) }
      precondition(counter.isFinished)
    },
    Shape("flatMap, inner publishers answer requests of one value") { count in
      let counter = (0..<count).publisher.flatMap { [$0, $0].publisher }.count(.none)
      counter.requestOneByOne(2 * count)
      precondition(counter.isFinished)
    },
    Shape("merge, upstreams answer requests inside a value") { count in
      let upstreams = (0..<count).map { [$0, $0, $0].publisher }
      let counter = Publishers.MergeMany(upstreams).count(.max(1)) {
        $0.request(.max(1))
        return .none
      }
      precondition(counter.isFinished)
    },
    Shape("merge, upstreams answer unlimited demand inside a value") { count in
      let upstreams = (0..<count).map { [$0, $0, $0].publisher }
      let counter = Publishers.MergeMany(upstreams).count(.max(1)) {
        $0.request(.unlimited)
        return .none
      }
      precondition(counter.isFinished)
    },
    Shape("zip of many, cancelled by an answer to a request") { count in
      var requests = 0
      let counter = Counter<[Int]>(.none)
      let upstreams = (0..<count).map { _ in
        (0..<5).publisher.handleEvents(receiveRequest: { _ in
          requests += 1
          if requests == count + 1 { counter.cancel() }
        })
      }
      upstreams.zip().subscribe(counter)
      counter.requestOneByOne(2)
    },
    Shape("zip, one upstream is ahead") { count in
      let ahead = Source()
      let behind = Source()
      let counter = ahead.zip(behind).count()
      for value in 0..<count { ahead.send(value) }
      for value in 0..<count { behind.send(value) }
      precondition(counter.count == count)
    },
    Shape("buffer") { count in
      let source = Source()
      let counter = source.buffer(size: count, prefetch: .byRequest, whenFull: .dropOldest).count(.none)
      for value in 0..<2 * count { source.send(value) }
      counter.requestOneByOne(count)
      precondition(counter.count == count)
    },
    Shape("onBackpressureBuffer") { count in
      let source = Source()
      let counter = source.onBackpressureBuffer().count(.none)
      for value in 0..<count { source.send(value) }
      counter.requestOneByOne(count)
      precondition(counter.count == count)
    },
    Shape("ReplaySubject, a subscriber that is behind") { count in
      let subject = ReplaySubject<Int, Never>(bufferSize: count)
      let counter = subject.count(.none)
      for value in 0..<count { subject.send(value) }
      counter.requestOneByOne(count)
      precondition(counter.count == count)
    },
    Shape("sequence of a set") { count in
      let counter = Set(0..<count).publisher.count(.none)
      counter.requestOneByOne(count)
      precondition(counter.isFinished)
    },
    Shape("sequence behind append") { count in
      let source = Source()
      let counter = source.append(Array(0..<count)).count(.none)
      source.send(completion: .finished)
      counter.requestOneByOne(count)
      precondition(counter.isFinished)
    },
    Shape("distinct") { count in
      let counter = Array(0..<count).lazy.publisher.distinct().count()
      precondition(counter.isFinished)
    },
    Shape("collect by count") { count in
      let counter = Array(0..<count).lazy.publisher.collect(10).count()
      precondition(counter.isFinished)
    },
  ]
