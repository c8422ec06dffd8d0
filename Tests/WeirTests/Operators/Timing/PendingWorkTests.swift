import Testing
import Weir

@testable import TestSupport

/// Work that is pending on a scheduler retains its operator, which retains the scheduler until termination.
@Suite("Work that is pending on a scheduler")
struct PendingWorkTests {
  fileprivate typealias Source = PassthroughSubject<Int, TestError>

  /// The operators that schedule work.
  enum Operator: CaseIterable {
    case receive, receiveOnce, delay, debounce, throttle, timeout, collectByTime, subscribe

    fileprivate func make(_ source: Source, _ scheduler: BatchScheduler) -> AnyPublisher<Int, TestError> {
      switch self {
      case .receive: AnyPublisher(source.receive(on: scheduler))
      case .receiveOnce: AnyPublisher(source.receive(on: scheduler, hops: .oneForAll))
      case .delay: AnyPublisher(source.delay(for: 1, scheduler: scheduler))
      case .debounce: AnyPublisher(source.debounce(for: 1, scheduler: scheduler))
      case .throttle: AnyPublisher(source.throttle(for: 1, scheduler: scheduler, latest: true))
      case .timeout: AnyPublisher(source.timeout(1, scheduler: scheduler))
      case .collectByTime: AnyPublisher(source.collect(.byTime(scheduler, 1)).map(\.count))
      case .subscribe: AnyPublisher(source.subscribe(on: scheduler))
      }
    }
  }

  @Test("doesn't retain a scheduler that is released after a cancellation", arguments: Operator.allCases)
  func cancel(_ tested: Operator) {
    weak var remains: BatchScheduler?
    do {
      let (source, scheduler) = (Source(), BatchScheduler())
      remains = scheduler
      let recorder = tested.make(source, scheduler).record()
      // The subscription itself may be scheduled work.
      scheduler.runInReverse()
      recorder.request(.unlimited)
      source.send(1)
      recorder.cancel()
      if tested == .subscribe { scheduler.runInReverse() }
    }
    #expect(remains == nil)
  }

  @Test("doesn't retain the scheduler of subscribe(on:) that is released after a completion")
  func completion() {
    weak var remains: BatchScheduler?
    do {
      let (source, scheduler) = (Source(), BatchScheduler())
      remains = scheduler
      let recorder = source.subscribe(on: scheduler).record()
      scheduler.runInReverse()
      recorder.request(.unlimited)
      source.send(completion: .finished)
      #expect(recorder.isFinished)
    }
    #expect(remains == nil)
  }
}
