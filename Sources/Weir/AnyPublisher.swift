extension Publisher {
  // Performance: transparent, as is the initializer. A debug build then inlines both where it knows the publisher's
  // type. Generic code would look up metadata, which takes 800 instructions.
  /// Erases the type of this publisher.
  ///
  ///     source                  -1-2-3-|
  ///     .eraseToAnyPublisher()  -1-2-3-|
  ///
  /// - Demand, completion and cancellation, threading: forwarded unchanged. Each value costs one more indirect call.
  @_transparent
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

extension Publisher where Self: AnyObject {
  // Performance: an object needs no other one around it.
  /// Erases the type of this publisher.
  ///
  /// - Demand, completion and cancellation, threading: forwarded unchanged. Each value costs one more indirect call.
  @_documentation(visibility: internal)
  @_transparent
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(retaining: self)
  }
}

/// A type-erased publisher.
///
/// - Demand, completion and cancellation, threading: those of the wrapped publisher.
@frozen
public struct AnyPublisher<Output, Failure: Error>: _DirectPublisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  /// Created where the publisher's type is known, so the operators behind it are specialized.
  @usableFromInline
  let attach: (consuming Downstream<Output, Failure>) -> Void

  @usableFromInline
  package let assemblySite: AssemblySite

  /// Whether the wrapped publisher can be scalar; then `attach` answers a probe with its value.
  public let _mayBeScalar: Bool

  /// Wraps a publisher; an `AnyPublisher` is not wrapped again.
  @_transparent
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if P.self == AnyPublisher.self {
      // Safety: the condition above says that both types are the same. (`AnyPublisherTests`) Performance: a dynamic
      // cast takes 500 instructions in a debug build.
      self = unsafeBitCast(publisher, to: AnyPublisher.self)
    } else {
      assemblySite = AssemblySite()
      let mayBeScalar = publisher._mayBeScalar
      _mayBeScalar = mayBeScalar
      // In an object, because this code becomes a part of the client's. If a closure captured a publisher with a tuple of
      // type parameters, the compiler would crash. Performance: the object is the context of the closure.
      let wrapped = WrappedPublisher(publisher)
      // Performance: two closures, so that others don't compare anything for each subscription.
      attach = if mayBeScalar { { wrapped.attachOrAnswer($0) } } else { { wrapped.publisher.attach($0) } }
    }
  }

  /// Wraps an object, which isn't scalar.
  @usableFromInline
  @_transparent
  init<P: Publisher & AnyObject>(retaining publisher: P) where P.Output == Output, P.Failure == Failure {
    assemblySite = AssemblySite()
    _mayBeScalar = false
    attach = { publisher.attach($0) }
  }

  /// The value of the wrapped publisher, if that is scalar.
  @inlinable
  @inline(__always)
  public var _scalarValue: Output? { _mayBeScalar ? probed : nil }

  /// The answer to a probe.
  @inlinable
  @inline(never)
  var probed: Output? {
    var found: Output?
    // Safety: `attach` is a closure of the initializer that sets the value before it returns, and retains nothing.
    // (`AnyPublisherTests`) Performance: a closure that captures the variable would be an allocation, and would check
    // each access.
    withUnsafeMutablePointer(to: &found) { place in
      attach(Downstream(face: Face(probing: place), begin: { _ in }, end: { _ in }, next: { _ in .none }))
    }
    return found
  }

  /// `AnyPublisher`.
  public var description: String { "AnyPublisher" }

  /// `AnyPublisher`.
  public var playgroundDescription: Any { description }

  /// Attaches a downstream to the wrapped publisher.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    attach(downstream)
  }
}

/// The publisher that an `AnyPublisher` wraps.
@usableFromInline
final class WrappedPublisher<Wrapped: Publisher> {
  @usableFromInline
  let publisher: Wrapped

  @inlinable
  init(_ publisher: consuming Wrapped) {
    self.publisher = publisher
  }

  /// Attaches a downstream, or answers a probe.
  @inlinable
  func attachOrAnswer(_ downstream: consuming Downstream<Wrapped.Output, Wrapped.Failure>) {
    guard let place = downstream.face.probed else { return publisher.attach(downstream) }
    // Safety: only `AnyPublisher.probed` creates such a face, with a place for this type. (`AnyPublisherTests`)
    place.assumingMemoryBound(to: Wrapped.Output?.self).pointee = publisher._scalarValue
  }
}
