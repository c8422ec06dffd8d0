import Testing

@testable import TestSupport
@testable import Weir

@Suite("StatefulSubscriber")
struct StatefulSubscriberTests {
  /// Handles each input as the input says.
  struct Commanded: StatefulOperator {
    enum Input {
      case emit(Int), skip, emitAndFinish(Int), finish, fail
    }

    typealias UpstreamFailure = TestError
    typealias Failure = TestError
    typealias Output = Int

    static var name: StaticString { "Commanded" }

    var policy = OperatorSubscription.Policy.forward
    var isTerminated = false
    var last: Int?

    mutating func next(_ input: Input) -> OperatorResult<Int, TestError> {
      switch input {
      case .emit(let value): .emit(value)
      case .skip: .skip
      case .emitAndFinish(let value): .emitAndFinish(value)
      case .finish: .finish
      case .fail: .fail(.other)
      }
    }

    mutating func end(_ completion: Subscribers.Completion<TestError>) -> OperatorCompletion<Int, TestError> {
      if case .finished = completion, let last { return .emit(last) }
      return .complete(completion)
    }
  }

  let upstream = ManualSubscription()
  let recorder = Recorder<Int, TestError>()

  func driver(_ work: Commanded = Commanded()) -> StatefulSubscriber<Commanded> {
    let driver = StatefulSubscriber(work, downstream: Downstream(recorder))
    driver.receive(subscription: upstream)
    return driver
  }

  @Test("forwards demand, and returns the demand that each input leaves")
  func forwards() {
    let driver = driver()
    recorder.onValue = { _ in .max(3) }
    recorder.request(.max(2))
    #expect(driver.receive(.emit(1)) == .max(3))
    #expect(driver.receive(.skip) == .max(1))
    #expect(upstream.events == [.requested(.max(2))])
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("ignores requests and cancellations by the upstream before its subscription")
  func earlyUpstream() {
    let driver = StatefulSubscriber(Commanded(), downstream: Downstream(recorder))
    driver.request(.max(1))
    driver.cancel()
    driver.receive(subscription: upstream)
    #expect(upstream.events == [])
    #expect(recorder.events == [.subscription])
    recorder.request(.max(2))
    driver.cancel()
    #expect(upstream.events == [.requested(.max(2)), .cancelled])
  }

  @Test("cancels the upstream before a last value, and finishes after it")
  func emitsAndFinishes() {
    let driver = driver()
    recorder.onValue = { [upstream] _ in
      #expect(upstream.events == [.requested(.max(1)), .cancelled])
      return .max(1)
    }
    recorder.request(.max(1))
    #expect(driver.receive(.emitAndFinish(1)) == .none)
    #expect(driver.receive(.emit(2)) == .none)
    driver.receive(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("sends no completion if the subscriber cancels in the last value")
  func cancelsAtTheLast() {
    let driver = driver()
    recorder.onValue = { [recorder] _ in
      recorder.cancel()
      return .none
    }
    recorder.request(.max(1))
    _ = driver.receive(.emitAndFinish(1))
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(upstream.events == [.requested(.max(1)), .cancelled])
  }

  @Test("cancels the upstream when the operation finishes or fails", arguments: [true, false])
  func ends(finishing: Bool) {
    let driver = driver()
    #expect(driver.receive(finishing ? .finish : .fail) == .none)
    #expect(recorder.events == [.subscription, finishing ? .finished : .failed(.other)])
    #expect(upstream.events == [.cancelled])
  }

  @Test("buffers a value of the upstream's completion until there is demand")
  func parks() {
    let driver = driver(Commanded(last: 7))
    driver.receive(completion: .finished)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(7), .finished])
    #expect(upstream.events == [])
  }

  @Test("subtracts delivered values from the requested and returned demand")
  func counts() {
    let driver = driver(Commanded(last: 7))
    recorder.onValue = { value in value == 1 ? .max(1) : .none }
    recorder.request(.max(1))
    _ = driver.receive(.emit(1))
    _ = driver.receive(.emit(2))
    driver.receive(completion: .finished)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(7), .finished])
  }

  @Test("requests unlimited demand for a single result, without replacements for skipped values")
  func unlimited() {
    let driver = driver(Commanded(policy: .unlimited))
    #expect(upstream.events == [.requested(.unlimited)])
    #expect(driver.receive(.skip) == .none)
    _ = driver.receive(.emitAndFinish(1))
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(upstream.events == [.requested(.unlimited), .cancelled])
  }

  @Test("requests the values that it keeps together with the first demand")
  func forwardsAfter() {
    recorder.onSubscription = { $0.request(.max(2)) }
    _ = driver(Commanded(policy: .forwardAfter(3)))
    recorder.request(.max(1))
    #expect(upstream.events == [.requested(.max(5)), .requested(.max(1))])
  }

  @Test("terminates immediately if no value can follow")
  func terminates() {
    _ = driver(Commanded(isTerminated: true))
    #expect(recorder.events == [.subscription, .finished])
    #expect(upstream.events == [.cancelled])
  }
}
