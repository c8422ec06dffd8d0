import Testing
import Weir

@testable import TestSupport

/// An operator that is put to the trial, and what the program does with it.
struct TrialOperator: CustomTestStringConvertible, Sendable {
  /// What the subscriber does.
  enum Mode: String, CaseIterable, Sendable {
    /// It requests everything.
    case all
    /// It requests one value, and returns one more with each.
    case one
    /// It requests everything, and cancels inside each delivery.
    case cancels
  }

  typealias Run = @Sendable (TrialPublisher, Mode, TrialLog) -> AnyObject

  let testDescription: String

  /// Attaches a subscriber; the result keeps the pipeline.
  let run: Run

  init<P: Publisher & SendableMetatype>(_ name: String, _ make: @escaping @Sendable (TrialPublisher) -> P) {
    self.init(name) { publisher, mode, log in
      let subscriber = TrialSubscriber<P.Output, P.Failure>(mode, log)
      let pipeline = make(publisher)
      pipeline.subscribe(subscriber)
      return Box((pipeline, subscriber))
    }
  }

  init(_ name: String, run: @escaping Run) {
    testDescription = name
    self.run = run
  }

  static let all = mapping + selecting + reducing + combining + sharing + timing + ends

  private static let some = Just(0).setFailureType(to: TestError.self)
  private static let nothing = Empty<Int, TestError>()
  private static let never = Empty<Int, TestError>(completeImmediately: false)

  private static let mapping = [
    TrialOperator("no operator") { $0 },
    TrialOperator("eraseToAnyPublisher") { $0.eraseToAnyPublisher() },
    TrialOperator("map") { $0.map { $0 * 2 } },
    TrialOperator("map to a key path") { $0.map(\.description) },
    TrialOperator("tryMap") { $0.tryMap { $0 * 2 } },
    TrialOperator("tryMap that throws") { $0.tryMap { if $0 == 2 { throw TestError.other } else { $0 } } },
    TrialOperator("compactMap") { $0.compactMap { $0 == 2 ? nil : $0 } },
    TrialOperator("tryCompactMap") { $0.tryCompactMap { $0 == 2 ? nil : $0 } },
    TrialOperator("mapError") { $0.mapError { _ in TestError.other } },
    TrialOperator("replaceNil") { $0.map { $0 == 2 ? nil : $0 }.replaceNil(with: 0) },
    TrialOperator("replaceEmpty") { $0.replaceEmpty(with: 0) },
    TrialOperator("filter, replaceEmpty") { $0.filter { $0 > 5 }.replaceEmpty(with: 0) },
    TrialOperator("replaceError") { $0.replaceError(with: 0) },
    TrialOperator("setFailureType") { $0.replaceError(with: 0).setFailureType(to: TestError.self) },
    TrialOperator("scan") { $0.scan(0) { $0 + $1 } },
    TrialOperator("tryScan") { $0.tryScan(0) { $0 + $1 } },
    TrialOperator("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
    TrialOperator("print") { $0.print("", to: Nowhere()) },
    TrialOperator("breakpoint") { $0.breakpoint(receiveOutput: { _ in false }) },
    TrialOperator("encode") { $0.encode(encoder: Unchanged()) },
    TrialOperator("decode") { $0.decode(type: Int.self, decoder: Unchanged()) },
    TrialOperator("measureInterval") { $0.measureInterval(using: ImmediateScheduler.shared).map { _ in 0 } },
  ]

  private static let selecting = [
    TrialOperator("filter") { $0.filter { $0 != 2 } },
    TrialOperator("tryFilter") { $0.tryFilter { $0 != 2 } },
    TrialOperator("removeDuplicates") { $0.removeDuplicates() },
    TrialOperator("tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 == $1 } },
    TrialOperator("prefix(2)") { $0.prefix(2) },
    TrialOperator("prefix(0)") { $0.prefix(0) },
    TrialOperator("prefix(while:)") { $0.prefix { $0 < 2 } },
    TrialOperator("tryPrefix(while:)") { $0.tryPrefix { $0 < 2 } },
    TrialOperator("dropFirst") { $0.dropFirst() },
    TrialOperator("drop(while:)") { $0.drop { $0 < 2 } },
    TrialOperator("tryDrop(while:)") { $0.tryDrop { $0 < 2 } },
    TrialOperator("output(at:)") { $0.output(at: 1) },
    TrialOperator("output(in:)") { $0.output(in: 1...2) },
    TrialOperator("first") { $0.first() },
    TrialOperator("first(where:)") { $0.first { $0 == 2 } },
    TrialOperator("tryFirst(where:)") { $0.tryFirst { $0 == 2 } },
    TrialOperator("last") { $0.last() },
    TrialOperator("last(where:)") { $0.last { $0 < 3 } },
    TrialOperator("tryLast(where:)") { $0.tryLast { $0 < 3 } },
    TrialOperator("ignoreOutput") { $0.ignoreOutput() },
  ]

  private static let reducing = [
    TrialOperator("count") { $0.count() },
    TrialOperator("max") { $0.max() },
    TrialOperator("tryMax") { $0.tryMax { $0 < $1 } },
    TrialOperator("contains") { $0.contains(2) },
    TrialOperator("contains(where:)") { $0.contains { $0 == 2 } },
    TrialOperator("tryContains(where:)") { $0.tryContains { $0 == 2 } },
    TrialOperator("allSatisfy") { $0.allSatisfy { $0 < 2 } },
    TrialOperator("tryAllSatisfy") { $0.tryAllSatisfy { $0 < 2 } },
    TrialOperator("reduce") { $0.reduce(0) { $0 + $1 } },
    TrialOperator("tryReduce") { $0.tryReduce(0) { $0 + $1 } },
    TrialOperator("collect") { $0.collect() },
    TrialOperator("collect(2)") { $0.collect(2) },
    TrialOperator("buffer, kept full") { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) },
    TrialOperator("buffer, by request") { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest) },
  ]

  private static let combining = [
    TrialOperator("append") { $0.append(7) },
    TrialOperator("prepend") { $0.prepend(7) },
    TrialOperator("append it") { some.append($0) },
    TrialOperator("catch") { $0.catch { _ in nothing } },
    TrialOperator("catch to it") { publisher in Fail<Int, TestError>(error: .oops).catch { _ in publisher } },
    TrialOperator("tryCatch") { $0.tryCatch { _ in nothing } },
    TrialOperator("retry") { $0.retry(1) },
    TrialOperator("flatMap") { $0.flatMap { Just($0).setFailureType(to: TestError.self) } },
    TrialOperator("flatMap to it") { publisher in some.flatMap { _ in publisher } },
    TrialOperator("flatMap to it, one at a time") { publisher in
      [0, 0].publisher.setFailureType(to: TestError.self).flatMap(maxPublishers: .max(1)) { _ in publisher }
    },
    TrialOperator("switchToLatest") { $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest() },
    TrialOperator("switchToLatest of it") { Just($0).setFailureType(to: TestError.self).switchToLatest() },
    TrialOperator("merge") { $0.merge(with: nothing) },
    TrialOperator("combineLatest") { $0.combineLatest(some) },
    TrialOperator("zip") { $0.zip((1...9).publisher.setFailureType(to: TestError.self)) },
    TrialOperator("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: never) },
    TrialOperator("prefix(untilOutputFrom: it)") { never.prefix(untilOutputFrom: $0) },
    TrialOperator("drop(untilOutputFrom:)") { $0.drop(untilOutputFrom: some) },
    TrialOperator("drop(untilOutputFrom: it)") { never.drop(untilOutputFrom: $0) },
  ]

  private static let sharing = [
    TrialOperator("share") { $0.share() },
    TrialOperator("multicast, autoconnect") { $0.multicast { PassthroughSubject() }.autoconnect() },
    TrialOperator("makeConnectable, autoconnect") { $0.replaceError(with: 0).makeConnectable().autoconnect() },
  ]

  private static let timing = [
    TrialOperator("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    TrialOperator("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    TrialOperator("delay") { $0.delay(for: 0, scheduler: ImmediateScheduler.shared) },
    TrialOperator("debounce") { $0.debounce(for: 0, scheduler: ImmediateScheduler.shared) },
    TrialOperator("throttle") { $0.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true) },
    TrialOperator("collect by time or count") { $0.collect(.byTimeOrCount(ImmediateScheduler.shared, 0, 2)) },
  ]

  private static let ends = [
    TrialOperator("sink") { publisher, mode, log in
      let cancellable = Box<AnyCancellable?>(nil)
      cancellable.value = publisher.sink(
        receiveCompletion: { (completion: Subscribers.Completion<TestError>) in log.add(completion) },
        receiveValue: { [unowned cancellable] (value: Int) in
          log.add(value)
          if mode == .cancels { cancellable.value?.cancel() }
        })
      return cancellable
    },
    TrialOperator("assign") { publisher, _, log in
      Box(publisher.replaceError(with: 0).assign(to: \.value, on: TrialTarget(log)))
    },
    TrialOperator("subscribe a subject") { publisher, mode, log in
      let subject = PassthroughSubject<Int, TestError>()
      subject.subscribe(TrialSubscriber<Int, TestError>(mode, log))
      return Box((subject, publisher.subscribe(subject)))
    },
  ]
}

/// A subscriber that writes down what it receives.
private final class TrialSubscriber<Input, Failure: Error>: Subscriber {
  private let mode: TrialOperator.Mode
  private let log: TrialLog
  private var subscription: (any Subscription)?

  init(_ mode: TrialOperator.Mode, _ log: TrialLog) {
    self.mode = mode
    self.log = log
  }

  func receive(subscription: any Subscription) {
    log.add("S")
    if self.subscription != nil { return }
    self.subscription = subscription
    subscription.request(mode == .one ? .max(1) : .unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    log.add(input)
    if mode == .cancels { subscription?.cancel() }
    return mode == .one ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { log.add(completion) }
}

private final class TrialTarget {
  private let log: TrialLog

  var value: Int {
    get { 0 }
    set { log.add(newValue) }
  }

  init(_ log: TrialLog) {
    self.log = log
  }
}
