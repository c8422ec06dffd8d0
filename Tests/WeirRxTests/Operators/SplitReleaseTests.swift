import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("groupBy and window after termination")
struct SplitReleaseTests {
  enum Operator: CaseIterable {
    case groupBy, windowByCount, windowByTime
  }

  /// The subscriber's action on each group or window.
  enum Use: CaseIterable {
    case dropped, kept, subscribed, cancelled
  }

  enum End: CaseIterable {
    case finish, failure, cancel
  }

  /// The time of the termination.
  enum Moment: CaseIterable {
    case inSubscription, beforeDemand, beforeValues, inValue, afterValues
  }

  struct Case: CustomTestStringConvertible {
    let work: Operator, use: Use, end: End, moment: Moment
    var testDescription: String { "\(work), parts \(use), \(end) \(moment)" }

    static let all = Operator.allCases.flatMap { work in
      Use.allCases.flatMap { use in
        End.allCases.flatMap { end in
          // An upstream has no subscriber to complete before the operator has its subscription.
          Moment.allCases.filter { $0 != .inSubscription || end == .cancel }
            .map { Case(work: work, use: use, end: end, moment: $0) }
        }
      }
    }
  }

  typealias Parts = AnyPublisher<AnyPublisher<Int, TestError>, TestError>

  /// A subscriber that retains no object after its termination.
  final class Splitting: Subscriber {
    typealias Input = AnyPublisher<Int, TestError>
    typealias Failure = TestError

    let use: Use
    let demand: Subscribers.Demand
    var subscription: (any Subscription)?
    var onSubscription: () -> Void = {}
    var onPart: () -> Void = {}
    private var parts: [Input] = []
    private var uses: [AnyCancellable] = []

    init(_ use: Use, demanding demand: Subscribers.Demand) {
      self.use = use
      self.demand = demand
    }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      onSubscription()
      if demand > .none { subscription.request(demand) }
    }

    func receive(_ part: Input) -> Subscribers.Demand {
      switch use {
      case .dropped: break
      case .kept: parts.append(part)
      case .subscribed: uses.append(part.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      case .cancelled: part.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
      }
      onPart()
      return .none
    }

    func receive(completion: Subscribers.Completion<TestError>) {
      subscription = nil
    }

    func cancel() {
      subscription.take()?.cancel()
    }
  }

  func parts(of source: ManualPublisher<Int, TestError>, _ work: Operator, on scheduler: VirtualTimeScheduler) -> Parts
  {
    switch work {
    case .groupBy: source.groupBy { $0 % 2 }.map { AnyPublisher($0) }.eraseToAnyPublisher()
    case .windowByCount: source.window(count: 2, skip: 1).eraseToAnyPublisher()
    case .windowByTime: source.window(time: 10, scheduler: scheduler).eraseToAnyPublisher()
    }
  }

  @Test("release all their parts, and the user's scheduler", arguments: Case.all)
  func releases(_ test: Case) {
    weak var subscription: AnyObject?
    weak var upstream: ManualSubscription?
    weak var scheduler: VirtualTimeScheduler?
    do {
      let time = VirtualTimeScheduler()
      let source = ManualPublisher<Int, TestError>()
      let subscriber = Splitting(test.use, demanding: test.moment == .beforeDemand ? .none : .unlimited)
      func end() {
        subscription = subscriber.subscription as AnyObject?
        switch test.end {
        case .finish: source.send(completion: .finished)
        case .failure: source.send(completion: .failure(.oops))
        case .cancel: subscriber.cancel()
        }
      }
      if test.moment == .inSubscription { subscriber.onSubscription = end }
      if test.moment == .inValue { subscriber.onPart = end }
      parts(of: source, test.work, on: time).subscribe(subscriber)
      (upstream, scheduler) = (source.subscriptions.first, time)
      if test.moment == .inValue || test.moment == .afterValues {
        for value in 1...4 where !source.subscribers.isEmpty {
          source.send(value)
          time.advance(by: 4)
        }
      }
      if test.moment != .inSubscription, test.moment != .inValue { end() }
      time.advance(by: 1000)
      // Delivered groups and windows continue after a cancellation, until their subscribers terminate them.
      subscriber.onPart = {}
      subscriber.onSubscription = {}
      subscriber.cancel()
    }
    #expect(subscription == nil)
    #expect(upstream == nil)
    #expect(scheduler == nil)
  }

  @Test("retain the scheduler no longer than their subscription")
  func scheduler() {
    weak var scheduler: VirtualTimeScheduler?
    let subject = PassthroughSubject<Int, TestError>()
    do {
      let time = VirtualTimeScheduler()
      scheduler = time
      let cancellable = subject.window(time: 10, scheduler: time).flatMap { $0 }
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      subject.send(1)
      cancellable.cancel()
    }
    #expect(scheduler == nil)
    subject.send(2)
  }
}
