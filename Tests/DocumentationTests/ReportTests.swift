import Foundation
import Testing
import Weir
import WeirTesting

/// The reports that pages show are those of the mistakes that they name.
@Suite("The reports of the documentation")
struct ReportTests {
  static let folder = "Sources/WeirTesting/WeirTesting.docc"

  @Test("tell of a value that is filtered out without another request")
  func forgottenRequest() throws {
    let report = OperatorVerification(.passesSubscriptionOn) { Every(upstream: $0, count: 2) }.run()
    try expect(report, on: "\(Self.folder)/WritingYourOwn.md")
  }

  @Test("tell of a sum that re-entry overtakes")
  func reentry() throws {
    let report = OperatorVerification(values: VerificationValue.upTo(100), .passesSubscriptionOn) {
      Summing(upstream: $0)
    }.run()
    try expect(report, on: "\(Self.folder)/WritingYourOwn.md")
  }

  @Test("tell of a value without demand")
  func withoutDemand() throws {
    let misbehaving = TestPublisher<Int, Never>(misbehaving: .moreThanAsked)
    let subscriber = TestSubscriber<Int, Never>(demanding: .max(1))
    misbehaving.subscribe(subscriber)
    misbehaving.send(1)
    misbehaving.send(2)
    let failure = try #require(throws: TestFailure.self) { try subscriber.checkContract() }
    // The page breaks the line of the comment.
    let page = try text(of: "\(Self.folder)/WeirTesting.md").replacing("\n  // ", with: " ")
    let line = failure.description.prefix { $0 != "\n" }.replacing(#/^\S*: /#, with: "")
    let isShown = page.contains(line)
    #expect(isShown, "\(line)")
  }

  /// Expects that a block of the page is part of the report of a failure.
  private func expect(_ report: VerificationReport, on page: String) throws {
    let failure = try #require(throws: TestFailure.self) { try report.check() }
    let blocks = try text(of: page).components(separatedBy: "\n```\n").map { $0.trimmingCharacters(in: .newlines) }
    let isShown = blocks.contains { $0.contains("✗") && failure.description.contains($0) }
    #expect(isShown, "no block of \(page) is in\n\(failure)")
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: Article.root.appending(path: path), encoding: .utf8)
  }
}

/// The page's operator with `.none` instead of `.max(1)`.
private struct Every<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    var position = 0
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: subscriber.receive(subscription:),
        receiveValue: { [count] value in
          position = (position + 1) % count
          return position == 0 ? subscriber.receive(value) : .none
        },
        receiveCompletion: subscriber.receive(completion:)))
  }
}

/// Reads the sum before it runs user code, and stores it behind that.
private struct Summing<Upstream: Publisher<VerificationValue, UpstreamFailure>>: Publisher {
  typealias Output = VerificationValue
  typealias Failure = UpstreamFailure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    var sum: VerificationValue = 0
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: subscriber.receive(subscription:),
        receiveValue: { value in
          let before = sum
          UserCode.runs("the addition")
          sum = before + value
          return subscriber.receive(sum)
        },
        receiveCompletion: subscriber.receive(completion:)))
  }
}
