import Testing
import Weir

@testable import TestSupport

private typealias Numbers = AnyPublisher<Int, TestError>

/// Publishers of one value or none, which send at the subscription, and one of two values.
private let sources: [@Sendable () -> Numbers] = [
  { Deferred { Just(1) }.setFailureType(to: TestError.self).eraseToAnyPublisher() },
  { Deferred { Optional(1).publisher }.setFailureType(to: TestError.self).eraseToAnyPublisher() },
  { Deferred { Result<Int, TestError>.success(1).publisher }.eraseToAnyPublisher() },
  { Deferred { Empty<Int, TestError>() }.eraseToAnyPublisher() },
  { Deferred { Fail<Int, TestError>(error: .oops) }.eraseToAnyPublisher() },
  { [1, 2].publisher.setFailureType(to: TestError.self).eraseToAnyPublisher() },
]

/// Operators of every kind: without state, with a subscription of their own, that end early, that send at the end.
private let operators: [@Sendable (Numbers) -> Numbers] = [
  { $0 },
  { $0.map { (value: Int) -> Int in value + 1 }.eraseToAnyPublisher() },
  { $0.filter { (value: Int) -> Bool in value == 2 }.eraseToAnyPublisher() },
  { $0.mapError { (_: TestError) -> TestError in .other }.eraseToAnyPublisher() },
  { $0.scan(5) { (sum: Int, value: Int) -> Int in sum + value }.eraseToAnyPublisher() },
  { $0.ignoreOutput().map { (_: Never) -> Int in }.eraseToAnyPublisher() },
  { $0.tryMap { (value: Int) throws -> Int in value + 1 }.mapError(asTestError).eraseToAnyPublisher() },
  { $0.tryMap { (_: Int) throws -> Int in throw TestError.other }.mapError(asTestError).eraseToAnyPublisher() },
  { $0.removeDuplicates().eraseToAnyPublisher() },
  { $0.prefix(0).eraseToAnyPublisher() },
  { $0.prefix(1).eraseToAnyPublisher() },
  { $0.prefix(2).eraseToAnyPublisher() },
  { $0.prefix { (value: Int) -> Bool in value > 1 }.eraseToAnyPublisher() },
  { $0.dropFirst(0).eraseToAnyPublisher() },
  { $0.dropFirst(1).eraseToAnyPublisher() },
  { $0.drop { (value: Int) -> Bool in value == 1 }.eraseToAnyPublisher() },
  { $0.output(at: 0).eraseToAnyPublisher() },
  { $0.output(in: 1...).eraseToAnyPublisher() },
  { $0.first().eraseToAnyPublisher() },
  { $0.last().eraseToAnyPublisher() },
  { $0.collect().map { (values: [Int]) -> Int in values.count }.eraseToAnyPublisher() },
  { $0.collect(2).map { (values: [Int]) -> Int in values.count }.eraseToAnyPublisher() },
  { $0.reduce(5) { (sum: Int, value: Int) -> Int in sum + value }.eraseToAnyPublisher() },
  { $0.contains(1).map { (found: Bool) -> Int in found ? 1 : 0 }.eraseToAnyPublisher() },
  {
    $0.allSatisfy { (value: Int) -> Bool in value == 2 }.map { (all: Bool) -> Int in all ? 1 : 0 }.eraseToAnyPublisher()
  },
  { $0.replaceEmpty(with: 9).eraseToAnyPublisher() },
  { $0.replaceError(with: 8).setFailureType(to: TestError.self).eraseToAnyPublisher() },
  { $0.breakpoint().eraseToAnyPublisher() },
  { $0.catch { (_: TestError) in Just(7) }.setFailureType(to: TestError.self).eraseToAnyPublisher() },
  { $0.tryCatch { (_: TestError) in Just(7) }.mapError(asTestError).eraseToAnyPublisher() },
  { $0.catch { (_: TestError) in [7, 8].publisher }.setFailureType(to: TestError.self).eraseToAnyPublisher() },
  { $0.retry(2).eraseToAnyPublisher() },
  { $0.flatMap { (value: Int) in [value, 3].publisher.setFailureType(to: TestError.self) }.eraseToAnyPublisher() },
  { $0.append(one).flatMap(maxPublishers: .max(1)) { (_: Int) in one.append(one) }.eraseToAnyPublisher() },
  { $0.append(one).map { (_: Int) in one.append(one) }.switchToLatest().eraseToAnyPublisher() },
  { $0.append(6).eraseToAnyPublisher() },
  { $0.append(one).append([7, 8]).append(one).eraseToAnyPublisher() },
  { $0.append(one).collect(2).map { (values: [Int]) -> Int in values.count }.eraseToAnyPublisher() },
  { $0.append(one).prefix(1).eraseToAnyPublisher() },
  { $0.prepend(one).eraseToAnyPublisher() },
  { $0.handleEvents(receiveOutput: { (_: Int) in }).eraseToAnyPublisher() },
  {
    $0.handleEvents(
      receiveCompletion: { (_: Subscribers.Completion<TestError>) in }, receiveCancel: {},
      receiveRequest: { (_: Subscribers.Demand) in }
    ).eraseToAnyPublisher()
  },
  { $0.print("", to: Quiet()).eraseToAnyPublisher() },
  { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
  { $0.delay(for: 1, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher() },
  { $0.subscribe(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
  { $0.buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() },
  { $0.append(one).buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() },
  { $0.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher() },
  { $0.share().eraseToAnyPublisher() },
  {
    $0.dropFirst(0).removeDuplicates().scan(0) { (_: Int, value: Int) -> Int in value }.prefix(1).eraseToAnyPublisher()
  },
]

private let one = Just(5).setFailureType(to: TestError.self)

private struct Quiet: TextOutputStream {
  mutating func write(_ text: String) {}
}

@Sendable private func asTestError(_ error: any Error) -> TestError { error as? TestError ?? .oops }

@Suite("flatMap and switchToLatest over publishers of one value")
struct ScalarTests {
  /// Requests everything, opens a publisher, and another inside the delivery of the first value.
  private func open(_ child: Numbers, in flat: (PassthroughSubject<Numbers, TestError>) -> Numbers) -> [Recorded] {
    let outer = PassthroughSubject<Numbers, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    var isFirst = true
    flat(outer).handleEvents(receiveOutput: { (_: Int) in
      guard isFirst else { return }
      isFirst = false
      outer.send(child)
    }).subscribe(recorder)
    outer.send(child)
    outer.send(Just(0).setFailureType(to: TestError.self).eraseToAnyPublisher())
    outer.send(completion: .finished)
    return recorder.events
  }

  private typealias Recorded = Event<Int>

  @Test("an operator behind a scalar publisher sends the same without a request", arguments: sources.indices)
  func sendsTheSame(_ source: Int) {
    for (index, pass) in operators.enumerated() {
      // In front of an operator that observes the subscription there is no scalar subscription.
      let scalar = pass(sources[source]())
      let requested = pass(sources[source]()).handleEvents(receiveSubscription: { (_: any Subscription) in })
        .eraseToAnyPublisher()
      let merged = { (child: Numbers) -> [Recorded] in
        open(child) { $0.flatMap { (child: Numbers) in child }.eraseToAnyPublisher() }
      }
      #expect(merged(scalar) == merged(requested), "operator \(index)")
      let oneByOne = { (child: Numbers) -> [Recorded] in
        open(child) { $0.flatMap(maxPublishers: .max(1)) { (child: Numbers) in child }.eraseToAnyPublisher() }
      }
      #expect(oneByOne(scalar) == oneByOne(requested), "operator \(index), maximum of 1")
      let switched = { (child: Numbers) -> [Recorded] in
        open(child) { $0.switchToLatest().eraseToAnyPublisher() }
      }
      #expect(switched(scalar) == switched(requested), "operator \(index), switched")
      let sunk = { (child: Numbers) -> [Recorded] in
        var events: [Recorded] = []
        let end = { (completion: Subscribers.Completion<TestError>) in
          if case .failure(let error) = completion { events.append(.failed(error)) } else { events.append(.finished) }
        }
        let subscription = child.sink(receiveCompletion: end) { (value: Int) in events.append(.value(value)) }
        withExtendedLifetime(subscription) {}
        return events
      }
      #expect(sunk(scalar) == sunk(requested), "operator \(index), in front of a sink")
    }
  }

  @Test(
    "a publisher that a cancellation or a failure precedes sends nothing", arguments: [true, false], [true, false])
  func refuses(cancels: Bool, behindEarlySubscription: Bool) {
    let outer = PassthroughSubject<Int, TestError>()
    let failing = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    var runs = 0
    outer.flatMap { (number: Int) -> Numbers in
      if number == 0 { return failing.eraseToAnyPublisher() }
      let child = Deferred { () -> Just<Int> in
        if cancels { recorder.cancel() } else { failing.send(completion: .failure(.oops)) }
        return Just(number)
      }
      .map { (value: Int) -> Int in
        runs += 1
        return value
      }
      .setFailureType(to: TestError.self).scan(0) { (_: Int, value: Int) -> Int in
        runs += 1
        return value
      }
      // `dropFirst` sends its own subscription first.
      return behindEarlySubscription ? child.dropFirst(0).eraseToAnyPublisher() : child.eraseToAnyPublisher()
    }.subscribe(recorder)
    outer.send(0)
    outer.send(1)
    #expect(runs == 0)
    #expect(recorder.events == (cancels ? [.subscription] : [.subscription, .failed(.oops)]))
  }

  @Test("an operator that needs no value cancels a publisher of one value before it sends")
  func needsNone() {
    var runs = 0
    let none = Deferred { Just(1) }.map { (value: Int) -> Int in
      runs += 1
      return value
    }.prefix(0)
    #expect(
      Just(0).map { (_: Int) in none }.switchToLatest().record(demanding: .unlimited).events == [
        .subscription, .finished,
      ])
    let subscription = none.sink { (_: Int) in }
    withExtendedLifetime(subscription) {}
    #expect(runs == 0)
  }

  @Test("a publisher of one value sends nothing if its closure has replaced it by a newer one")
  func isReplaced() {
    let outer = PassthroughSubject<Int, Never>()
    var runs = 0
    let recorder = outer.map { (number: Int) in
      Deferred { () -> Just<Int> in
        if number == 0 { outer.send(1) }
        return Just(number)
      }
      .map { (value: Int) -> Int in
        runs += 1
        return value
      }
    }.switchToLatest().record(demanding: .unlimited)
    outer.send(0)
    #expect(recorder.values == [1])
    #expect(runs == 1)
  }

  @Test("an operator that observes the end or requests observes the same as in front of any subscriber")
  func observes() {
    let outer = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    var seen: [String] = []
    outer.flatMap { (number: Int) in
      Deferred { Just(number) }.handleEvents(
        receiveOutput: { (value: Int) in
          seen.append("\(value)")
          if value == 2 { recorder.cancel() }
        },
        receiveCompletion: { (_: Subscribers.Completion<Never>) in seen.append("end") },
        receiveCancel: { seen.append("cancel") },
        receiveRequest: { (demand: Subscribers.Demand) in seen.append("\(demand)") })
    }.subscribe(recorder)
    outer.send(1)
    outer.send(2)
    #expect(seen == ["unlimited", "1", "end", "unlimited", "2", "cancel"])
    #expect(recorder.values == [1])
  }

  @Test("a publisher behind one of one value is requested what the downstream requests")
  func appends() {
    let outer = PassthroughSubject<Int, Never>()
    let following = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    outer.flatMap { (_: Int) in Deferred { Just(1) }.append(following).append(Just(3)) }.subscribe(recorder)
    outer.send(0)
    following.send(2)
    following.send(2)
    following.send(completion: .finished)
    #expect(recorder.values == [1, 2, 2, 3])
  }

  @Test("a cancellation between two publishers of one value")
  func cancels() {
    let outer = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    var runs = 0
    outer.flatMap { (_: Int) in
      Just(1).handleEvents(receiveOutput: { (_: Int) in recorder.cancel() }).append(
        Deferred { () -> Just<Int> in
          runs += 1
          return Just(2)
        })
    }.subscribe(recorder)
    outer.send(0)
    #expect(recorder.values == [])
    #expect(runs == 0)
  }

  @Test("an operator that sees the subscription sees the publisher's own")
  func seesSubscription() {
    var seen: [String] = []
    let subscription = PassthroughSubject<Int, Never>()
    let child = Deferred { Just(1) }.breakpoint(receiveSubscription: { (subscription: any Subscription) -> Bool in
      seen.append(String(describing: subscription))
      return false
    })
    let recorder = subscription.flatMap { (_: Int) in child }.record(demanding: .unlimited)
    subscription.send(0)
    #expect(seen == ["Just"])
    #expect(recorder.values == [1])
  }
}
