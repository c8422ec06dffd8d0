public import Weir

extension AnyPublisher {
  /// Creates a publisher that owns a resource while it runs.
  ///
  ///     source                                                    -^1-2-|
  ///     resource                                                  -^----!
  ///     AnyPublisher<Int, Never>.using(resource) { _ in source }  -^1-2-|
  ///
  /// - Demand: that of the created publisher.
  /// - Completion and cancellation: the resource is created at the subscription, once for each subscriber. It is
  ///   cancelled once: before the completion is delivered, or at a cancellation.
  /// - Threading: both closures run where the subscriber attaches. The resource is cancelled where the completion is
  ///   delivered, or where the subscription is cancelled.
  ///
  /// - Parameters:
  ///   - resource: A closure that creates the resource.
  ///   - publisher: A closure that creates the publisher that uses the resource.
  /// - Returns: A publisher that creates a resource for each subscriber.
  @inlinable
  public static func using<Resource: Cancellable, P: Publisher>(
    _ resource: @escaping () -> Resource, _ publisher: @escaping (Resource) -> P
  ) -> AnyPublisher where P.Output == Output, P.Failure == Failure {
    Publishers.Using(resource, publisher).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// A publisher with a separate resource for each subscriber.
  public struct Using<Resource: Cancellable, Source: Publisher>: _DirectPublisher {
    /// The values are those of the publisher that uses the resource.
    public typealias Output = Source.Output

    /// The failure is that of the publisher that uses the resource.
    public typealias Failure = Source.Failure

    /// The closure that creates the resource.
    public let resource: () -> Resource

    /// The closure that creates the publisher that uses the resource.
    public let publisher: (Resource) -> Source

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher; `AnyPublisher.using` hides its type.
    @inlinable
    public init(_ resource: @escaping () -> Resource, _ publisher: @escaping (Resource) -> Source) {
      self.resource = resource
      self.publisher = publisher
    }

    /// Attaches a downstream, for which it creates a resource.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let resource = resource()
      // Only the first of several cancellations reaches the resource.
      let release = AnyCancellable(resource)
      publisher(resource)
        .handleEvents(receiveCompletion: { _ in release.cancel() }, receiveCancel: { release.cancel() })
        .attach(downstream)
    }
  }
}
