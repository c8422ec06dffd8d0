import Testing
import Weir

@testable import TestSupport

/// What an operator without a state of its own delivers when its closure has ended the subscription.
@Suite("closures that cancel or complete")
struct ConcludingTests {
  /// An operator, with a closure that calls the one given.
  enum Operator: CaseIterable {
    case map, compactMap, mapKeyPath, mapKeyPaths2, mapKeyPaths3, scan, mapOfFilter

    func publisher(of upstream: some Publisher<Number, TestError>) -> AnyPublisher<Int, TestError> {
      switch self {
      case .map: upstream.map { $0.run() }.eraseToAnyPublisher()
      case .compactMap: upstream.compactMap { Optional($0.run()) }.eraseToAnyPublisher()
      case .mapKeyPath: upstream.map(\.running).eraseToAnyPublisher()
      case .mapKeyPaths2: upstream.map(\.running, \.number).map { $0.0 }.eraseToAnyPublisher()
      case .mapKeyPaths3: upstream.map(\.number, \.running, \.number).map { $0.0 }.eraseToAnyPublisher()
      case .scan: upstream.scan(0) { _, number in number.run() }.eraseToAnyPublisher()
      case .mapOfFilter: upstream.filter { $0.run() > 0 }.map { $0.number }.eraseToAnyPublisher()
      }
    }
  }

  final class Number {
    let number: Int
    var onRun: () -> Void = {}

    init(_ number: Int) { self.number = number }

    func run() -> Int {
      onRun()
      return number
    }

    var running: Int { run() }
  }

  /// Where the subscription ends: in the closure.
  enum End: CaseIterable {
    case cancel, finish, failure
  }

  @Test("nothing follows the end", arguments: Operator.allCases, End.allCases)
  func isSilent(_ work: Operator, _ end: End) {
    let subject = PassthroughSubject<Number, TestError>()
    let recorder = work.publisher(of: subject).record(demanding: .unlimited)
    subject.send(Number(1))
    let last = Number(2)
    last.onRun = {
      switch end {
      case .cancel: recorder.cancel()
      case .finish: subject.send(completion: .finished)
      case .failure: subject.send(completion: .failure(.oops))
      }
    }
    subject.send(last)
    subject.send(Number(3))
    let events: [Event<Int>] =
      switch end {
      case .cancel: []
      case .finish: [.finished]
      case .failure: [.failed(.oops)]
      }
    // `scan` has a state of its own, so what comes while that changes waits until the value is delivered.
    let before: [Event<Int>] = work == .scan && end != .cancel ? [.value(2)] : []
    #expect(recorder.events == [.subscription, .value(1)] + before + events)
  }

  @Test("no failure follows a cancel by the closure that maps it")
  func mapError() {
    let subject = PassthroughSubject<Int, TestError>()
    var cancel: () -> Void = {}
    let recorder = subject.mapError { error -> TestError in
      cancel()
      return error
    }.record(demanding: .unlimited)
    cancel = { recorder.cancel() }
    subject.send(1)
    subject.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("a predicate that cancels lets nothing through")
  func filter() {
    let subject = PassthroughSubject<Int, TestError>()
    var cancel: () -> Void = {}
    let recorder = subject.filter { number in
      if number == 2 { cancel() }
      return true
    }.record(demanding: .unlimited)
    cancel = { recorder.cancel() }
    subject.send(1)
    subject.send(2)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("an operator without a closure lets nothing through after a cancel by the closure before it")
  func operatorWithoutClosure() {
    let subject = PassthroughSubject<Int, Never>()
    var cancel: () -> Void = {}
    let recorder = subject.map { number in
      if number == 2 { cancel() }
      return number
    }.setFailureType(to: TestError.self).record(demanding: .unlimited)
    cancel = { recorder.cancel() }
    subject.send(1)
    subject.send(2)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("a breakpoint's closure that cancels lets nothing through")
  func breakpoint() {
    let subject = PassthroughSubject<Int, TestError>()
    var cancel: () -> Void = {}
    let recorder = subject.breakpoint(receiveOutput: { number in
      if number == 2 { cancel() }
      return false
    }).record(demanding: .unlimited)
    cancel = { recorder.cancel() }
    subject.send(1)
    subject.send(2)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("requests, cancels and names pass, and nothing is left of a publisher that is released without a completion")
  func isTransparent() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { $0 + 1 }.record(demanding: .max(2))
    #expect(recorder.subscription.map { String(describing: $0) } == "Manual")
    #expect(source.send(1) == .none)
    recorder.request(.max(1))
    recorder.cancel()
    recorder.cancel()
    #expect(source.events == [.requested(.max(2)), .requested(.max(1)), .cancelled, .cancelled])
    #expect(
      isReleased { token in
        let forgetful = ManualPublisher<Int, TestError>()
        forgetful.map { _ in ObjectIdentifier(token) }.receive(
          subscriber: AnySubscriber<ObjectIdentifier, TestError>(
            receiveSubscription: { $0.request(.unlimited) },
            receiveValue: { [token] _ in withExtendedLifetime(token) { .none } }))
        forgetful.send(1)
      })
  }
}
