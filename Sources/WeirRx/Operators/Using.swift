public import Weir

extension AnyPublisher {
  /// Makes a publisher that has a resource of its own as long as it runs.
  ///
  ///     source                                                    -^1-2-|
  ///     resource                                                  -^----!
  ///     AnyPublisher<Int, Never>.using(resource) { _ in source }  -^1-2-|
  ///
  /// - Demand: that of the publisher that is made.
  /// - Completion and cancellation: the resource is made when someone subscribes, once for each subscriber, and cancelled
  ///   once: before the end goes downstream, or at a cancel.
  /// - Threading: both closures run where the subscription is made; the resource is cancelled where the end is delivered,
  ///   or the cancel called.
  ///
  /// - Parameters:
  ///   - resource: makes the resource.
  ///   - publisher: makes the publisher that uses it.
  /// - Returns: a publisher that makes its resource when it is subscribed to.
  public static func using<Resource: Cancellable, P: Publisher>(
    _ resource: @escaping () -> Resource, _ publisher: @escaping (Resource) -> P
  ) -> AnyPublisher where P.Output == Output, P.Failure == Failure {
    Publishers.Using(resource, publisher).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// A publisher with a resource of its own for each subscriber.
  public struct Using<Resource: Cancellable, Source: Publisher>: _DirectPublisher {
    /// The values are those of the publisher that uses the resource.
    public typealias Output = Source.Output

    /// The failure is that of the publisher that uses the resource.
    public typealias Failure = Source.Failure

    /// What makes the resource.
    public let resource: () -> Resource

    /// What makes the publisher that uses it.
    public let publisher: (Resource) -> Source

    @usableFromInline
    package let place = Place()

    /// Makes the publisher; `AnyPublisher.using` hides its type.
    @inlinable
    public init(_ resource: @escaping () -> Resource, _ publisher: @escaping (Resource) -> Source) {
      self.resource = resource
      self.publisher = publisher
    }

    /// Attaches a downstream, for which a resource is made.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let resource = resource()
      // It lets only the first of several cancels through.
      let release = AnyCancellable(resource)
      publisher(resource)
        .handleEvents(receiveCompletion: { _ in release.cancel() }, receiveCancel: { release.cancel() })
        .attach(downstream)
    }
  }
}
