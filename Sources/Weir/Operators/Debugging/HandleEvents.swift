extension Publisher {
  /// Runs closures at the events of each subscription, before they go on.
  ///
  ///     source                                     -a-b-|
  ///     .handleEvents(receiveOutput: { log($0) })  -a-b-|
  ///
  /// - Demand: unchanged; `receiveRequest` sees what is requested and what a value brings back.
  /// - Completion and cancellation: unchanged. All closures are let go at the end.
  /// - Threading: each closure runs on the thread on which its event occurs.
  @inlinable
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// A publisher that runs closures at the events of each subscription.
  public struct HandleEvents<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Runs when the subscription comes.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// Runs for each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// Runs at the end.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// Runs when the downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// Runs when the downstream asks for values.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let hooks = TapHooks<Output, Failure>(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion,
        receiveCancel: receiveCancel, receiveRequest: receiveRequest)
      upstream.attach(Downstream(Tap("HandleEvents", hooks: hooks, downstream: downstream)))
    }
  }
}
