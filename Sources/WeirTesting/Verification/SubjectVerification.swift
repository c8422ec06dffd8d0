public import Weir

/// Verifies that a subject conforms to the contract.
///
///     try SubjectVerification { MySubject<Int, UpstreamFailure>() }.run().check()
public struct SubjectVerification<Tested: Subject> {
  private let target: VerificationTarget

  /// Verifies a subject with these values, which are sent repeatedly.
  ///
  /// - Parameters:
  ///   - values: The values that are sent.
  ///   - failure: The failure that is sent, or `nil` if the subject can't fail.
  ///   - traits: The allowed behavior of the subject.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Creates the subject. It is called for each script.
  public init(
    values: [Tested.Output], failure: Tested.Failure?, _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping () -> Tested
  ) {
    require(!values.isEmpty, "SubjectVerification requires at least 1 value.")
    var target = VerificationTarget(
      kind: .subject, name: name ?? VerificationTarget.name(of: Tested.self), traits: traits
    ) { harness in
      let subject = make()
      #if !WEIR_BARE
      if harness.sendsOnThreads { harness.sender = SubjectThreadSender(subject, values: values, failure: failure) }
      #endif
      harness.upstream = SubjectSender(subject, values: values, failure: failure, trace: harness.trace)
      harness.present(subject)
    }
    target.canFail = failure != nil
    self.target = target
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

extension SubjectVerification where Tested.Output == Int, Tested.Failure == UpstreamFailure {
  /// Verifies a subject with the values 1, 2, 3 and so on.
  public init(_ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping () -> Tested) {
    self.init(values: Array(1...1000), failure: UpstreamFailure(), traits, named: name, of: make)
  }
}

/// Sends into a subject, and records the events.
private final class SubjectSender<Tested: Subject>: UpstreamHandle {
  private let subject: Tested
  private let values: [Tested.Output]
  private let failure: Tested.Failure?
  private let trace: Trace
  private var sentCount = 0

  init(_ subject: Tested, values: [Tested.Output], failure: Tested.Failure?, trace: Trace) {
    self.subject = subject
    self.values = values
    self.failure = failure
    self.trace = trace
  }

  var nextValue: String { "\(values[sentCount % values.count])" }

  func allows(_ step: Step) -> Bool { true }

  func perform(_ step: Step) {
    switch step {
    case .send:
      sentCount += 1
      trace.note(.sendsValue(0))
      subject.send(fresh(values[(sentCount - 1) % values.count]))
    case .finish: complete(.finished, isFailure: false)
    case .fail: if let failure { complete(.failure(failure), isFailure: true) }
    case .sendSubscription:
      trace.note(.sendsSubscription(0))
      subject.send(subscription: SentSubscription(trace: trace))
    case .request, .requestUnlimited, .cancel, .wait: break
    }
  }

  // A subject releases the subscribers that cancel.
  func releaseSubscribers() {}

  func releaseSubscriptions() {}

  private func complete(_ completion: Subscribers.Completion<Tested.Failure>, isFailure: Bool) {
    trace.note(.sendsCompletion(0, isFailure: isFailure))
    subject.send(completion: completion)
  }
}

/// A subscription that records what it is asked for, and sends nothing.
private final class SentSubscription: Subscription, CustomStringConvertible {
  private let trace: Trace

  init(trace: Trace) {
    self.trace = trace
  }

  var description: String { Trace.upstreamSubscription }

  func request(_ demand: Subscribers.Demand) { trace.note(.isAsked(0, demand)) }

  func cancel() { trace.note(.isCancelled(0)) }
}

#if !WEIR_BARE
// Safety: the count is behind a lock. A subject that isn't thread-safe declares so by a trait. (`NestedRuleTests`)
/// Sends into a subject on any thread.
private final class SubjectThreadSender<Tested: Subject>: ThreadSender, @unchecked Sendable {
  private let subject: Tested
  private let values: [Tested.Output]
  private let failure: Tested.Failure?
  private let sentCount = Shared(0)

  init(_ subject: Tested, values: [Tested.Output], failure: Tested.Failure?) {
    self.subject = subject
    self.values = values
    self.failure = failure
  }

  var isDelivering: Bool { false }

  func sendNext() -> Bool {
    let number = sentCount.withLock { count in
      defer { count += 1 }
      return count
    }
    subject.send(fresh(values[number % values.count]))
    return true
  }

  func complete(isFailure: Bool) {
    if isFailure, let failure {
      subject.send(completion: .failure(failure))
    } else {
      subject.send(completion: .finished)
    }
  }
}
#endif
