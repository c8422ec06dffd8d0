import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("window")
struct WindowTests {
  typealias Window = AnyPublisher<Int, TestError>

  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  /// Collects windows, and requests unlimited demand from each.
  final class Windows {
    var recorders: [Recorder<Int, TestError>] = []
    var subscription: (any Subscription)?
    var completion: Subscribers.Completion<TestError>?

    var values: [[Int]] { recorders.map(\.values) }

    init<P: Publisher>(
      of publisher: P, demanding demand: Subscribers.Demand, each: Subscribers.Demand = .unlimited
    ) where P.Output == Window, P.Failure == TestError {
      publisher.subscribe(
        AnySubscriber<Window, TestError>(
          receiveSubscription: { [unowned self] in
            subscription = $0
            $0.request(demand)
          },
          receiveValue: { [unowned self] in
            recorders.append($0.record(demanding: each))
            return .none
          },
          receiveCompletion: { [unowned self] in completion = $0 }))
    }
  }

  @Test("conforms to the operator contract", arguments: [(2, 2), (3, 1), (1, 3)])
  func rules(_ size: (count: Int, skip: Int)) {
    checkCommonRules(named: "Window") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .window(count: size.count, skip: size.skip).map { _ in 0 }
    }
  }

  @Test("windows that are read one after the other don't block the operator", arguments: [(2, 2), (3, 1), (1, 3)])
  func oneByOne(_ size: (count: Int, skip: Int)) {
    let arrays = (0..<10).lazy.publisher.window(count: size.count, skip: size.skip)
      .flatMap(maxPublishers: .max(1)) { (window: AnyPublisher<Int, Never>) in window.collect() }
    let expected = stride(from: 0, to: 10, by: size.skip).map { Array($0..<min(10, $0 + size.count)) }
    #expect(arrays.record(demanding: .unlimited).values == expected)
    #expect(arrays.record(demanding: .max(1), returning: .max(1)).values == expected)
  }

  @Test("a window's values follow the subscription, also if the subscriber requests during it")
  func announcesFirst() {
    var events: [String] = []
    var windows: [AnyPublisher<Int, TestError>] = []
    source.window(count: 3).subscribe(
      AnySubscriber(
        receiveSubscription: { $0.request(.unlimited) },
        receiveValue: { window in
          windows.append(window)
          return .none
        }))
    source.send(1)
    source.send(2)
    windows[0].subscribe(
      AnySubscriber(
        receiveSubscription: { subscription in
          events.append("subscription")
          subscription.request(.max(1))
          subscription.request(.max(2))
          events.append("taken")
        },
        receiveValue: { value in
          events.append("\(value)")
          return .none
        },
        receiveCompletion: { _ in events.append("end") }))
    #expect(events == ["subscription", "taken", "1", "2"])
    source.send(3)
    #expect(events == ["subscription", "taken", "1", "2", "3", "end"])
  }

  @Test("a cancellation in the first window requests no more values from the upstream")
  func cancelsInside() {
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    source.window(time: .seconds(1), scheduler: scheduler).map { (_: Window) -> Int in 0 }.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(0)])
    #expect(source.events == [.cancelled])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("releases the subscribers of windows at completion and at cancellation", arguments: Ending.allCases)
  func releases(_ ending: Ending) {
    let subject = PassthroughSubject<Int, TestError>()
    let kept = Box<(any Subscription)?>(nil)
    let isReleased = isReleased { token in
      let recorder = subject.window(time: .seconds(1), scheduler: scheduler).flatMap { (window: Window) in window }
        .map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.record(demanding: .unlimited)
      kept.value = recorder.subscription
      ending.happen(to: subject, recorder)
      #expect(recorder.values == [1])
    }
    #expect(isReleased)
    #expect(scheduler.pendingCount == 0)
    withExtendedLifetime((subject, kept)) {}
  }

  @Test("releases its own objects after a cancellation, while the upstream continues")
  func cancelReleases() {
    let subject = PassthroughSubject<Int, TestError>()
    weak var remains: AnyObject?
    do {
      let windows = Windows(of: subject.window(time: .seconds(1), scheduler: scheduler), demanding: .none)
      remains = windows.subscription as AnyObject?
      #expect(remains != nil)
      windows.subscription.take()?.cancel()
    }
    #expect(remains == nil)
    withExtendedLifetime(subject) {}
  }

  @Test("a timer that is pending after a cancellation doesn't retain its scheduler")
  func pendingTimer() {
    weak var remains: BatchScheduler?
    do {
      let scheduler = BatchScheduler()
      remains = scheduler
      let windows = Windows(of: source.window(time: 1, scheduler: scheduler), demanding: .unlimited)
      windows.subscription.take()?.cancel()
      for recorder in windows.recorders { recorder.cancel() }
    }
    #expect(remains == nil)
  }

  @Test("sends the count of values to each window, and requests as many as the requested windows hold")
  func counts() {
    let windows = Windows(of: source.window(count: 2), demanding: .max(2))
    #expect(source.events == [.requested(.max(4))])
    for value in 1...3 { source.send(value) }
    #expect(windows.values == [[1, 2], [3]])
    #expect(windows.recorders.map(\.isFinished) == [true, false])
    source.send(4)
    windows.subscription?.request(.max(1))
    #expect(source.events == [.requested(.max(4)), .requested(.max(2))])
    source.send(5)
    source.send(completion: .finished)
    #expect(windows.values == [[1, 2], [3, 4], [5]])
    #expect(windows.recorders.map(\.isFinished) == [true, true, true])
    #expect(windows.completion == .finished)
  }

  @Test("windows overlap, or skip values", arguments: [(3, 1), (3, 2), (2, 3), (1, 4), (4, 4)])
  func skips(_ size: (count: Int, skip: Int)) {
    let numbers = (0..<10).lazy.publisher.setFailureType(to: TestError.self)
    let windows = Windows(of: numbers.window(count: size.count, skip: size.skip), demanding: .unlimited)
    let expected = stride(from: 0, to: 10, by: size.skip).map { Array($0..<min(10, $0 + size.count)) }
    #expect(windows.values == expected)
    #expect(windows.completion == .finished)
  }

  @Test("requests values for the last window too, and buffers a window that starts meanwhile")
  func overlapDemand() {
    let windows = Windows(of: source.window(count: 3, skip: 1), demanding: .max(2))
    #expect(source.events == [.requested(.max(4))])
    for value in 1...4 { source.send(value) }
    #expect(windows.values == [[1, 2, 3], [2, 3, 4]])
    windows.subscription?.request(.max(1))
    #expect(source.events == [.requested(.max(4)), .requested(.max(1))])
    #expect(windows.values == [[1, 2, 3], [2, 3, 4], [3, 4]])
    source.send(5)
    #expect(windows.values.last == [3, 4, 5])
  }

  @Test("a window buffers its values until they are requested")
  func windowDemand() {
    let windows = Windows(of: source.window(count: 2), demanding: .unlimited, each: .none)
    for value in 1...4 { source.send(value) }
    #expect(windows.values == [[], []])
    windows.recorders[1].request(.max(1))
    windows.recorders[0].request(.max(2))
    #expect(windows.recorders[0].events == [.subscription, .value(1), .value(2), .finished])
    #expect(windows.recorders[1].events == [.subscription, .value(3)])
  }

  @Test("after a cancellation, delivered windows continue to their end, and then the source is cancelled")
  func cancels() {
    let windows = Windows(of: source.window(count: 3), demanding: .unlimited)
    source.send(1)
    windows.subscription?.cancel()
    source.send(2)
    #expect(!source.isCancelledOnce)
    source.send(3)
    #expect(windows.recorders[0].events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(source.isCancelledOnce)
    #expect(windows.completion == nil)
  }

  @Test("the first window is complete although no other is requested")
  func first() {
    let numbers = (0..<10).lazy.publisher
    let recorder = numbers.window(count: 3).first().flatMap { (window: AnyPublisher<Int, Never>) in window }
      .record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2), .finished])
  }

  @Test("a failure reaches the open window")
  func fails() {
    let windows = Windows(of: source.window(count: 3), demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(windows.recorders[0].events == [.subscription, .value(1), .failed(.oops)])
    #expect(windows.completion == .failure(.oops))
  }

  @Test("count and skip must be positive")
  func badCount() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).window(count: 0) }
    await #expect(processExitsWith: .failure) { _ = Just(1).window(count: 1, skip: 0) }
  }

  // MARK: Time

  @Test("sends a window for each time interval")
  func times() {
    let windows = Windows(of: source.window(time: .seconds(1), scheduler: scheduler), demanding: .unlimited)
    #expect(source.events == [.requested(.unlimited)])
    #expect(windows.recorders.count == 1)
    source.send(1)
    source.send(2)
    scheduler.advance(by: .seconds(1))
    scheduler.advance(by: .seconds(1))
    source.send(3)
    #expect(windows.values == [[1, 2], [], [3]])
    #expect(windows.recorders.map(\.isFinished) == [true, true, false])
    source.send(completion: .finished)
    #expect(windows.recorders[2].isFinished)
    #expect(windows.completion == .finished)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("a window that was not requested stays open until it is")
  func timesWithoutDemand() {
    let windows = Windows(of: source.window(time: .seconds(1), scheduler: scheduler), demanding: .max(1))
    source.send(1)
    scheduler.advance(by: .seconds(1))
    source.send(2)
    scheduler.advance(by: .seconds(1))
    source.send(3)
    #expect(windows.values == [[1]])
    windows.subscription?.request(.max(1))
    #expect(windows.values == [[1], [2, 3]])
    scheduler.advance(by: .seconds(1))
    #expect(windows.recorders[1].isFinished)
  }

  @Test("after a cancellation, a delivered window continues to its end, and the timer stops")
  func timeCancelled() {
    let windows = Windows(of: source.window(time: .seconds(1), scheduler: scheduler), demanding: .unlimited)
    windows.subscription?.cancel()
    source.send(1)
    scheduler.advance(by: .seconds(1))
    #expect(windows.recorders[0].events == [.subscription, .value(1), .finished])
    #expect(source.isCancelledOnce)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("a window's buffer is bounded by the strategy")
  func timeBuffer() {
    let windows = Windows(
      of: source.window(time: .seconds(1), scheduler: scheduler, buffering: .latest), demanding: .unlimited, each: .none
    )
    for value in 1...3 { source.send(value) }
    windows.recorders[0].request(.unlimited)
    #expect(windows.values == [[3]])
  }
}
