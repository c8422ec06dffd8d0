public import Weir

/// A subject that replays its last values to new and slow subscribers.
///
///     send                                      -1-2-3-    4   -|
///     demand                                    1------    ∞
///     ReplaySubject<Int, Never>(bufferSize: 2)  -1-----    (34)-|
///     later                                     ------(^23)4   -|
///
/// - Demand: each subscriber's own. A subscriber receives the stored values first and then new ones, in the order in
///   which they were sent. The subject records the position of a subscriber without demand. Such a subscriber misses no
///   value while it is at most `bufferSize` values behind. Further behind, it misses the oldest.
/// - Completion and cancellation: the completion, also a failure, follows the stored values, so it is pending for a
///   subscriber that has not requested all of them. A later subscriber receives the stored values and then the
///   completion.
/// - Threading: see `Subject`. A re-entrant value reaches each subscriber after the values that were sent before it. Of
///   the values that other threads send during a delivery, the subject keeps as many as are requested, and the last
///   `bufferSize` besides.
public final class ReplaySubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a subject that replays the last `bufferSize` values.
  ///
  /// - Parameter bufferSize: The number of stored values, not negative. By default, all are stored.
  @inlinable
  public convenience init(bufferSize: Int = .max) {
    self.init(bufferSize: bufferSize, named: "ReplaySubject")
  }

  @inlinable
  init(bufferSize: Int, named name: StaticString) {
    if bufferSize < 0 { fatalError("\(name) requires a bufferSize of 0 or more, not \(bufferSize).") }
    hub = Multicaster(name, keeping: bufferSize)
  }

  /// Attaches a downstream, which receives the kept values as it requests them.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    hub.attach(downstream, of: self)
  }

  /// Stores the value and sends it to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Completes the subject.
  ///
  /// Later events are ignored.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  /// Retains an upstream's subscription and requests unlimited demand.
  public func send(subscription: any Subscription) {
    hub.askUpstreams()
    hub.receive(upstream: subscription)
  }
}

// Safety: only the owner of the gate accesses the hub. Another thread may deliver a value, so `Output` must be
// `Sendable`. (`ReplaySubjectTests`)
extension ReplaySubject: @unchecked Sendable where Output: Sendable {}
