public import Weir

/// Verifies that a subscriber conforms to the contract.
///
///     try SubscriberVerification(values: ["a", "b"], failure: nil) { MySubscriber() }.run().check()
///
/// A subscriber that is `Cancellable` is cancelled too.
public struct SubscriberVerification<Tested: Subscriber> {
  private let target: VerificationTarget

  /// Verifies a subscriber with these values, which are sent repeatedly.
  ///
  /// - Parameters:
  ///   - values: The values that are sent.
  ///   - failure: The failure that is sent, or `nil` if the subscriber's publishers can't fail.
  ///   - traits: The allowed behavior of the subscriber.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Creates the subscriber. It is called for each script.
  public init(
    values: [Tested.Input], failure: Tested.Failure?, _ traits: VerificationTraits = [], named name: String? = nil,
    of make: @escaping () -> Tested
  ) {
    require(!values.isEmpty, "SubscriberVerification requires at least 1 value.")
    var target = VerificationTarget(
      kind: .subscriber, name: name ?? VerificationTarget.name(of: Tested.self), traits: traits
    ) { harness in
      let upstream = ScriptedUpstream(values: values, conduct: harness.conduct, trace: harness.trace)
      harness.upstream = upstream
      harness.start = {
        let subscriber = make()
        upstream.subscribe(Translating(subscriber, failure: failure))
        return (subscriber as? any Cancellable).map { cancellable in { cancellable.cancel() } }
      }
    }
    target.canFail = failure != nil
    target.canCancel = Tested.self is any Cancellable.Type
    self.target = target
  }

  /// Runs all scripts of at most this many steps, and returns the result of each rule.
  public func run(length: Int = 5) -> VerificationReport {
    var explorer = ScriptExplorer(target)
    return explorer.run(length: length)
  }
}

extension SubscriberVerification where Tested.Input == Int, Tested.Failure == UpstreamFailure {
  /// Verifies a subscriber with the values 1, 2, 3 and so on.
  public init(_ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping () -> Tested) {
    self.init(values: Array(1...1000), failure: UpstreamFailure(), traits, named: name, of: make)
  }
}

/// Forwards all events unchanged, but maps the upstream's failure to the subscriber's.
private struct Translating<Tested: Subscriber>: Subscriber {
  let subscriber: Tested
  let failure: Tested.Failure?
  let combineIdentifier = CombineIdentifier()

  init(_ subscriber: Tested, failure: Tested.Failure?) {
    self.subscriber = subscriber
    self.failure = failure
  }

  func receive(subscription: any Subscription) { subscriber.receive(subscription: subscription) }

  func receive(_ input: Tested.Input) -> Subscribers.Demand { subscriber.receive(input) }

  func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    if completion != .finished, let failure {
      subscriber.receive(completion: .failure(failure))
    } else {
      subscriber.receive(completion: .finished)
    }
  }
}
