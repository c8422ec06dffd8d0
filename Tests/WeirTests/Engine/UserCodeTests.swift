import Testing

@testable import TestSupport
@testable import Weir

/// No lock of the library is held while a user's closure, comparison or `deinit` runs.
///
/// The subscribers, publishers, schedulers and tokens of all other tests check this too.
@Suite("user code runs under no lock")
struct UserCodeTests {
  typealias Source = AnyPublisher<UserValue, TestError>

  struct Operator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Source, Source, VirtualTimeScheduler) -> any Publisher

    init(_ name: String, _ make: @escaping @Sendable (Source, Source, VirtualTimeScheduler) -> any Publisher) {
      testDescription = name
      self.make = make
    }
  }

  private static func called<Value>(_ value: Value) -> Value {
    userCode("a closure")
    return value
  }

  private static func same(_ a: UserValue, _ b: UserValue) -> Bool { called(a == b) }
  private static func larger(_ a: UserValue, _ b: UserValue) -> UserValue { called(a < b ? b : a) }

  static let operators: [Operator] = [
    Operator("map") { a, _, _ in a.map { (v: UserValue) -> UserValue in called(UserValue(v.number)) } },
    Operator("tryMap") { a, _, _ in
      a.tryMap { (v: UserValue) throws -> UserValue in if v.number > 3 { throw TestError.other } else { called(v) } }
    },
    Operator("filter") { a, _, _ in a.filter { (v: UserValue) -> Bool in called(v.number > 1) } },
    Operator("scan") { a, _, _ in a.scan(UserValue(0), larger) },
    Operator("reduce") { a, _, _ in a.reduce(UserValue(0), larger) },
    Operator("max") { a, _, _ in a.max() },
    Operator("removeDuplicates") { a, _, _ in a.removeDuplicates() },
    Operator("contains") { a, _, _ in a.contains(UserValue(9)) },
    Operator("first(where:)") { a, _, _ in a.first { (v: UserValue) -> Bool in called(v.number > 2) } },
    Operator("drop(while:)") { a, _, _ in a.drop { (v: UserValue) -> Bool in called(v.number < 2) } },
    Operator("last") { a, _, _ in a.last() },
    Operator("collect") { a, _, _ in a.collect() },
    Operator("collect(2)") { a, _, _ in a.collect(2) },
    Operator("replaceError") { a, _, _ in a.replaceError(with: UserValue(8)) },
    Operator("replaceEmpty") { a, _, _ in a.replaceEmpty(with: UserValue(8)) },
    Operator("append") { a, b, _ in a.append(b) },
    Operator("prepend") { a, _, _ in a.prepend(UserValue(7), UserValue(8)) },
    Operator("catch") { a, b, _ in a.catch { (_: TestError) -> Source in called(b) } },
    Operator("tryCatch") { a, b, _ in a.tryCatch { (_: TestError) throws -> Source in called(b) } },
    Operator("retry") { a, _, _ in a.retry(2) },
    Operator("merge") { a, b, _ in a.merge(with: b) },
    Operator("zip") { a, b, _ in a.zip(b) { (a: UserValue, b: UserValue) -> UserValue in larger(a, b) } },
    Operator("combineLatest") { a, b, _ in
      a.combineLatest(b) { (a: UserValue, b: UserValue) -> UserValue in larger(a, b) }
    },
    Operator("flatMap") { a, b, _ in a.flatMap { (_: UserValue) -> Source in called(b) } },
    Operator("flatMap, one at a time") { a, b, _ in
      a.flatMap(maxPublishers: .max(1)) { (_: UserValue) -> Source in called(b) }
    },
    Operator("switchToLatest") { a, b, _ in a.map { (_: UserValue) -> Source in called(b) }.switchToLatest() },
    Operator("prefix(untilOutputFrom:)") { a, b, _ in a.prefix(untilOutputFrom: b) },
    Operator("drop(untilOutputFrom:)") { a, b, _ in a.drop(untilOutputFrom: b) },
    Operator("buffer, oldest dropped") { a, _, _ in a.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) },
    Operator("buffer, error") { a, _, _ in
      a.buffer(size: 1, prefetch: .keepFull, whenFull: .customError { called(TestError.oops) })
    },
    Operator("receive(on:)") { a, _, scheduler in a.receive(on: scheduler) },
    Operator("subscribe(on:)") { a, _, scheduler in a.subscribe(on: scheduler) },
    Operator("delay") { a, _, scheduler in a.delay(for: 5, scheduler: scheduler) },
    Operator("debounce") { a, _, scheduler in a.debounce(for: 5, scheduler: scheduler) },
    Operator("throttle") { a, _, scheduler in a.throttle(for: 5, scheduler: scheduler, latest: true) },
    Operator("timeout") { a, _, scheduler in
      a.timeout(50, scheduler: scheduler, customError: { called(TestError.oops) })
    },
    Operator("collect, by time") { a, _, scheduler in a.collect(.byTimeOrCount(scheduler, 5, 2)) },
    Operator("measureInterval") { a, _, scheduler in a.measureInterval(using: scheduler) },
    Operator("handleEvents") { a, _, _ in
      a.handleEvents(
        receiveSubscription: { (_: any Subscription) -> Void in called(()) },
        receiveOutput: { (_: UserValue) -> Void in called(()) },
        receiveCompletion: { (_: Subscribers.Completion<TestError>) -> Void in called(()) },
        receiveCancel: { () -> Void in called(()) },
        receiveRequest: { (_: Subscribers.Demand) -> Void in called(()) })
    },
    Operator("share") { a, _, _ in a.share() },
    Operator("multicast, autoconnect") { a, _, _ in
      a.multicast { () -> PassthroughSubject<UserValue, TestError> in called(PassthroughSubject()) }.autoconnect()
    },
    Operator("deferred") { a, _, _ in Deferred { () -> Source in called(a) } },
  ]

  enum Course: CaseIterable {
    case finish, failure, cancel, drop, cancelInside, patience
  }

  @Test("closures, comparisons and deinits", arguments: operators, Course.allCases)
  func closures(_ operation: Operator, _ course: Course) {
    let (a, b) = (PassthroughSubject<UserValue, TestError>(), CurrentValueSubject<UserValue, TestError>(UserValue(5)))
    let scheduler = VirtualTimeScheduler()
    run(operation.make(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), scheduler), course, a, b, scheduler)
  }

  private func run<P: Publisher>(
    _ publisher: P, _ course: Course, _ a: PassthroughSubject<UserValue, TestError>,
    _ b: CurrentValueSubject<UserValue, TestError>, _ scheduler: VirtualTimeScheduler
  ) {
    let token = Token()
    var count = 0
    let subscription = Box<(any Subscription)?>(nil)
    publisher.subscribe(
      AnySubscriber<P.Output, P.Failure>(
        receiveSubscription: { (new: any Subscription) -> Void in
          userCode("receive(subscription:)")
          subscription.value = new
          new.request(course == .patience ? .max(1) : .unlimited)
        },
        receiveValue: { [token] (_: P.Output) -> Subscribers.Demand in
          userCode("receive(_:)")
          count += 1
          if course == .cancelInside { subscription.value?.cancel() }
          return withExtendedLifetime(token) { .none }
        },
        receiveCompletion: { (_: Subscribers.Completion<P.Failure>) -> Void in userCode("receive(completion:)") }))
    scheduler.advance(by: 1)
    for number in 1...4 {
      a.send(UserValue(number))
      b.send(UserValue(number))
      scheduler.advance(by: 3)
    }
    scheduler.advance(by: 6)
    switch course {
    case .finish:
      a.send(completion: .finished)
      b.send(completion: .finished)
    case .failure: a.send(completion: .failure(.oops))
    case .cancel, .cancelInside: subscription.value?.cancel()
    case .patience:
      subscription.value?.request(.max(1))
      a.send(UserValue(6))
      subscription.value?.cancel()
    case .drop: break
    }
    subscription.value = nil
    scheduler.advance(by: 100)
  }

  #if WEIR_HELD_LOCKS
  @Test("detects a held lock")
  func seen() {
    let locked = Locked(0)
    #expect(HeldLocks.count == 0)
    locked.withLock { _ in #expect(HeldLocks.count == 1) }
    #expect(HeldLocks.count == 0)
    withKnownIssue { locked.withLock { _ in userCode("a test") } }
  }
  #endif
}
