extension Publisher {
  /// Erases the type of this publisher.
  ///
  ///     source                  -1-2-3-|
  ///     .eraseToAnyPublisher()  -1-2-3-|
  ///
  /// - Demand, completion and cancellation, threading: forwarded unchanged. Each value costs one more indirect call.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
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

  /// Wraps a publisher; an `AnyPublisher` is not wrapped again.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if P.self == AnyPublisher.self {
      // Safety: the condition above says that both types are the same. (`AnyPublisherTests`) Performance: a dynamic
      // cast takes 500 instructions in a debug build.
      self = unsafeBitCast(publisher, to: AnyPublisher.self)
    } else {
      assemblySite = AssemblySite()
      attach = { publisher.attach($0) }
    }
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
