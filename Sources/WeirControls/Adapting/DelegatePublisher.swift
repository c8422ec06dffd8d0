public import Weir

/// A delegate whose calls are events: subclass it, let the subclass be the delegate, and send what it is told.
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
/// One delegate serves all subscribers. To leave the calls to the delegate that was there before, keep that at
/// ``install()`` and call it too.
///
/// - Demand: each subscriber's own, never exceeded; an event for which there is none at its moment is dropped.
/// - Completion and cancellation: ``install()`` runs for the first subscriber, ``remove()`` when the last has gone or
///   after ``finish()``; once each, in turns. Subscribers keep this object, so a weak reference of the delegating object
///   is enough. Who comes after the finish is finished at once.
/// - Threading: any thread. Events may come from several at once; one is delivered at a time. ``install()`` and
///   ``remove()`` never run at once.
open class DelegatePublisher<Event>: _DirectPublisher {
  /// What happens.
  public typealias Output = Event

  /// It can't fail.
  public typealias Failure = Never

  private struct State {
    var subscribers = 0
    var isInstalled = false

    /// Whether somebody is installing or removing: who comes meanwhile leaves the rest to them.
    var isBusy = false

    var isOver = false
  }

  private enum Step {
    case install, remove
  }

  private let state = Locked(State())
  private let subject = PassthroughSubject<Event, Never>(named: "DelegatePublisher")

  /// Makes a delegate that isn't installed.
  public init() {}

  /// Becomes the delegate: for a subclass to override.
  open func install() {}

  /// Is the delegate no more: for a subclass to override.
  open func remove() {}

  /// Sends an event to the subscribers that have demand.
  public final func send(_ event: Event) {
    subject.send(event)
  }

  /// Finishes: there will be no more events.
  public final func finish() {
    state.withLock { $0.isOver = true }
    subject.send(completion: .finished)
    settle()
  }

  /// Attaches a downstream, for which the delegate is installed if it is the first.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    state.withLock { $0.subscribers += 1 }
    subject.attach(downstream, named: "DelegatePublisher") { [self] in
      state.withLock { $0.subscribers -= 1 }
      settle()
    }
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
      let isWanted = state.subscribers > 0 && !state.isOver
      state.isBusy = isWanted != state.isInstalled
      guard state.isBusy else { return nil }
      state.isInstalled = isWanted
      return isWanted ? .install : .remove
    }
  }
}

extension DelegatePublisher where Event == Void {
  /// Sends an event that carries nothing.
  public final func send() {
    send(())
  }
}
