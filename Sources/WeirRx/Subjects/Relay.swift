public import Weir

/// A publisher into which the outside sends values, and which never ends.
///
/// - Demand, cancellation and threading: those of the subject that it is made of.
public protocol Relay<Output>: AnyObject, Publisher where Failure == Never {
  /// Sends a value to the subscribers.
  func accept(_ value: Output)
}

extension Relay where Output == Void {
  /// Sends an event that carries no value.
  public func accept() {
    accept(())
  }
}

extension Publisher where Failure == Never {
  /// Sends the values of this publisher into a relay, and not its end.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the end goes unnoticed. Dropping the result cancels.
  /// - Threading: the relay is sent to where this publisher delivers.
  public func subscribe<R: Relay>(_ relay: R) -> AnyCancellable where R.Output == Output {
    sink { relay.accept($0) }
  }
}

/// A relay that passes values on and keeps none.
///
///     accept                   -1-2-3-4
///     demand                   2-----1
///     PassthroughRelay<Int>()  -1-2---4
///     later                    ----^3-4
///
/// - Demand: each subscriber's own. A value that comes while a subscriber has no demand is lost to it;
///   `onBackpressureBuffer` keeps it.
/// - Completion and cancellation: there is no end but a cancel.
/// - Threading: see `PassthroughSubject`.
public final class PassthroughRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject = PassthroughSubject<Output, Never>(named: "PassthroughRelay")

  @usableFromInline
  package let place = Place()

  /// Makes a relay without subscribers.
  public init() {}

  /// Attaches a downstream, which gets what is sent from now on.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Sends a value to the subscribers that have demand.
  @inlinable
  public func accept(_ value: Output) {
    subject.send(value)
  }
}

/// A relay that keeps the latest value.
///
///     accept                -1-2-   3-4
///     demand                2----   -1
///     CurrentValueRelay(0)  01---   -3-
///     later                 ----(^2)3-4
///
/// - Demand: each subscriber's own. A subscriber gets the latest value at its first demand; one without demand misses
///   what is sent meanwhile, save the last.
/// - Completion and cancellation: there is no end but a cancel.
/// - Threading: see `CurrentValueSubject`.
public final class CurrentValueRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject: CurrentValueSubject<Output, Never>

  @usableFromInline
  package let place = Place()

  /// Makes a relay with a first value.
  public init(_ value: Output) {
    subject = CurrentValueSubject(value, named: "CurrentValueRelay")
  }

  /// The latest value.
  ///
  /// Setting it sends it.
  public var value: Output {
    get { subject.value }
    set { subject.value = newValue }
  }

  /// Attaches a downstream, which gets the latest value at its first demand.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Keeps the value and sends it to the subscribers that have demand.
  @inlinable
  public func accept(_ value: Output) {
    subject.send(value)
  }
}

/// A relay that keeps its last values for those who come later or can't keep up.
///
///     accept                           -1-2-3-    4
///     demand                           1------    ∞
///     ReplayRelay<Int>(bufferSize: 2)  -1-----    (34)
///     later                            ------(^23)4
///
/// - Demand: each subscriber's own, as with ``ReplaySubject``.
/// - Completion and cancellation: there is no end but a cancel.
/// - Threading: see ``ReplaySubject``.
public final class ReplayRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject: ReplaySubject<Output, Never>

  @usableFromInline
  package let place = Place()

  /// Makes a relay that keeps so many values.
  ///
  /// - Parameter bufferSize: not negative; without it, all are kept.
  public init(bufferSize: Int = .max) {
    subject = ReplaySubject(bufferSize: bufferSize, named: "ReplayRelay")
  }

  /// Attaches a downstream, which gets the values that are kept as it asks for them.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Keeps the value and sends it to the subscribers that have demand.
  @inlinable
  public func accept(_ value: Output) {
    subject.send(value)
  }
}

// Safety: its only property is a subject, which is `Sendable`. (`SendableTests`)
extension PassthroughRelay: @unchecked Sendable where Output: Sendable {}

// Safety: its only property is a subject, which is `Sendable`. (`SendableTests`)
extension CurrentValueRelay: @unchecked Sendable where Output: Sendable {}

// Safety: its only property is a subject, which is `Sendable`. (`SendableTests`)
extension ReplayRelay: @unchecked Sendable where Output: Sendable {}
