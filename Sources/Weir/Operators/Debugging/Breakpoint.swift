extension Publisher {
  /// Stops in the debugger at the events for which a closure returns `true`, before they are forwarded.
  ///
  ///     source                                  -1-2-|
  ///     .breakpoint(receiveOutput: { $0 > 2 })  -1-2-|
  ///
  /// It raises `SIGTRAP`, which terminates the program if no debugger is attached.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: each closure runs on the thread on which its event occurs.
  @inlinable
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when this publisher fails, before the failure is forwarded.
  ///
  ///     source                -1-2-|
  ///     .breakpointOnError()  -1-2-|
  ///
  /// It raises `SIGTRAP`, which terminates the program if no debugger is attached.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: stops the thread on which the upstream delivers.
  @inlinable
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}

extension Publishers {
  /// A publisher that stops in the debugger at the events for which a closure returns `true`.
  @frozen
  public struct Breakpoint<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Returns whether to stop at the subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?

    /// Returns whether to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?

    /// Returns whether to stop at the completion.
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let face = downstream.face.behind("Breakpoint")
      upstream.attach(
        Downstream(
          face: receiveSubscription == nil ? face : face.awaitingRequests(),
          begin: { [receiveSubscription, begin = downstream.begin] in
            if receiveSubscription?($0) == true { stopInDebugger() }
            begin($0)
          },
          end: { [receiveCompletion, end = downstream.end] in
            if receiveCompletion?($0) == true { stopInDebugger() }
            end($0)
          },
          next: { [receiveOutput, next = downstream.next] in
            if receiveOutput?($0) == true { stopInDebugger() }
            return next($0)
          }))
    }
  }
}
