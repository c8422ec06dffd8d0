public import Weir

/// Verifies that an operator conforms to the contract, with conforming and nonconforming upstreams and subscribers.
///
/// Verifying your own operator takes one line. The test fails with a table of the broken rules:
///
///     @Test func keepsTheContract() throws {
///       try OperatorVerification { $0.myOperator() }.run().check()
///     }
///
/// It runs all scripts up to a length. They consist of requests, cancellations, values, completions, and events that a
/// publisher must not send. The report shows the shortest script that breaks a rule.
///
/// Pass `rounds` to run the operator on several threads as well. Races are nondeterministic, so run many rounds:
///
///     try OperatorVerification { $0.myOperator() }.run(rounds: 1000).check()
///
/// Use ``VerificationTraits`` to declare other behavior that is allowed:
///
///     OperatorVerification([.endsEarly, .failsByItself]) { $0.tryPrefix(while: isValid) }
///
/// An operator that takes a scheduler receives one with virtual time:
///
///     OperatorVerification(.dropsValues) { $0.myThrottle(for: .seconds(1), scheduler: $1) }
///
/// After each script 100 s pass, so its delays should be shorter. An operator that delivers on a thread of its own
/// instead stops the program.
public struct OperatorVerification<Input, Operator: Publisher> {
  let target: VerificationTarget

  /// Verifies an operator on an upstream that sends these values repeatedly.
  ///
  /// - Parameters:
  ///   - values: The upstream's values.
  ///   - traits: The allowed behavior of the operator.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Applies the operator to an upstream. It is called for each script.
  public init(
    values: [Input], _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping (AnyPublisher<Input, UpstreamFailure>) -> Operator
  ) {
    self.init(values, traits, name, isAsynchronous: false) { upstream, _ in make(upstream) }
  }

  /// Verifies an operator that takes a scheduler, on an upstream that sends these values repeatedly.
  ///
  /// - Parameters:
  ///   - values: The upstream's values.
  ///   - traits: The allowed behavior of the operator.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Applies the operator to an upstream, with a scheduler. It is called for each script.
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
    require(!values.isEmpty, "OperatorVerification requires at least 1 value.")
    target = VerificationTarget(
      kind: .operator, name: name ?? VerificationTarget.name(of: Operator.self), traits: traits,
      isAsynchronous: isAsynchronous
    ) { harness in
      func present(_ upstream: some Publisher<Input, UpstreamFailure>) {
        let isTrusted = Interference.current?.feed == .direct
        let erased = isTrusted ? AnyPublisher(DirectUpstream(upstream: upstream)) : AnyPublisher(upstream)
        harness.present(make(erased, harness.scheduler))
      }
      #if !WEIR_BARE
      if harness.sendsOnThreads {
        let upstream = ThreadedUpstream(values: values)
        harness.sender = upstream
        return present(upstream)
      }
      if let concurrentRun = harness.concurrentRun {
        let upstream = ConcurrentUpstream(values: values, concurrentRun: concurrentRun)
        harness.sendAll = upstream.sendAll
        return present(upstream)
      }
      #endif
      let upstream = ScriptedUpstream(values: values, conduct: harness.conduct, trace: harness.trace)
      harness.upstream = upstream
      present(upstream)
    }
  }

  /// Runs all scripts of at most this many steps, and returns the result of each rule.
  ///
  /// - Parameters:
  ///   - length: The maximum number of steps in a script.
  ///   - rounds: The number of multithreaded rounds for each rule that only concurrent calls can break. Code that isn't
  ///     thread-safe may crash then. One thread reads the description and the mirror that a subscription defines.
  /// - Returns: The result of each rule.
  public func run(length: Int = 5, rounds: Int = 0) -> VerificationReport {
    var explorer = ScriptExplorer(target, rounds: rounds)
    return explorer.run(length: length)
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

extension VerificationHarness {
  /// Attaches the scripted subscriber to a publisher.
  func present<P: Publisher>(_ publisher: P) {
    attach = { [attached] trace, manner in
      let subscriber = ScriptedSubscriber<P.Output, P.Failure>(trace: trace, manner: manner)
      attached.withLock { $0.append(WeakSubscriber(subscriber: subscriber)) }
      publisher.subscribe(subscriber)
      return subscriber
    }
    sink = { publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
    #if !WEIR_BARE
    guard let concurrentRun else { return }
    attachToCrowd = {
      let subscriber = ConcurrentSubscriber<P.Output, P.Failure>(concurrentRun)
      publisher.subscribe(subscriber)
      return subscriber
    }
    #endif
  }
}
