public import Weir

/// Records whether a branch of a pipeline was subscribed to, requested, and cancelled.
///
///     let fallback = PublisherProbe(Just("cached"))
///     request.catch { _ in fallback.publisher }.subscribe(subscriber)
///     try fallback.checkNotSubscribed()
///
/// - Threading: any thread may read it.
public final class PublisherProbe<Output, Failure: Error>: Sendable {
  private struct Counts {
    var subscriptions = 0
    var requests: [Subscribers.Demand] = []
    var values = 0
    var completions = 0
    var cancels = 0
  }

  private let counts = Shared(Counts())
  private let upstream: @Sendable () -> AnyPublisher<Output, Failure>

  /// Wraps a publisher.
  public init(_ upstream: some Publisher<Output, Failure>) {
    // Safety: it is only returned to callers of `publisher`, which may be attached to on any thread.
    // (`PublisherProbeTests`)
    nonisolated(unsafe) let upstream = upstream.eraseToAnyPublisher()
    self.upstream = { upstream }
  }

  /// Creates a probe whose publisher finishes immediately.
  public convenience init() {
    self.init(Empty(completeImmediately: true))
  }

  /// The wrapped publisher, which records events; put it into the pipeline.
  public var publisher: AnyPublisher<Output, Failure> {
    let counts = counts
    return upstream().handleEvents(
      receiveSubscription: { _ in counts.withLock { $0.subscriptions += 1 } },
      receiveOutput: { _ in counts.withLock { $0.values += 1 } },
      receiveCompletion: { _ in counts.withLock { $0.completions += 1 } },
      receiveCancel: { counts.withLock { $0.cancels += 1 } },
      receiveRequest: { demand in counts.withLock { $0.requests.append(demand) } }
    ).eraseToAnyPublisher()
  }

  /// The number of subscriptions.
  public var subscriptionCount: Int { counts.withLock { $0.subscriptions } }

  /// The demands, requested or returned, in order.
  public var requests: [Subscribers.Demand] { counts.withLock { $0.requests } }

  /// The number of delivered values.
  public var valueCount: Int { counts.withLock { $0.values } }

  /// The number of completed subscriptions.
  public var completionCount: Int { counts.withLock { $0.completions } }

  /// The number of cancellations.
  public var cancelCount: Int { counts.withLock { $0.cancels } }

  // MARK: Checks

  /// Throws if the publisher has no subscription, or if the number of subscriptions is not `times`.
  public func checkSubscribed(times: Int? = nil, fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("subscribed to", subscriptionCount, times: times, fileID: fileID, line: line)
  }

  /// Throws if the publisher has a subscription.
  public func checkNotSubscribed(fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("subscribed to", subscriptionCount, times: 0, fileID: fileID, line: line)
  }

  /// Throws if no values were requested.
  public func checkRequested(fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("sent a request", requests.count, times: nil, fileID: fileID, line: line)
  }

  /// Throws if values were requested.
  public func checkNotRequested(fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("sent a request", requests.count, times: 0, fileID: fileID, line: line)
  }

  /// Throws if there was no cancellation, or if the number of cancellations is not `times`.
  public func checkCancelled(times: Int? = nil, fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("cancelled", cancelCount, times: times, fileID: fileID, line: line)
  }

  /// Throws if there was a cancellation.
  public func checkNotCancelled(fileID: StaticString = #fileID, line: UInt = #line) throws {
    try check("cancelled", cancelCount, times: 0, fileID: fileID, line: line)
  }

  private func check(_ event: String, _ count: Int, times: Int?, fileID: StaticString, line: UInt) throws {
    if times.map({ $0 == count }) ?? (count > 0) { return }
    let expected = times.map { $0 == 0 ? "not be \(event)" : "be \(event) \(inTimes($0))" } ?? "be \(event)"
    throw TestFailure(
      "The publisher should \(expected), but \(count == 0 ? "was not" : "it happened \(inTimes(count))").",
      fileID: fileID, line: line)
  }

  private func inTimes(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
