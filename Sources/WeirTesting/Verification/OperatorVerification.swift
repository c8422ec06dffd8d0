public import Weir

/// Holds an operator to the contract: between upstreams that behave well and badly, and subscribers of all manners.
///
/// For an operator of your own it takes a line; a test fails with a table of the broken rules:
///
///     @Test func keepsTheContract() throws {
///       try OperatorVerification { $0.myOperator() }.run().check()
///     }
///
/// It runs all scripts up to a length, of requests, cancels, values, an end, a failure, and what a publisher must not
/// send, and shows the shortest that breaks a rule.
///
/// Several threads are let at it too, if that is wished for; a race needs luck, so it takes some rounds:
///
///     try OperatorVerification { $0.myOperator() }.run(rounds: 1000).check()
///
/// What the operator may do besides is said with ``VerificationTraits``:
///
///     OperatorVerification([.endsEarly, .failsByItself]) { $0.tryPrefix(while: isValid) }
///
/// An operator that takes a scheduler is given one whose time is virtual:
///
///     OperatorVerification(.dropsValues) { $0.myThrottle(for: .seconds(1), scheduler: $1) }
public struct OperatorVerification<Input, Operator: Publisher> {
  let bench: Bench

  /// Verifies an operator on an upstream that sends these values, again and again.
  ///
  /// - Parameters:
  ///   - values: what the upstream sends.
  ///   - traits: what the operator may do.
  ///   - name: how the report names it; by default like its type.
  ///   - make: puts the operator on an upstream. It is called for each script.
  public init(
    values: [Input], _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping (AnyPublisher<Input, UpstreamFailure>) -> Operator
  ) {
    self.init(values, traits, name, isAsynchronous: false) { upstream, _ in make(upstream) }
  }

  /// Verifies an operator that takes a scheduler, on an upstream that sends these values, again and again.
  ///
  /// - Parameters:
  ///   - values: what the upstream sends.
  ///   - traits: what the operator may do.
  ///   - name: how the report names it; by default like its type.
  ///   - make: puts the operator on an upstream, with a scheduler. It is called for each script.
  public init(
    values: [Input], _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping (AnyPublisher<Input, UpstreamFailure>, VirtualTimeScheduler) -> Operator
  ) {
    self.init(values, traits, name, isAsynchronous: true, make)
  }

  private init(
    _ values: [Input], _ traits: VerificationTraits, _ name: String?, isAsynchronous: Bool,
    _ make: @escaping (AnyPublisher<Input, UpstreamFailure>, VirtualTimeScheduler) -> Operator
  ) {
    require(!values.isEmpty, "An operator can't be verified without values: give the upstream some to send.")
    bench = Bench(
      kind: .operator, name: name ?? Bench.name(of: Operator.self), traits: traits, isAsynchronous: isAsynchronous
    ) { stage in
      func present(_ upstream: some Publisher<Input, UpstreamFailure>) {
        let isTrusted = Interference.current?.feed == .direct
        let erased = isTrusted ? AnyPublisher(DirectUpstream(upstream: upstream)) : AnyPublisher(upstream)
        stage.present(make(erased, stage.scheduler))
      }
      #if canImport(Dispatch)
      if stage.sendsOnThreads {
        let upstream = ThreadedUpstream(values: values)
        stage.sender = upstream
        return present(upstream)
      }
      if let crowd = stage.crowd {
        let upstream = CrowdUpstream(values: values, crowd: crowd)
        stage.sendAll = upstream.sendAll
        return present(upstream)
      }
      #endif
      let upstream = ScriptedUpstream(values: values, conduct: stage.conduct, trace: stage.trace)
      stage.upstream = upstream
      present(upstream)
    }
  }

  /// Runs all scripts of up to so many steps, and tells what became of each rule.
  ///
  /// - Parameters:
  ///   - length: how many steps the longest scripts have.
  ///   - rounds: how often several threads are let at it, for each rule that only they can break. What isn't made for
  ///     several threads may crash then.
  /// - Returns: what became of each rule.
  public func run(length: Int = 5, rounds: Int = 0) -> VerificationReport {
    var campaign = Campaign(bench, rounds: rounds)
    return campaign.run(length: length)
  }
}

extension OperatorVerification where Input == Int {
  /// Verifies an operator on an upstream that sends 1, 2, 3 and so on.
  public init(
    _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping (AnyPublisher<Int, UpstreamFailure>) -> Operator
  ) {
    self.init(values: Array(1...1000), traits, named: name, of: make)
  }

  /// Verifies an operator that takes a scheduler, on an upstream that sends 1, 2, 3 and so on.
  public init(
    _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping (AnyPublisher<Int, UpstreamFailure>, VirtualTimeScheduler) -> Operator
  ) {
    self.init(values: Array(1...1000), traits, named: name, of: make)
  }
}

extension Stage {
  /// Puts a publisher before the scripted subscriber.
  func present<P: Publisher>(_ publisher: P) {
    attach = { trace, manner in
      let subscriber = ScriptedSubscriber<P.Output, P.Failure>(trace: trace, manner: manner)
      publisher.subscribe(subscriber)
      return subscriber
    }
    sink = { publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
    #if canImport(Dispatch)
    guard let crowd else { return }
    attachToCrowd = {
      let subscriber = CrowdSubscriber<P.Output, P.Failure>(crowd)
      publisher.subscribe(subscriber)
      return subscriber
    }
    #endif
  }
}
