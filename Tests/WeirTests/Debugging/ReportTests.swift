import Synchronization
import Testing
import Weir

@testable import TestSupport

/// Hooks observe the whole program, so each test has its own process.
@Suite struct ReportTests {
  /// The reports since the last query.
  private static let reports = Mutex<[Tracing.Report]>([])

  private static func listen(_ tracing: Tracing = .off) {
    Weir.tracing = tracing
    Tracing.onReport = { (report: Tracing.Report) in
      userCode("a hook for reports")
      ReportTests.reports.withLock { $0.append(report) }
    }
  }

  private static func take() -> [Tracing.Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  /// The texts of the reports, without the line in the recorder at which it subscribes.
  private static func descriptions(_ reports: [Tracing.Report]) -> [String] {
    reports.map { $0.description.withoutRecorderPlace }
  }

  private static func messages() -> [String] { take().map(\.message) }

  /// A failure after its subscriber has cancelled is reported.
  private static func fails<P: Publisher>(_ operation: (ManualPublisher<Int, TestError>) -> P) {
    let source = ManualPublisher<Int, TestError>()
    operation(source).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    source.send(completion: .failure(.oops))
    #expect(ReportTests.messages() == ["A failure arrived after the termination: oops."])
  }

  // MARK: Dropped values

  @Test("reports a value that a subject's subscriber has not requested, with its path")
  func droppedBySubject() async {
    await #expect(processExitsWith: .success) { ReportTests.dropBySubject() }
  }

  // Not in the macro, whose expansion is a separate file.
  private static func dropBySubject() {
    ReportTests.listen(.assembly)
    let subject = PassthroughSubject<Int, Never>()
    let line = #line + 1
    let recorder = subject.map { (value: Int) in value + 1 }.record(demanding: .max(1))
    let content = subject.record(demanding: .unlimited)
    subject.send(1)
    #expect(ReportTests.take().isEmpty)
    subject.send(2)
    let reports = ReportTests.take()
    #expect(reports.map(\.kind) == [.droppedValue])
    #expect(
      ReportTests.descriptions(reports) == [
        """
        PassthroughSubject at Debugging/ReportTests.swift:\(line - 2) dropped a value that arrived without demand: 2.
            PassthroughSubject at Debugging/ReportTests.swift:\(line - 2): requested 1, received 1, waits for demand
            map at Debugging/ReportTests.swift:\(line): requested 1, received 1, waits for demand
            Recorder: requested 1, received 1, waits for demand
        """
      ])
    recorder.cancel()
    subject.send(3)
    #expect(ReportTests.take().isEmpty)
    withExtendedLifetime(content) {}
  }

  @Test("reports a value that doesn't fit a buffer, but not one that a current value replaces")
  func droppedByBuffer() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen(.subscriptions)
      let source = ManualPublisher<Int, Never>()
      let recorder = source.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).record()
      source.send(1)
      source.send(2)
      let reports = ReportTests.take()
      #expect(reports.map(\.message) == ["buffer dropped a value that arrived without demand: 1."])
      #expect(reports.first?.subscription?.path.map(\.name) == ["ManualPublisher", "buffer", "Recorder"])
      let current = CurrentValueSubject<Int, Never>(1)
      let other = current.record()
      current.send(2)
      #expect(ReportTests.take().isEmpty)
      withExtendedLifetime((recorder, other)) {}
    }
  }

  @Test(
    "reports another thread's value on arrival, if it is dropped while the subscriber receives a value"
  )
  func droppedBySecondThread() async {
    await #expect(processExitsWith: .success) { ReportTests.dropBySecondThread() }
  }

  private static func dropBySecondThread() {
    ReportTests.listen()
    let subject = PassthroughSubject<Int, Never>()
    let buffered = subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
    for (publisher, dropped) in [
      (subject.eraseToAnyPublisher(), ["1.", "2."]), (buffered.eraseToAnyPublisher(), ["2."]),
    ] {
      let recorder = publisher.record(demanding: .max(1))
      var messages: [String] = []
      recorder.onValue = { _ in
        onAnotherThread { for value in 1...2 { subject.send(value) } }
        messages = ReportTests.messages()
        return .none
      }
      subject.send(0)
      #expect(messages.map { $0.suffix(2) } == dropped.map { $0[...] })
      recorder.cancel()
    }
  }

  @Test("a hook reports dropped values without tracing; without either, none is reported")
  func droppedWithoutTracing() async {
    await #expect(processExitsWith: .success) {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = subject.record()
      subject.send(1)
      ReportTests.listen()
      #expect(Tracing.onReport != nil)
      subject.send(2)
      let reports = ReportTests.take()
      #expect(reports.map(\.description) == ["PassthroughSubject dropped a value that arrived without demand: 2."])
      #expect(reports.first?.subscription?.path.count == nil)
      Tracing.onReport = nil
      subject.send(3)
      #expect(ReportTests.take().isEmpty)
      withExtendedLifetime(recorder) {}
    }
  }

  // MARK: Failures

  @Test("reports a failure that reaches the subscriber, with its origin")
  func failure() async {
    await #expect(processExitsWith: .success) { ReportTests.fail() }
  }

  // Not in the macro, whose expansion is a separate file.
  private static func fail() {
    ReportTests.listen(.assembly)
    let source = ManualPublisher<Int, Never>()
    let line = #line + 1
    let recorder = source.tryMap { (value: Int) -> Int in throw TestError.oops }
      .filter { (value: Int) in value > 0 }
      .record(demanding: .unlimited)
    source.send(1)
    let reports = ReportTests.take()
    #expect(reports.map(\.kind) == [.failure])
    #expect(
      ReportTests.descriptions(reports) == [
        """
        tryMap at Debugging/ReportTests.swift:\(line) failed: oops.
            ManualPublisher: requested unlimited, received 1, was cancelled
            tryMap at Debugging/ReportTests.swift:\(line): requested unlimited, received 0, has failed
            filter at Debugging/ReportTests.swift:\(line + 1): requested unlimited, received 0, has failed
            Recorder: requested unlimited, received 0, has failed
        """
      ])
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(Subscriptions.live().isEmpty)
  }

  @Test("doesn't report a failure that an operator handles")
  func handledFailure() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen(.subscriptions)
      let recorder = Fail<Int, TestError>(error: .oops).replaceError(with: 1).record(demanding: .unlimited)
      #expect(recorder.events == [.subscription, .value(1), .finished])
      #expect(ReportTests.take().isEmpty)
    }
  }

  @Test("reports a failure after the completion once, by the first observer")
  func lateFailure() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen(.subscriptions)
      let source = ManualPublisher<Int, TestError>()
      let recorder = source.map { (value: Int) in value + 1 }.removeDuplicates().record(demanding: .unlimited)
      source.send(completion: .finished)
      source.send(completion: .failure(.oops))
      let reports = ReportTests.take()
      #expect(reports.map(\.kind) == [.lateFailure])
      #expect(reports.map(\.message) == ["ManualPublisher sent a failure after its termination: oops."])
      #expect(recorder.events == [.subscription, .finished])
      let cancelled = source.removeDuplicates().record()
      cancelled.cancel()
      source.send(completion: .failure(.other), to: 1)
      #expect(ReportTests.messages() == ["ManualPublisher sent a failure after its termination: other."])
    }
  }

  @Test("a hook reports late failures without tracing, from operators, sinks, subjects and futures")
  func lateFailureWithoutTracing() async {
    await #expect(processExitsWith: .success) {
      let message = "A failure arrived after the termination: oops."
      ReportTests.listen()
      ReportTests.fails { $0 }
      ReportTests.fails { $0.removeDuplicates() }
      ReportTests.fails { $0.handleEvents() }
      ReportTests.fails { $0.merge(with: Empty<Int, TestError>(completeImmediately: false)) }
      ReportTests.fails { $0.zip(Empty<Int, TestError>(completeImmediately: false)) }
      ReportTests.fails { $0.append(1) }
      ReportTests.fails { $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest) }
      ReportTests.fails { $0.map { (_: Int) in Just(1).setFailureType(to: TestError.self) }.switchToLatest() }
      let subject = PassthroughSubject<Int, TestError>()
      subject.send(completion: .finished)
      #expect(ReportTests.take().isEmpty)
      subject.send(completion: .failure(.oops))
      #expect(ReportTests.messages() == [message])
      let future = Future<Int, TestError> { promise in
        promise(.success(1))
        promise(.success(2))
        promise(.failure(.oops))
      }
      #expect(ReportTests.messages() == [message])
      withExtendedLifetime(future) {}
    }
  }

  // MARK: Violations

  @Test("reports each rule that a publisher breaks, once")
  func violations() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen(.subscriptions)
      let source = ManualPublisher<Int, Never>(subscribing: false)
      let recorder = source.map { (value: Int) in value + 1 }.record(demanding: .max(1))
      source.send(1)
      #expect(ReportTests.messages() == ["ManualPublisher sent a value before its subscription."])
      source.sendSubscription()
      #expect(ReportTests.take().isEmpty)
      source.sendSubscription()
      #expect(ReportTests.messages() == ["ManualPublisher sent a second subscription."])
      recorder.onSubscription = { _ in }
      source.send(1)
      source.send(2)
      #expect(ReportTests.take().map(\.kind).isEmpty)
      source.send(3)
      let reports = ReportTests.take()
      #expect(reports.map(\.kind) == [.violation])
      #expect(reports.map(\.message) == ["ManualPublisher sent a value beyond the demand of max(2)."])
      #expect(reports.first?.subscription?.path.map(\.name) == ["ManualPublisher", "map", "Recorder"])
      source.send(completion: .finished)
      #expect(ReportTests.take().isEmpty)
      source.send(4)
      source.send(completion: .finished)
      #expect(
        ReportTests.messages() == [
          "ManualPublisher sent a value after its completion.", "ManualPublisher sent a second completion.",
        ])
      let early = ManualPublisher<Int, Never>(subscribing: false)
      let other = early.record()
      early.send(completion: .finished)
      #expect(ReportTests.messages() == ["ManualPublisher sent a completion before its subscription."])
      withExtendedLifetime(other) {}
    }
  }

  @Test("what comes before the subscription is reported, whether an operator passes it on or drops it")
  func earlyEvents() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen()
      let manual = ManualPublisher<Int, TestError>(subscribing: false)
      let recorder = manual.prefix(2).record(demanding: .unlimited)
      for value in 1...3 { manual.send(value) }
      manual.send(completion: .failure(.oops))
      #expect(recorder.events == [.value(1), .value(2)])
      let value = "ManualPublisher sent a value before its subscription."
      #expect(
        ReportTests.messages() == [
          value, value, value, "ManualPublisher sent a completion before its subscription.",
          "A failure arrived after the termination: oops.",
        ])
    }
  }

  @Test("a hook reports broken rules without tracing", arguments: [Attachment.operation, .stateful, .sink])
  func violationsWithoutTracing(_ attachment: Attachment) async {
    await #expect(processExitsWith: .success) { [attachment] in
      ReportTests.listen()
      let source = ManualPublisher<Int, Never>(subscribing: false)
      let kept = attachment.attach(source)
      source.send(1)
      source.sendSubscription()
      source.sendSubscription()
      source.send(2)
      #expect(
        ReportTests.messages() == [
          "ManualPublisher sent a value before its subscription.", "ManualPublisher sent a second subscription.",
        ])
      let isBounded = attachment == .operation
      for value in 3...4 { source.send(value) }
      #expect(
        ReportTests.messages() == (isBounded ? ["ManualPublisher sent a value beyond the demand of max(2)."] : []))
      onAnotherThread { source.send(completion: .finished) }
      source.send(5)
      source.send(completion: .finished)
      #expect(
        ReportTests.messages() == [
          "ManualPublisher sent a value after its completion.", "ManualPublisher sent a second completion.",
        ])
      let early = ManualPublisher<Int, Never>(subscribing: false)
      let other = attachment.attach(early)
      early.send(completion: .finished)
      #expect(ReportTests.messages() == ["ManualPublisher sent a completion before its subscription."])
      withExtendedLifetime((kept, other)) {}
    }
  }

  /// The subscriber of a nonconforming publisher.
  enum Attachment: String, Codable, Sendable {
    /// A subscriber that requests two values.
    case operation
    case stateful, sink

    func attach(_ source: ManualPublisher<Int, Never>) -> Any {
      switch self {
      case .operation:
        let recorder = source.map { (value: Int) in value + 1 }.record()
        recorder.onSubscription = { [unowned recorder] in
          $0.request(.max(2))
          recorder.onSubscription = { _ in }
        }
        return recorder
      case .stateful: return source.scan(0) { (sum: Int, value: Int) in sum + value }.record(demanding: .unlimited)
      case .sink: return source.sink { (_: Int) in }
      }
    }
  }

  @Test("reports two concurrent threads, with the publisher or pipeline where it is known")
  func secondThread() async {
    await #expect(processExitsWith: .success) {
      let rule = "sent on two threads at the same time."
      ReportTests.listen()
      let source = ManualPublisher<Int, Never>()
      let sink = source.sink { (value: Int) in if value == 1 { onAnotherThread { source.send(2) } } }
      source.send(1)
      #expect(ReportTests.messages() == ["ManualPublisher \(rule)"])
      let own = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in },
        receiveValue: { (value: Int) in if value == 1 { onAnotherThread { source.send(2, to: 1) } } })
      source.subscribe(own)
      source.send(1, to: 1)
      #expect(ReportTests.messages() == ["A publisher \(rule)"])
      ReportTests.listen(.subscriptions)
      let traced = source.map { (value: Int) in value }
        .sink { (value: Int) in if value == 1 { onAnotherThread { source.send(2, to: 2) } } }
      source.send(1, to: 2)
      let reports = ReportTests.take()
      #expect(reports.map(\.message) == ["ManualPublisher \(rule)"])
      #expect(reports.first?.subscription?.path.map(\.name) == ["ManualPublisher", "map", "Sink"])
      withExtendedLifetime((sink, own, traced)) {}
    }
  }

  #if DEBUG
  @Test("a debug build writes the first violation of each kind to standard error")
  func writesFirstViolations() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for _ in 0..<2 {
          let source = ManualPublisher<Int, Never>()
          let sink = source.sink { (value: Int) in if value == 1 { onAnotherThread { source.send(2) } } }
          source.send(1)
          source.sendSubscription()
          source.send(completion: .finished)
          source.send(3)
          withExtendedLifetime(sink) {}
        }
      })
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("Weir: ") } == [
        "Weir: ManualPublisher sent on two threads at the same time.",
        "Weir: ManualPublisher sent a second subscription.", "Weir: ManualPublisher sent a value after its completion.",
      ])
  }
  #endif

  @Test("an event after a cancellation breaks no rule, because it may have been in flight")
  func afterCancel() async {
    await #expect(processExitsWith: .success) {
      ReportTests.listen(.subscriptions)
      let source = ManualPublisher<Int, Never>()
      let recorder = source.map { (value: Int) in value + 1 }.record()
      recorder.cancel()
      source.send(1)
      source.send(completion: .finished)
      #expect(ReportTests.take().isEmpty)
    }
  }

  // MARK: Other messages with locations

  @Test("writes reports to standard error without a hook")
  func writesToStandardError() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        Weir.tracing = .subscriptions
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.checkpoint("here", file: "A/B.swift", line: 3).record()
        subject.send(7)
        withExtendedLifetime(recorder) {}
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        Weir: PassthroughSubject dropped a value that arrived without demand: 7.
            PassthroughSubject: requested 0, received 0, waits for demand
            checkpoint "here" at A/B.swift:3: requested 0, received 0, waits for demand
            Recorder: requested 0, received 0, waits for demand
        """))
  }

  @Test("a forbidden failure names its pipeline")
  func assertNoFailureSaysWhere() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { ReportTests.failUnexpectedly() })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("oops\nThe pipeline, from its source:\n    ManualPublisher: "))
    #expect(text.contains("\n    map at Debugging/ReportTests.swift:\(#line + 6): "))
  }

  private static func failUnexpectedly() {
    Weir.tracing = .assembly
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) in value + 1 }.assertNoFailure().record()
    source.send(completion: .failure(.oops))
    withExtendedLifetime(recorder) {}
  }

  @Test("a closure that would run off its actor names its pipeline")
  func strayClosureSaysWhere() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { await ReportTests.stray() })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("\nThe pipeline, from its source:\n    PassthroughSubject at Debugging/ReportTests.swift:"))
  }

  private static func stray() async {
    Weir.tracing = .assembly
    let subject = PassthroughSubject<Int, Never>()
    let sink = await attach(to: subject)
    await Task.detached { subject.send(1) }.value
    withExtendedLifetime(sink) {}
  }

  @MainActor
  private static func attach(to subject: PassthroughSubject<Int, Never>) -> AnyCancellable {
    var sum = 0
    return subject.sink { (value: Int) in sum += value }
  }
}
