import Weir
import WeirRx

/// Many groups and windows.
let substreamShapes: [Shape] =
  Shape.inEachOrder("groupBy, values of many groups") { order in
    let source = Source()
    let counter = source.groupBy { $0 }.flatMap { $0 }.count()
    for _ in 0..<2 {
      for key in order { source.send(key) }
    }
    source.send(completion: .finished)
    precondition(counter.isFinished)
  }
  + Shape.inEachOrder("groupBy, groups cancelled") { order in
    let source = Source()
    var groups: [AnyCancellable?] = []
    let subscription = source.groupBy { $0 }.sink { groups.append($0.sink { _ in }) }
    for key in order.indices { source.send(key) }
    for number in order { groups[number] = nil }
    subscription.cancel()
  }
  + Shape.inEachOrder("groupBy, groups cancelled after the subscription") { order in
    let source = Source()
    var groups: [AnyCancellable?] = []
    let subscription = source.groupBy { $0 }.sink { groups.append($0.sink { _ in }) }
    for key in order.indices { source.send(key) }
    subscription.cancel()
    for number in order { groups[number] = nil }
  }
  + [
    Shape("window(count:skip:), overlapping windows") { count in
      let counter = Array(0..<count).lazy.publisher.window(count: 20, skip: 5).flatMap { $0 }.count()
      precondition(counter.isFinished)
    },
    Shape("window(count:), windows without a subscriber") { count in
      let source = Source()
      var windows: [AnyPublisher<Int, Never>] = []
      let subscription = source.window(count: 1).sink { windows.append($0.eraseToAnyPublisher()) }
      for value in 0..<count { source.send(value) }
      let counters = windows.map { $0.count() }
      precondition(counters.allSatisfy { $0.count == 1 })
      subscription.cancel()
    },
  ]
