public import Synchronization

/// What an operator sends to: functions over the value, formed where the subscriber's type is known.
///
/// An operator that knows its downstream so is generic over nothing that comes after it. Types shrink going up a pipeline,
/// and the path of a value is formed once, wherever the operator's own types are known. An implementation detail, public
/// because a requirement of ``Publisher`` names it.
@_documentation(visibility: internal)
@frozen
public struct Downstream<Input, Failure: Error> {
  @usableFromInline
  package let begin: (any Subscription) -> Void

  @usableFromInline
  package let next: (Input) -> Subscribers.Demand

  @usableFromInline
  package let end: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let face: Face

  @inlinable
  init(
    face: Face, begin: @escaping (any Subscription) -> Void, end: @escaping (Subscribers.Completion<Failure>) -> Void,
    next: @escaping (Input) -> Subscribers.Demand
  ) {
    self.begin = begin
    self.next = next
    self.end = end
    self.face = face
  }

  /// The functions of a subscriber.
  @inlinable
  package init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    self.init(
      face: Face({ subscriber }, type: S.self),
      begin: { subscriber.receive(subscription: $0) },
      end: { subscriber.receive(completion: $0) },
      next: { subscriber.receive($0) })
  }

  // Performance: the two below are static. In a debug build a call of a method looks the metadata of its type up, 340
  // instructions, and a call of an initializer copies what it is given.

  /// What an operator without state sends its inputs to.
  ///
  /// It passes on the upstream's own subscription, so demand and cancellation take no way through it.
  @inlinable
  static func stateless<Output>(
    _ name: StaticString, to downstream: Downstream<Output, Failure>, next: @escaping (Input) -> Subscribers.Demand
  ) -> Downstream {
    Downstream(face: downstream.face.behind(name), begin: downstream.begin, end: downstream.end, next: next)
  }

  /// What an operator without state sends its completions to.
  @inlinable
  static func stateless<DownstreamFailure: Error>(
    _ name: StaticString, to downstream: Downstream<Input, DownstreamFailure>,
    end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> Downstream {
    Downstream(face: downstream.face.behind(name), begin: downstream.begin, end: end, next: downstream.next)
  }

  /// This downstream, with parts that a mirror of its stateless operator shows.
  @inlinable
  func showing(_ parts: @escaping () -> [Mirror.Child]) -> Downstream {
    Downstream(face: face.showing(parts), begin: begin, end: end, next: next)
  }

  /// A downstream that receives another subscription in place of the one that arrives.
  package func replacingSubscription(_ replace: @escaping (any Subscription) -> any Subscription) -> Downstream {
    Downstream(face: face, begin: { [begin] in begin(replace($0)) }, end: end, next: next)
  }

  /// What a mirror shows: the subscriber itself, or what stands for it at the border.
  @usableFromInline
  var shown: Any { face.itself ?? Border(self) }

  /// Passes on an empty subscription and completes immediately.
  @inlinable
  package func receive(emptyWith completion: Subscribers.Completion<Failure>) {
    begin(Subscriptions.empty)
    end(completion)
  }
}

/// A noncopyable downstream.
///
/// Performance: a delivery borrows it. A copy would retain what its functions capture for each value. It has no methods
/// besides, because a call of one looks its metadata up in a debug build, 340 instructions.
/// Invariant: its owner releases it only while no delivery is in flight.
@usableFromInline
package struct BorrowedDownstream<Input, Failure: Error>: ~Copyable {
  @usableFromInline
  package let functions: Downstream<Input, Failure>

  @inlinable
  package init(_ functions: Downstream<Input, Failure>) {
    self.functions = functions
  }

  /// What a mirror shows of it.
  @usableFromInline
  package var shown: Any { functions.shown }
}

/// What is shown of a subscriber to publishers that are not Weir's, to witnesses and in mirrors.
@usableFromInline
@frozen
struct Face {
  /// The subscriber itself, or that of the next operator with state.
  @usableFromInline
  let subscriber: () -> any CustomCombineIdentifierConvertible

  /// Its type, for what doesn't keep it.
  @usableFromInline
  let type: any Any.Type

  /// The name of an operator without state in front of the subscriber.
  @usableFromInline
  let name: StaticString?

  @inlinable
  init(
    _ subscriber: @escaping () -> any CustomCombineIdentifierConvertible, type: any Any.Type,
    name: StaticString? = nil
  ) {
    self.subscriber = subscriber
    self.type = type
    self.name = name
  }

  /// What is shown where an operator without state stands in front of this.
  @inlinable
  func behind(_ name: StaticString) -> Face {
    Face(subscriber, type: type, name: name)
  }

  /// This face, with parts that a mirror of the stateless operator shows.
  @usableFromInline
  func showing(_ parts: @escaping () -> [Mirror.Child]) -> Face {
    Face({ ShownOperator(self.name ?? "", parts(), self.subscriber().combineIdentifier) }, type: type)
  }

  /// The subscriber, unless an operator stands in front of it.
  @usableFromInline
  var itself: (any CustomCombineIdentifierConvertible)? { name == nil ? subscriber() : nil }

  /// Whether this is the subscriber of an operator, not one at the end of a pipeline.
  var isInner: Bool { itself.map { $0 is any InnerSubscriber } ?? true }
}

/// Represents a stateless operator whose mirror shows parts.
@usableFromInline
final class ShownOperator: CustomCombineIdentifierConvertible, Described, InnerSubscriber {
  private let name: StaticString

  @usableFromInline
  let reflected: [Mirror.Child]

  @usableFromInline
  let combineIdentifier: CombineIdentifier

  init(_ name: StaticString, _ parts: [Mirror.Child], _ combineIdentifier: CombineIdentifier) {
    self.name = name
    reflected = parts
    self.combineIdentifier = combineIdentifier
  }

  @usableFromInline
  var description: String { name.description }
}

/// A publisher of Weir's, which attaches a downstream itself.
///
/// An implementation detail: only Weir's own types conform. A conforming type implements `_attach(_:)` and keeps these rules,
/// which nothing checks. It sends on one thread at a time. It sends the subscription first, and no value of another thread's
/// request before the downstream has received that. It sends nothing after a completion or a cancel. A publisher outside of
/// Weir implements `receive(subscriber:)` only, and its violations damage nothing.
public protocol _DirectPublisher: Publisher {}

extension _DirectPublisher {
  /// Attaches a subscriber.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    _attach(Downstream(subscriber))
  }
}

extension Publisher {
  /// Attaches an operator's downstream to its upstream; witnesses see it too.
  @inlinable
  package func attach(_ downstream: Downstream<Output, Failure>) {
    if Witnesses.areThere.load(ordering: .relaxed) {
      Witnesses.attach(downstream, to: self)
    } else {
      _attach(downstream)
    }
  }

  /// Attaches a subscriber of Weir's by its own functions, to which nothing else has a reference.
  @inlinable
  func attach<S: Subscriber>(_ subscriber: S, _ own: (S) -> Downstream<Output, Failure>)
  where S.Input == Output, S.Failure == Failure {
    if Witnesses.areThere.load(ordering: .relaxed) {
      Witnesses.subscribe(subscriber, to: self)
    } else {
      _attach(own(subscriber))
    }
  }
}
