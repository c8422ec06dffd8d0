public import Weir

/// A delegate that publishes its calls: subclass it, install the subclass as the delegate, and send events.
///
///     callback    -1-2-3-|
///     demand      2
///     Delegate()  -1-2---|
///     later       ----^3-|
///
///     final class ElementNames: DelegatePublisher<String>, XMLParserDelegate {
///       let parser: XMLParser
///       init(of parser: XMLParser) { self.parser = parser }
///
///       override func install() { parser.delegate = self }
///       override func remove() { parser.delegate = nil }
///
///       func parser(_ parser: XMLParser, didStartElement name: String, …) { send(name) }
///       func parserDidEndDocument(_ parser: XMLParser) { finish() }
///     }
///
/// One delegate serves all subscribers. To forward the calls to the previous delegate, store that in ``install()`` and
/// call it too.
///
/// - Demand: each subscriber's own, never exceeded. An event that arrives without demand is dropped.
/// - Completion and cancellation: ``install()`` runs for the first subscriber. ``remove()`` runs after the last
///   subscriber has cancelled, or after ``finish()``. The two alternate. Subscribers retain this object, so the
///   delegating object may hold it weakly. A subscriber that attaches after ``finish()`` completes immediately.
/// - Threading: any thread. Several threads may send concurrently; delivery is serialized. ``install()`` and
///   ``remove()`` never run concurrently.
open class DelegatePublisher<Event>: _DirectPublisher {
  /// The type of an event.
  public typealias Output = Event

  /// It can't fail.
  public typealias Failure = Never

  private struct State {
    var subscribers = 0
    var isInstalled = false

    /// True while a thread installs or removes the delegate.
    ///
    /// Other threads leave pending changes to that thread.
    var isBusy = false

    var isTerminated = false
  }

  private enum Step {
    case install, remove
  }

  private let state = Locked(State())
  private let subject = PassthroughSubject<Event, Never>(named: "DelegatePublisher")

  /// Creates a delegate that isn't installed.
  public init() {}

  /// Installs this object as the delegate.
  ///
  /// Subclasses override this method.
  open func install() {}

  /// Uninstalls this object as the delegate.
  ///
  /// Subclasses override this method.
  open func remove() {}

  /// Sends an event to the subscribers that have demand.
  public final func send(_ event: Event) {
    subject.send(event)
  }

  /// Finishes.
  ///
  /// No more events can follow.
  public final func finish() {
    state.withLock { $0.isTerminated = true }
    subject.send(completion: .finished)
    settle()
  }

  /// Attaches a downstream, and installs the delegate for the first one.
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    state.withLock { $0.subscribers += 1 }
    subject.attach(
      downstream.member(named: "DelegatePublisher", isToConnect: false) { [self] in
        state.withLock { $0.subscribers -= 1 }
        settle()
      })
    settle()
  }

  private func settle() {
    var last: Step?
    while let step = nextStep(after: last) {
      switch step {
      case .install: install()
      case .remove: remove()
      }
      last = step
    }
  }

  private func nextStep(after last: Step?) -> Step? {
    state.withLock { state in
      if last == nil, state.isBusy { return nil }
      let isWanted = state.subscribers > 0 && !state.isTerminated
      state.isBusy = isWanted != state.isInstalled
      guard state.isBusy else { return nil }
      state.isInstalled = isWanted
      return isWanted ? .install : .remove
    }
  }
}

extension DelegatePublisher where Event == Void {
  /// Sends an event without a value.
  public final func send() {
    send(())
  }
}
