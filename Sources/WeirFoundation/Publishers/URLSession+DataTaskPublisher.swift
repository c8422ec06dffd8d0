#if !WEIR_BARE
public import Foundation
public import Weir

// Code that is written for Combine doesn't import the module that contains `URLSession` on some platforms.
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif

extension URLSession {
  /// A publisher of the response to a request for a URL.
  ///
  /// - Demand: the task starts at the first request for values.
  /// - Completion and cancellation: sends one value and finishes, or fails. Cancellation cancels the task.
  /// - Threading: the response is delivered on the session's delegate queue.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// A publisher of the response to a request.
  ///
  /// - Demand: the task starts at the first request for values.
  /// - Completion and cancellation: sends one value and finishes, or fails. Cancellation cancels the task.
  /// - Threading: the response is delivered on the session's delegate queue.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// A publisher of the response to a request, which it makes for each subscriber.
  ///
  /// A response with any status is a value: check its `response`. A failure means that there is no complete response.
  ///
  /// Foundation's own sessions on Linux, as of Swift 6.3, may stop the program when a task is cancelled, “a task that
  /// in not in the registry”, if the session has a cache. If you cancel pipelines there, create the session with a
  /// configuration whose `urlCache` is `nil`.
  public struct DataTaskPublisher: _DirectPublisher {
    /// The loaded data, and the server's response.
    public typealias Output = (data: Data, response: URLResponse)

    /// The reason for the missing response.
    public typealias Failure = URLError

    /// The request that is sent.
    public let request: URLRequest

    /// The session that sends the request.
    public let session: URLSession

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates a publisher; the session's method is the usual way to create it.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: consuming Downstream<Output, URLError>) {
      let subject = PassthroughSubject<Output, URLError>()
      subject.attach(downstream.replacingSubscription { DataTaskSubscription(self, to: subject, member: $0) })
    }
  }
}

// Safety: its state is behind the lock, and any thread may use a subject and its subscriptions.
// (`DataTaskPublisherTests`)
/// One subscriber's data task.
private final class DataTaskSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  typealias Subject = PassthroughSubject<URLSession.DataTaskPublisher.Output, URLError>

  private enum State {
    /// No values have been requested.
    case idle(URLSession.DataTaskPublisher)
    /// The first request is creating and starting the task.
    case starting
    /// The task is running, unless its owner has suspended it.
    case running(URLSessionDataTask)
    /// Completed, failed or cancelled.
    case terminated
  }

  private let state: Locked<State>
  private let subject: Subject
  private let member: any Subscription

  init(_ publisher: URLSession.DataTaskPublisher, to subject: Subject, member: any Subscription) {
    state = Locked(.idle(publisher))
    self.subject = subject
    self.member = member
  }

  deinit {
    // Released before the first request: no event can follow, so the subscriber need not be retained.
    member.cancel()
  }

  var description: String { "DataTaskPublisher" }

  var customMirror: Mirror {
    var task: URLSessionDataTask?
    var parent: URLSession.DataTaskPublisher?
    switch state.withLock({ $0 }) {
    case .idle(let publisher): parent = publisher
    case .running(let running): task = running
    case .starting, .terminated: break
    }
    let member = Mirror(reflecting: member)
    return Mirror(
      self,
      children: [
        "task": task as Any, "downstream": member.descendant("downstream") as Any,
        "parent": parent as Any,
        "demand": member.descendant("demand") ?? Subscribers.Demand.none,
      ])
  }

  var playgroundDescription: Any { description }

  func request(_ demand: Subscribers.Demand) {
    member.request(demand)
    let before = state.withLock { state in
      defer { if case .idle = state { state = .starting } }
      return state
    }
    switch before {
    case .idle(let publisher): start(publisher)
    case .running(let task):
      // Resumes a task that its owner has suspended. Foundation for Linux would load again if a running task were
      // resumed.
      if task.state == .suspended { task.resume() }
    case .starting, .terminated: break
    }
  }

  private func start(_ publisher: URLSession.DataTaskPublisher) {
    let task = publisher.session.dataTask(with: publisher.request) { data, response, error in
      self.end(data, response, error)
    }
    task.resume()
    let isTerminated = state.withLock { state in
      guard case .starting = state else { return true }
      state = .running(task)
      return false
    }
    if isTerminated { task.cancel() }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    let before = state.withLock { state in
      defer { state = .terminated }
      return state
    }
    withExtendedLifetime(before) {}  // Releases the task outside the lock.
    if let response, error == nil {
      subject.send((data ?? Data(), response))
      subject.send(completion: .finished)
    } else {
      subject.send(completion: .failure(error as? URLError ?? URLError(.unknown)))
    }
  }

  func cancel() {
    member.cancel()
    let before = state.withLock { state in
      defer { state = .terminated }
      return state
    }
    if case .running(let task) = before { task.cancel() }
  }
}

extension URLSession.DataTaskPublisher: AssemblyTraced {}
#endif
