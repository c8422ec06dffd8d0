public import Weir

/// A publisher that accepts values from outside and never completes.
///
/// - Demand, cancellation and threading: those of the underlying subject.
public protocol Relay<Output>: AnyObject, Publisher where Failure == Never {
  /// Sends a value to the subscribers.
  func accept(_ value: Output)
}

extension Relay where Output == Void {
  /// Sends an event that carries no value.
  @inlinable
  public func accept() {
    accept(())
  }
}

extension Publisher where Failure == Never {
  /// Sends the values of this publisher, but not its completion, into a relay.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: sends to the relay where this publisher delivers.
  @inlinable
  public func subscribe<R: Relay>(_ relay: R) -> AnyCancellable where R.Output == Output {
    sink { relay.accept($0) }
  }
}

/// A relay that forwards values and stores none.
///
///     accept                   -1-2-3-4
///     demand                   2-----1
///     PassthroughRelay<Int>()  -1-2---4
///     later                    ----^3-4
///
/// - Demand: each subscriber's own. A value that arrives while a subscriber has no demand is dropped for it;
///   `onBackpressureBuffer` buffers it.
/// - Completion and cancellation: a relay never completes; only cancellation terminates a subscription.
/// - Threading: see `PassthroughSubject`.
public final class PassthroughRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject = PassthroughSubject<Output, Never>(named: "PassthroughRelay")

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a relay without subscribers.
  public init() {}

  /// Attaches a downstream, which receives values that are sent later.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Sends a value to the subscribers that have demand.
  @inlinable
  public func accept(_ value: Output) {
    subject.send(value)
  }
}

/// A relay that stores the latest value.
///
///     accept                -1-2-   3-4
///     demand                2----   -1
///     CurrentValueRelay(0)  01---   -3-
///     later                 ----(^2)3-4
///
/// - Demand: each subscriber's own. A subscriber receives the latest value at its first demand. A subscriber without
///   demand misses all values but the latest.
/// - Completion and cancellation: a relay never completes; only cancellation terminates a subscription.
/// - Threading: see `CurrentValueSubject`.
public final class CurrentValueRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject: CurrentValueSubject<Output, Never>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a relay with an initial value.
  public init(_ value: Output) {
    subject = CurrentValueSubject(value, named: "CurrentValueRelay")
  }

  /// The latest value.
  ///
  /// Setting this property sends the value.
  public var value: Output {
    get { subject.value }
    set { subject.value = newValue }
  }

  /// Attaches a downstream, which receives the latest value at its first demand.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Stores the value and sends it to the subscribers that have demand.
  @inlinable
  public func accept(_ value: Output) {
    subject.send(value)
  }
}

/// A relay that replays its last values to new and slow subscribers.
///
///     accept                           -1-2-3-    4
///     demand                           1------    ∞
///     ReplayRelay<Int>(bufferSize: 2)  -1-----    (34)
///     later                            ------(^23)4
///
/// - Demand: each subscriber's own, as with ``ReplaySubject``.
/// - Completion and cancellation: a relay never completes; only cancellation terminates a subscription.
/// - Threading: see ``ReplaySubject``.
public final class ReplayRelay<Output>: Relay, _DirectPublisher {
  /// It can't fail.
  public typealias Failure = Never

  @usableFromInline
  let subject: ReplaySubject<Output, Never>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a relay that replays the last `bufferSize` values.
  ///
  /// - Parameter bufferSize: The number of stored values, not negative. By default, all are stored.
  public init(bufferSize: Int = .max) {
    subject = ReplaySubject(bufferSize: bufferSize, named: "ReplayRelay")
  }

  /// Attaches a downstream, which receives the kept values as it requests them.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    subject._attach(downstream)
  }

  /// Stores the value and sends it to the subscribers that have demand.
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
