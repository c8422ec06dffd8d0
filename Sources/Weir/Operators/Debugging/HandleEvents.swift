extension Publisher {
  /// Runs closures at the events of each subscription, before the events are forwarded.
  ///
  ///     source                                     -a-b-|
  ///     .handleEvents(receiveOutput: { log($0) })  -a-b-|
  ///
  /// - Demand: forwarded unchanged. `receiveRequest` receives requested demand and the demand that is returned for a
  ///   value.
  /// - Completion and cancellation: forwarded unchanged. A completion or a cancellation releases all closures, and none
  ///   runs afterwards.
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

    /// Runs when the subscription arrives.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// Runs for each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// Runs for the completion.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// Runs when the downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// Runs when the downstream requests values.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
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
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let hooks = TapHooks<Output, Failure>(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion,
        receiveCancel: receiveCancel, receiveRequest: receiveRequest)
      upstream.attach(Tap("HandleEvents", hooks: hooks, downstream: downstream).events)
    }
  }
}
