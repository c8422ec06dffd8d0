public import Weir

/// A subject that keeps its last values for those who come later or can't keep up.
///
///     send                                      -1-2-3-    4   -|
///     demand                                    1------    ∞
///     ReplaySubject<Int, Never>(bufferSize: 2)  -1-----    (34)-|
///     later                                     ------(^23)4   -|
///
/// - Demand: each subscriber's own. It first gets the values that are kept, then what is sent, each in the order in which
///   it was sent. Without demand it keeps its place: it misses nothing as long as it is no more than `bufferSize` values
///   behind, and of more the oldest.
/// - Completion and cancellation: the completion, a failure too, follows the values that are kept, so it waits for who has
///   not asked for all of them. A later subscriber gets the values that are kept and then the completion.
/// - Threading: see `Subject`. A value sent from inside a delivery reaches each subscriber after those sent before it. Of the values
///   that other threads send during a delivery, the subject keeps as many as are requested, and the last `bufferSize` besides.
public final class ReplaySubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  @usableFromInline
  package let place = Place()

  /// Makes a subject that keeps so many values.
  ///
  /// - Parameter bufferSize: not negative; without it, all are kept.
  public convenience init(bufferSize: Int = .max) {
    self.init(bufferSize: bufferSize, named: "ReplaySubject")
  }

  init(bufferSize: Int, named name: StaticString) {
    if bufferSize < 0 { fatalError("A subject can't keep \(bufferSize) values: give 0 to keep none.") }
    hub = Multicaster(name, keeping: bufferSize)
  }

  /// Attaches a downstream, which gets the values that are kept as it asks for them.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    hub.attach(downstream, of: self)
  }

  /// Keeps the value and sends it to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends; whatever is sent later is ignored.
  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  /// Takes an upstream's subscription and asks it for everything.
  public func send(subscription: any Subscription) {
    hub.askUpstreams()
    hub.receive(upstream: subscription)
  }
}

// Safety: only the owner of the gate accesses the hub. What is sent may reach another thread, so it must be `Sendable`.
// (`ReplaySubjectTests`)
extension ReplaySubject: @unchecked Sendable where Output: Sendable {}
