public import Synchronization

/// The receiver of an operator's events, as functions that are created where the subscriber's type is known.
///
/// Performance: with it, an operator is not generic over the operators behind it. Types become smaller towards the
/// upstream, and the path of a value is compiled once, where the operator's own types are known. An implementation
/// detail, public because a requirement of ``Publisher`` names it.
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
    face: consuming Face, begin: consuming @escaping (any Subscription) -> Void,
    end: consuming @escaping (Subscribers.Completion<Failure>) -> Void,
    next: consuming @escaping (Input) -> Subscribers.Demand
  ) {
    self.begin = begin
    self.next = next
    self.end = end
    self.face = face
  }

  /// Creates the functions of a subscriber.
  @inlinable
  package init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    self.init(
      face: Face({ subscriber }, type: S.self),
      begin: { subscriber.receive(subscription: $0) },
      end: { subscriber.receive(completion: $0) },
      next: { subscriber.receive($0) })
  }

  // Performance: the methods below are static. In a debug build a call of an instance method looks up the metadata
  // of its type, which takes 340 instructions. A call of an initializer copies its arguments.

  /// Returns the downstream that a stateless operator attaches to its upstream; `next` handles its inputs.
  ///
  /// It forwards the upstream's own subscription, so requests and cancellations bypass the operator.
  @inlinable
  static func stateless<Output>(
    _ name: StaticString, to downstream: consuming Downstream<Output, Failure>,
    next: @escaping (Input) -> Subscribers.Demand
  ) -> Downstream {
    Downstream(face: downstream.face.behind(name), begin: downstream.begin, end: downstream.end, next: next)
  }

  /// Returns the downstream that a stateless operator attaches to its upstream; `end` handles its completions.
  @inlinable
  static func stateless<DownstreamFailure: Error>(
    _ name: StaticString, to downstream: consuming Downstream<Input, DownstreamFailure>,
    end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> Downstream {
    Downstream(face: downstream.face.behind(name), begin: downstream.begin, end: end, next: downstream.next)
  }

  /// Delivers an empty subscription and completes immediately.
  @inlinable
  package static func complete(_ downstream: borrowing Downstream, with completion: Subscribers.Completion<Failure>) {
    downstream.begin(EmptySubscription(_isScalar: downstream.face.takesScalars))
    downstream.end(completion)
  }

  /// Returns this downstream with children for the mirror of its stateless operator.
  @inlinable
  func showing(_ parts: @escaping () -> [Mirror.Child]) -> Downstream {
    Downstream(face: face.showing(parts), begin: begin, end: end, next: next)
  }

  /// Returns a downstream that receives another subscription instead of the upstream's.
  package func replacingSubscription(_ replace: @escaping (any Subscription) -> any Subscription) -> Downstream {
    Downstream(face: face.awaitingRequests(), begin: { [begin] in begin(replace($0)) }, end: end, next: next)
  }

  /// The value that a mirror shows: the subscriber itself, or a border that represents it.
  @usableFromInline
  var shown: Any { face.itself ?? Border(self) }
}

/// A noncopyable downstream.
///
/// Performance: a delivery borrows it. A copy would retain what its functions capture for each value. It has no further
/// methods, because a call looks up its metadata in a debug build, which takes 340 instructions. Invariant: its owner
/// releases it only while no delivery is in flight.
@usableFromInline
package struct BorrowedDownstream<Input, Failure: Error>: ~Copyable {
  @usableFromInline
  package let functions: Downstream<Input, Failure>

  @inlinable
  package init(_ functions: consuming Downstream<Input, Failure>) {
    self.functions = functions
  }

  /// The value that a mirror shows for it.
  @usableFromInline
  package var shown: Any { functions.shown }
}

/// A noncopyable downstream that has received its subscription.
///
/// Performance: without the parts that only a subscription needs, because a subject may have very many subscribers.
@usableFromInline
struct SubscribedDownstream<Input, Failure: Error>: ~Copyable {
  @usableFromInline
  let next: (Input) -> Subscribers.Demand

  @usableFromInline
  let end: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let subscriber: () -> any CustomCombineIdentifierConvertible

  // Safety: as in `Face`, which the characters are from. (`DownstreamTests`)
  @usableFromInline
  let characters: UnsafePointer<UInt8>?

  @inlinable
  init(_ downstream: consuming Downstream<Input, Failure>) {
    next = downstream.next
    end = downstream.end
    subscriber = downstream.face.subscriber
    characters = downstream.face.characters
  }

  /// The value that a mirror shows for it.
  var shown: Any {
    Downstream(face: Face(subscriber, type: Any.self, named: characters), begin: { _ in }, end: end, next: next).shown
  }
}

/// Removes a stored downstream, and returns it for the caller to release.
///
/// An assignment would release it before it stores `nil`, so a `deinit` that re-enters would find it.
///
/// Performance: a method, such as `take()`, would look up metadata in a debug build, which takes 930 instructions.
@inlinable
package func takeDownstream<Input, Failure>(
  _ stored: inout BorrowedDownstream<Input, Failure>?
) -> BorrowedDownstream<Input, Failure>? {
  let taken = consume stored
  stored = nil
  return taken
}

/// The same for a downstream that has received its subscription.
@inlinable
func takeDownstream<Input, Failure>(
  _ stored: inout SubscribedDownstream<Input, Failure>?
) -> SubscribedDownstream<Input, Failure>? {
  let taken = consume stored
  stored = nil
  return taken
}

/// The appearance of a subscriber to publishers outside of Weir, to witnesses and in mirrors.
@usableFromInline
@frozen
struct Face {
  /// The subscriber itself, or that of the next operator with state.
  @usableFromInline
  let subscriber: () -> any CustomCombineIdentifierConvertible

  /// The type of the subscriber, for subscriptions that don't retain it.
  @usableFromInline
  let type: any Any.Type

  // Safety: the characters of a literal, which are there for as long as the program runs. (`DownstreamTests`)
  /// The name of a stateless operator in front of the subscriber.
  ///
  /// Performance: an optional `StaticString` takes 18 bytes, in each stored downstream.
  @usableFromInline
  var characters: UnsafePointer<UInt8>?

  // Safety: only a stateless operator passes characters, those of its name, a literal. A probe passes a place instead,
  // and no name is read from its face. (`DownstreamTests`)
  @inlinable
  init(
    _ subscriber: consuming @escaping () -> any CustomCombineIdentifierConvertible, type: any Any.Type,
    named characters: UnsafePointer<UInt8>? = nil
  ) {
    self.subscriber = subscriber
    self.type = type
    self.characters = characters
  }

  // Safety: the place is valid while the call in progress lasts. Only ``AnyPublisher`` creates such a face, and
  // accesses the place in that call. (`AnyPublisherTests`)
  /// Creates the face of a downstream that only asks an erased publisher for its scalar value; no program sees it.
  @inlinable
  init<Value>(probing place: UnsafeMutablePointer<Value?>) {
    self.init(
      { ScalarProbe() }, type: ScalarProbe.self,
      named: UnsafePointer(UnsafeRawPointer(place).assumingMemoryBound(to: UInt8.self)))
  }

  // Safety: it doesn't access the place; `AnyPublisher` does, in the call that created the face. (`AnyPublisherTests`)
  /// The place for the scalar value, if this is such a face.
  @inlinable
  var probed: UnsafeMutableRawPointer? {
    type == ScalarProbe.self ? characters.map { UnsafeMutableRawPointer(mutating: $0) } : nil
  }

  @usableFromInline
  var name: String? { characters.map { String(cString: $0) } }

  /// Returns the face of a stateless operator in front of this one.
  @inlinable
  consuming func behind(_ name: StaticString) -> Face {
    characters = name.utf8Start
    return self
  }

  /// Whether the subscriber takes the value of a scalar publisher behind a ``ScalarSubscription``, without a request.
  @inlinable
  var takesScalars: Bool { type == ScalarSubscription.self }

  /// Returns the type for the face of an operator in front of this one, which takes scalars if this one does.
  @inlinable
  borrowing func type(inFrontOf subscriber: any Any.Type) -> any Any.Type {
    takesScalars ? ScalarSubscription.self : subscriber
  }

  /// Returns this face for an operator that sees the subscription or replaces it.
  @inlinable
  consuming func awaitingRequests() -> Face {
    takesScalars ? Face(subscriber, type: Any.self, named: characters) : self
  }

  /// Returns this face with children for the mirror of the stateless operator.
  @usableFromInline
  func showing(_ parts: @escaping () -> [Mirror.Child]) -> Face {
    Face({ ShownOperator(self.name ?? "", parts(), self.subscriber().combineIdentifier) }, type: type)
  }

  /// The subscriber, unless a stateless operator is in front of it.
  @usableFromInline
  var itself: (any CustomCombineIdentifierConvertible)? { characters == nil ? subscriber() : nil }

  /// Whether this is an operator's subscriber, rather than one at the end of a pipeline.
  var isInner: Bool { itself.map { $0 is any OperatorSubscriber } ?? true }
}

/// Stands for a subscriber where there is none: see ``AnyPublisher``.
@usableFromInline
final class ScalarProbe: CustomCombineIdentifierConvertible {
  @usableFromInline
  init() {}
}

/// Represents a stateless operator whose mirror has children.
@usableFromInline
final class ShownOperator: CustomCombineIdentifierConvertible, OperatorReflectable, OperatorSubscriber {
  private let name: String

  @usableFromInline
  let mirrorChildren: [Mirror.Child]

  @usableFromInline
  let combineIdentifier: CombineIdentifier

  init(_ name: String, _ parts: [Mirror.Child], _ combineIdentifier: CombineIdentifier) {
    self.name = name
    mirrorChildren = parts
    self.combineIdentifier = combineIdentifier
  }

  @usableFromInline
  var description: String { name }
}

/// One of Weir's publishers, which attaches a downstream itself.
///
/// An implementation detail: only Weir's own types conform. A conforming type implements `_attach(_:)` and follows
/// these rules, which are not checked. It sends on one thread at a time. It sends the subscription first. It sends no
/// value for another thread's request before the downstream has received the subscription. It sends nothing after a
/// completion or a cancellation. A publisher outside of Weir implements only `receive(subscriber:)`, and its violations
/// have no effect on Weir's state.
public protocol _DirectPublisher: Publisher {}

extension _DirectPublisher {
  /// Attaches a subscriber.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    _attach(Downstream(subscriber))
  }
}

extension Publisher {
  /// Attaches an operator's downstream to its upstream, and notifies witnesses.
  @inlinable
  package func attach(_ downstream: consuming Downstream<Output, Failure>) {
    if IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) {
      IntrospectionRegistry.attach(downstream, to: self)
    } else {
      _attach(downstream)
    }
  }

  /// Attaches one of Weir's subscribers through its own functions; nothing else has a reference to it.
  @inlinable
  func attach<S: Subscriber>(_ subscriber: S, _ events: (S) -> Downstream<Output, Failure>)
  where S.Input == Output, S.Failure == Failure {
    if IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) {
      IntrospectionRegistry.subscribe(subscriber, to: self)
    } else {
      _attach(events(subscriber))
    }
  }
}
