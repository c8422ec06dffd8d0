import Testing
import Weir

@testable import TestSupport

/// Endless publishers that wait for demand.
private let endlessPublishers: [@Sendable () -> AnyPublisher<Int, Never>] = [
  { numbers().eraseToAnyPublisher() },
  { numbers().share().eraseToAnyPublisher() },
  { numbers().share().scan(0) { (_: Int, number: Int) -> Int in number }.eraseToAnyPublisher() },
  { numbers().multicast { PassthroughSubject<Int, Never>() }.autoconnect().eraseToAnyPublisher() },
]

/// Publishers of what a subject sends, which request from it in different ways.
private let attached: [@Sendable (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>] = [
  { $0.dropFirst(0).eraseToAnyPublisher() },
  { Empty<Int, Never>().append($0).eraseToAnyPublisher() },
  { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
  { $0.merge(with: Empty<Int, Never>()).eraseToAnyPublisher() },
  { $0.combineLatest(Just(0)).map { (value: Int, _: Int) -> Int in value }.eraseToAnyPublisher() },
  { Foreign(upstream: $0).eraseToAnyPublisher() },
]

/// A publisher outside of Weir.
private struct Foreign: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let upstream: PassthroughSubject<Int, Never>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    upstream.receive(
      subscriber: AnySubscriber<Int, Never>(
        receiveSubscription: { (inner: any Subscription) in
          subscriber.receive(subscription: ForeignSubscription(inner: inner))
        },
        receiveValue: { (value: Int) in subscriber.receive(value) },
        receiveCompletion: { (completion: Subscribers.Completion<Never>) in subscriber.receive(completion: completion) }
      ))
  }
}

private final class ForeignSubscription: Subscription {
  private let inner: any Subscription

  init(inner: any Subscription) {
    self.inner = inner
  }

  func request(_ demand: Subscribers.Demand) { inner.request(demand) }

  func cancel() { inner.cancel() }
}

private func numbers() -> some Publisher<Int, Never> {
  sequence(first: 1) { (number: Int) -> Int in number + 1 }.publisher
}

@Suite("flatMap")
struct FlatMapTests {
  typealias Source = ManualPublisher<Int, TestError>

  let outer = Source()
  let children = (0..<4).map { _ in Source() }

  func flat(_ limit: Subscribers.Demand = .unlimited) -> Publishers.FlatMap<Source, Source> {
    outer.flatMap(maxPublishers: limit) { [children] (index: Int) -> Source in children[index] }
  }

  @Test("merges the values of all publishers, and finishes when this one and all of them have")
  func flattens() {
    let recorder = flat().record(demanding: .unlimited)
    #expect(outer.send(0) == .none)
    outer.send(1)
    children[0].send(1)
    children[1].send(2)
    outer.send(completion: .finished)
    children[0].send(completion: .finished)
    children[1].send(3)
    children[1].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(outer.events == [.requested(.unlimited)])
  }

  @Test("finishes with the outer publisher when none is active")
  func finishesWithOuter() {
    let recorder = flat().record()
    outer.send(0)
    children[0].send(completion: .finished)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("requests as many publishers as may be active, and one more when one finishes", arguments: [1, 2])
  func limits(_ limit: Int) {
    _ = flat(.max(limit)).record(demanding: .unlimited)
    #expect(outer.events == [.requested(.max(limit))])
    for index in 0..<limit { outer.send(index) }
    children[limit - 1].send(1)
    #expect(outer.events == [.requested(.max(limit))])
    children[limit - 1].send(completion: .finished)
    #expect(outer.events == [.requested(.max(limit)), .requested(.max(1))])
  }

  @Test(
    "receives what a publisher sends that opens inside a delivery", arguments: [Subscribers.Demand.unlimited, .max(2)])
  func opensInside(_ limit: Subscribers.Demand) {
    let outer = PassthroughSubject<Int, Never>()
    let children = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
    var values: [Int] = []
    let subscription = outer.flatMap(maxPublishers: limit) { (index: Int) -> PassthroughSubject<Int, Never> in
      children[index]
    }.sink { (value: Int) in
      values.append(value)
      guard value == 0 else { return }
      outer.send(1)
      children[1].send(5)
      children[1].send(6)
    }
    outer.send(0)
    children[0].send(0)
    children[1].send(7)
    withExtendedLifetime(subscription) {}
    #expect(values == [0, 5, 6, 7])
  }

  @Test("requests once from a publisher that opens inside a delivery")
  func requestsOnceInside() {
    let subject = PassthroughSubject<Int, TestError>()
    var requests: [Subscribers.Demand] = []
    let child = subject.handleEvents(receiveRequest: { (demand: Subscribers.Demand) in requests.append(demand) })
    let subscription = outer.flatMap { (_: Int) in child }.sink(
      receiveCompletion: { _ in },
      receiveValue: { [outer] (value: Int) in if value == 0 { outer.send(1) } })
    outer.send(0)
    subject.send(0)
    withExtendedLifetime(subscription) {}
    #expect(requests == [.unlimited, .unlimited])
  }

  /// What arrives of a publisher that opens inside the delivery of 0, and of 5, which its source sends there, and 6
  /// afterwards.
  func openInside(_ child: AnyPublisher<Int, Never>, of source: PassthroughSubject<Int, Never>) -> [Int] {
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    var values: [Int] = []
    let subscription = outer.flatMap { (child: AnyPublisher<Int, Never>) in child }.sink { (value: Int) in
      values.append(value)
      guard value == 0 else { return }
      outer.send(child)
      source.send(5)
    }
    outer.send(Just(0).eraseToAnyPublisher())
    source.send(6)
    withExtendedLifetime(subscription) {}
    return values
  }

  @Test("receives what an operator forwards from a subject that opens inside a delivery", arguments: attached)
  func opensAttachedInside(_ make: @Sendable (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>) {
    let source = PassthroughSubject<Int, Never>()
    #expect(openInside(make(source), of: source) == [0, 5, 6])
  }

  @Test("receives what a connected publisher sends that opens inside a delivery")
  func opensConnectedPublisherInside() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share().eraseToAnyPublisher()
    let connection = shared.sink { (_: Int) in }
    #expect(openInside(shared, of: source) == [0, 5, 6])
    withExtendedLifetime(connection) {}
  }

  @Test("an endless publisher that opens inside a delivery ends with its subscriber", arguments: endlessPublishers)
  func opensEndlessPublisherInside(_ make: @Sendable () -> AnyPublisher<Int, Never>) {
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let child = make()
    var values: [Int] = []
    let subscription = outer.flatMap { (child: AnyPublisher<Int, Never>) in child }.prefix(3).sink { (value: Int) in
      values.append(value)
      if value == 0 { outer.send(child) }
    }
    outer.send(Just(0).eraseToAnyPublisher())
    withExtendedLifetime(subscription) {}
    #expect(values == [0, 1, 2])
  }

  @Test("runs one publisher after another for a maximum of one")
  func oneAtATime() {
    let recorder = [1, 2, 3].publisher.flatMap(maxPublishers: .max(1)) { (n: Int) in
      (0..<n).lazy.publisher.map { (i: Int) -> Int in n * 10 + i }
    }.record(demanding: .unlimited)
    #expect(recorder.values == [10, 20, 21, 30, 31, 32])
    #expect(recorder.isFinished)
  }

  @Test("with finite demand, requests one value ahead from each, and loses none")
  func demand() {
    let recorder = flat().record(demanding: .max(1))
    for index in 0..<2 { outer.send(index) }
    #expect(children[0].events == [.requested(.max(1))])
    #expect(children[0].send(1) == .max(1))
    #expect(children[0].send(2) == .none)
    #expect(children[1].send(3) == .none)
    outer.send(completion: .finished)
    for index in 0..<2 { children[index].send(completion: .finished) }
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("opens no publisher in place of one whose value waits for demand", arguments: [1, 2])
  func bounded(_ limit: Int) {
    var opened = 0
    let recorder = (1...100).publisher.flatMap(maxPublishers: .max(limit)) { (value: Int) -> Just<Int> in
      opened += 1
      return Just(value)
    }.record()
    #expect(opened == limit)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    #expect(opened == limit + 1)
    recorder.request(.unlimited)
    #expect(recorder.values == Array(1...100))
    #expect(recorder.isFinished)
  }

  @Test("a publisher that has finished keeps its place until its value is delivered, and is not cancelled")
  func keepsPlace() {
    let recorder = flat(.max(1)).record()
    outer.send(0)
    children[0].send(1)
    children[0].send(completion: .finished)
    children[0].send(2)
    #expect(outer.events == [.requested(.max(1))])
    recorder.request(.max(2))
    #expect(outer.events == [.requested(.max(1)), .requested(.max(1))])
    outer.send(1)
    children[1].send(3)
    children[1].send(4)
    children[1].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(3)])
    recorder.cancel()
    #expect(children[0].events == [.requested(.max(1))])
    #expect(children[1].events == [.requested(.max(1))])
    #expect(outer.events == [.requested(.max(1)), .requested(.max(1)), .cancelled])
  }

  @Test("delivers synchronous publishers step by step on demand")
  func synchronousDemand() {
    let flat = [1, 2].publisher.flatMap { (n: Int) in [n, n * 10].publisher }
    let recorder = flat.record()
    for count in 0...3 {
      #expect(recorder.values.count == count)
      recorder.request(.max(1))
    }
    #expect(recorder.values.sorted() == [1, 2, 10, 20])
    #expect(recorder.isFinished)
    let returning = flat.record(demanding: .max(1), returning: .max(1))
    #expect(returning.values.sorted() == [1, 2, 10, 20])
    #expect(returning.isFinished)
  }

  @Test("a failure of an inner or the outer publisher cancels the rest, in order")
  func fails() {
    var log: [Int] = []
    let recorder = flat().record()
    for index in 0..<4 {
      outer.send(index)
      children[index].subscriptions[0].onCancel = { log.append(index) }
    }
    children[1].send(completion: .failure(.oops))
    outer.send(0)
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(log == [0, 2, 3])
    #expect(outer.events.last == .cancelled)
    #expect(children[0].subscriptions.count == 2)
    #expect(children[0].subscriptions.last?.isCancelled == true)
  }

  @Test("the answer to one of several requests isn't nested in the answer to another")
  func answersInTurn() {
    let recorder = flat(.max(3)).record(demanding: .none)
    for number in 0..<3 { outer.send(number) }
    var (depth, deepest) = (0, 0)
    for child in children.prefix(3) {
      child.subscriptions[0].onRequest = { _ in
        depth += 1
        deepest = max(deepest, depth)
        // Another publisher may follow, so one is requested inside this answer.
        child.send(completion: .finished)
        depth -= 1
      }
    }
    recorder.request(.unlimited)
    #expect(deepest == 1)
    #expect(outer.events == [.requested(.max(3))] + Array(repeating: .requested(.max(1)), count: 3))
    for child in children.prefix(3) { #expect(child.events == [.requested(.max(1)), .requested(.unlimited)]) }
  }

  @Test("requests that are recorded during an answer are made in it, and the earlier ones after it")
  func requestsDuringAnswer() {
    let children = (0..<5).map { _ in Source() }
    let recorder = outer.flatMap { (index: Int) -> Source in children[index] }.record(demanding: .none)
    for number in 0..<5 { outer.send(number) }
    var requested: [String] = []
    for (number, child) in children.enumerated() {
      child.subscriptions[0].onRequest = { [recorder] _ in
        requested.append("\(number)")
        guard number == 0 else { return }
        children[3].send(3)
        children[4].send(4)
        recorder.request(.max(2))
        requested.append("end of 0")
      }
    }
    for number in 0..<3 { children[number].send(number) }
    recorder.request(.max(3))
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(requested == ["0", "3", "4", "end of 0", "1", "2"])
  }

  @Test("requests one value for each buffered value that it delivers, in a request of its own")
  func requestsForBufferedValues() {
    let recorder = flat().record(demanding: .none)
    outer.send(0)
    for value in 1...4 { children[0].send(value) }
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3])
    #expect(children[0].events == Array(repeating: .requested(.max(1)), count: 4))
  }

  @Test("requests nothing from an outer publisher that has finished while it answered a request")
  func finishesInRequest() {
    let recorder = flat(.max(2)).record(demanding: .unlimited)
    outer.send(0)
    outer.send(1)
    outer.subscriptions[0].onRequest = { [outer, children] _ in
      outer.send(2)
      children[2].send(completion: .finished)
      children[1].send(completion: .finished)
      outer.send(completion: .finished)
    }
    children[0].send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(outer.events == [.requested(.max(2)), .requested(.max(1))])
  }

  @Test(
    "requests nothing from an outer publisher that ends while a buffer behind it delivers", arguments: [true, false])
  func endsInBuffer(isCancelled: Bool) {
    let source = ManualPublisher<Int, TestError>()
    var cancellable: AnyCancellable?
    var values: [Int] = []
    cancellable = source.flatMap(maxPublishers: .max(1)) { (value: Int) in
      Just(value).setFailureType(to: TestError.self)
    }
    .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    .sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        values.append(value)
        if isCancelled { cancellable?.cancel() } else { source.send(completion: .finished) }
      })
    source.send(1)
    #expect(values == [1])
    #expect(source.events == (isCancelled ? [.requested(.max(1)), .cancelled] : [.requested(.max(1))]))
  }

  @Test("doesn't call its closure after a cancellation")
  func closureAfterCancel() {
    var runs = 0
    let recorder = outer.flatMap { [children] (index: Int) -> Source in
      runs += 1
      return children[index]
    }.record()
    outer.send(0)
    recorder.cancel()
    outer.send(1)
    #expect(runs == 1)
    #expect(children[1].subscribers.isEmpty)
  }

  @Test("a cancellation in the closure cancels the publisher that it returns")
  func cancelInsideClosure() {
    let recorder = Recorder<Int, TestError>()
    outer.flatMap { [children] (index: Int) -> Source in
      recorder.cancel()
      return children[index]
    }.subscribe(recorder)
    outer.send(0)
    #expect(children[0].events == [.cancelled])
    #expect(outer.events.last == .cancelled)
    #expect(recorder.events == [.subscription])
  }

  @Test("an endless synchronous publisher stops when the demand is exhausted")
  func endless() {
    let flat = [0, 100].publisher.flatMap { (n: Int) in (n...).publisher }.prefix(5)
    #expect(flat.record(demanding: .unlimited).values == [0, 1, 2, 3, 4])
    let bitByBit = flat.record(demanding: .max(1), returning: .max(1))
    #expect(bitByBit.values.count == 5)
    #expect(bitByBit.isFinished)
  }

  @Test("100,000 synchronous publishers don't grow the stack", arguments: [Subscribers.Demand.max(1), .unlimited])
  func stack(_ limit: Subscribers.Demand) {
    onAnotherThread {
      var (sum, ends) = (0, 0)
      let flat = (1...100_000).publisher.flatMap(maxPublishers: limit) { (n: Int) in Just(n) }
      let cancellable = flat.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { sum += $0 })
      #expect(sum == 5_000_050_000)
      #expect(ends == 1)
      let recorder = flat.record(demanding: .max(1), returning: .max(1))
      #expect(recorder.values.count == 100_000)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("a re-entrant value opens its publisher afterwards")
  func nestedOpen() {
    let recorder = flat().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        outer.send(1)
        children[0].send(2)
        #expect(recorder.values == [1])
      }
      return .none
    }
    outer.send(0)
    children[0].send(1)
    #expect(recorder.values == [1, 2])
    #expect(children[1].events == [.requested(.unlimited)])
  }

  @Test("accepts failing publishers from one that can't fail, and vice versa")
  func failures() {
    let canFail = [1].publisher.flatMap { (_: Int) in Fail<Int, TestError>(error: .oops) }
    #expect(canFail.record(demanding: .unlimited).events == [.subscription, .failed(.oops)])
    let neither = [1].publisher.flatMap { (n: Int) in Just(n + 1) }
    #expect(neither.record(demanding: .unlimited).events == [.subscription, .value(2), .finished])
    let recorder = outer.flatMap { (n: Int) in Just(n + 1) }.record(demanding: .unlimited)
    outer.send(1)
    outer.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(2), .failed(.oops)])
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(flat().record().subscription.map { String(describing: $0) } == "FlatMap")
  }

  @Test("requests no values if no publisher may be active")
  func none() {
    let recorder = flat(.none).record(demanding: .unlimited)
    #expect(outer.events == [])
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("ignores events of a publisher that has finished")
  func lateValues() {
    let recorder = flat().record(demanding: .unlimited)
    for child in 0...1 { outer.send(child) }
    children[0].send(completion: .finished)
    children[0].send(1)
    children[1].send(2)
    #expect(recorder.values == [2])
  }
}
