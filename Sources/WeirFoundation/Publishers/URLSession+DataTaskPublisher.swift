public import Foundation
public import Weir

// Code that is written for Combine doesn't import the module in which `URLSession` is on some platforms.
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif

extension URLSession {
  /// The answer to a request for a URL as a publisher.
  ///
  /// - Demand: nothing is loaded before the first request for values.
  /// - Completion and cancellation: sends one value and finishes, or fails. A cancel stops the task.
  /// - Threading: the answer comes on the session's delegate queue.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// The answer to a request as a publisher.
  ///
  /// - Demand: nothing is loaded before the first request for values.
  /// - Completion and cancellation: sends one value and finishes, or fails. A cancel stops the task.
  /// - Threading: the answer comes on the session's delegate queue.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// A publisher of the answer to a request, which is made anew for each subscriber.
  ///
  /// An answer of any status is a value: look at its `response`. A failure says that there was no whole answer.
  ///
  /// Foundation's own sessions on Linux, as of Swift 6.3, may stop the program when a task is cancelled, “a task that in not
  /// in the registry”, if the session has a cache. Where pipelines are cancelled there, make the session of a configuration
  /// whose `urlCache` is `nil`.
  public struct DataTaskPublisher: _DirectPublisher {
    /// What was loaded, and what the server said about it.
    public typealias Output = (data: Data, response: URLResponse)

    /// Why there is no answer.
    public typealias Failure = URLError

    /// What is asked for.
    public let request: URLRequest

    /// Who asks.
    public let session: URLSession

    @usableFromInline
    package let place = Place()

    /// Makes a publisher; the session's method is the usual way.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Output, URLError>) {
      let subject = PassthroughSubject<Output, URLError>()
      subject.attach(downstream.replacingSubscription { DataTaskSubscription(self, to: subject, member: $0) })
    }
  }
}

// Safety: its state is behind the lock, and any thread may use a subject and its subscriptions. (`DataTaskPublisherTests`)
/// One subscriber's data task.
private final class DataTaskSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  typealias Subject = PassthroughSubject<URLSession.DataTaskPublisher.Output, URLError>

  private enum State {
    /// Nobody has asked yet.
    case idle(URLSession.DataTaskPublisher)
    /// Somebody has asked, and makes the task and lets it run.
    case starting
    /// The task runs, unless its owner has suspended it.
    case running(URLSessionDataTask)
    /// Answered, failed or cancelled.
    case over
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
    // Let go of before anybody has asked: nothing will come, so the subscriber needn't be kept.
    member.cancel()
  }

  var description: String { "DataTaskPublisher" }

  var customMirror: Mirror {
    var task: URLSessionDataTask?
    var parent: URLSession.DataTaskPublisher?
    switch state.withLock({ $0 }) {
    case .idle(let publisher): parent = publisher
    case .running(let running): task = running
    case .starting, .over: break
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
      // One that its owner has suspended goes on. Foundation for Linux would load anew if it were told so of a running one.
      if task.state == .suspended { task.resume() }
    case .starting, .over: break
    }
  }

  private func start(_ publisher: URLSession.DataTaskPublisher) {
    let task = publisher.session.dataTask(with: publisher.request) { data, response, error in
      self.end(data, response, error)
    }
    task.resume()
    let isOver = state.withLock { state in
      guard case .starting = state else { return true }
      state = .running(task)
      return false
    }
    if isOver { task.cancel() }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    withExtendedLifetime(before) {}  // The task is let go of without the lock.
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
      defer { state = .over }
      return state
    }
    if case .running(let task) = before { task.cancel() }
  }
}

extension URLSession.DataTaskPublisher: Assembled {}
