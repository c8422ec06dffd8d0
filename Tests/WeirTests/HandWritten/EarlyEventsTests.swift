import Testing
import Weir

@testable import TestSupport

@Suite("a publisher that sends before its subscription")
struct EarlyEventsTests {
  /// An operator, and what comes of 1, 2, 3 and the end without a subscription, and of the subscription after that.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: [Event<Int>]
    let late: [Event<Int>]
    let make: @Sendable (AnyPublisher<Int, TestError>) -> AnyPublisher<Int, TestError>

    init(
      _ name: String, _ expected: [Event<Int>], late: [Event<Int>] = [.subscription],
      _ make: @escaping @Sendable (AnyPublisher<Int, TestError>) -> any Publisher<Int, TestError>
    ) {
      testDescription = name
      self.expected = expected
      self.late = late
      self.make = { erased(make($0)) }
    }
  }

  static let values: [Event<Int>] = [.value(1), .value(2), .value(3)]

  static let cases = [
    Case("drop(untilOutputFrom:)", values) { $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self)) },
    Case("merge", [.subscription] + values + [.finished], late: []) { $0.merge(with: Empty()) },
    Case("flatMap", [.subscription] + values + [.finished], late: []) { upstream in
      Just(0).setFailureType(to: TestError.self).flatMap { _ in upstream }
    },
    Case("switchToLatest", [.subscription] + values + [.finished], late: []) { upstream in
      Just(upstream).setFailureType(to: TestError.self).switchToLatest()
    },
    Case("scan", values + [.finished]) { $0.scan(0) { $1 } },
    // Combine stops the program for these.
    Case("removeDuplicates", []) { $0.removeDuplicates() },
    Case("catch", []) { $0.catch { _ in Empty() } },
    Case("count", []) { $0.count() },
  ]

  @Test("is passed on as far as Combine does", arguments: cases)
  func early(_ testCase: Case) {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = testCase.make(manual.eraseToAnyPublisher()).record(demanding: .unlimited)
    for value in 1...3 { manual.send(value) }
    manual.send(completion: .finished)
    #expect(recorder.events == testCase.expected)
    manual.sendSubscription()
    #expect(recorder.events == testCase.expected + testCase.late)
  }
}

private func erased(_ publisher: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
  publisher.eraseToAnyPublisher()
}
