/// Tracks whether a publisher follows the rules towards one subscriber.
struct Conduct {
  var step = LiveSubscription.Step.State.waitsForSubscription
  var requested = Subscribers.Demand.none
  var received = 0

  /// The violation of a rule, as the predicate of a sentence about the publisher.
  struct Violation: CustomStringConvertible {
    let rule: String
    var detail = ""

    var description: String { rule + detail }

    static var secondSubscription: Violation { Violation(rule: "sent a second subscription") }
    static var earlyValue: Violation { Violation(rule: "sent a value before its subscription") }
    static var lateValue: Violation { Violation(rule: "sent a value after its completion") }
    static var secondEnd: Violation { Violation(rule: "sent a second completion") }
    static var earlyEnd: Violation { Violation(rule: "sent a completion before its subscription") }
    static var secondThread: Violation { Violation(rule: "sent on two threads at the same time") }

    static func value(beyond demand: Subscribers.Demand) -> Violation {
      Violation(rule: "sent a value beyond the demand", detail: " of \(demand)")
    }
  }

  /// The finding about an event.
  enum Fault {
    /// The event violates a rule.
    case violation(Violation)
    /// The event is a failure after the termination.
    case lateFailure(any Error)
    /// The event is a failure that terminates the subscription.
    case failure(any Error)
  }

  // MARK: Events

  mutating func noteSubscription() -> Fault? {
    guard step == .waitsForSubscription else { return step.isTerminated ? nil : .violation(.secondSubscription) }
    step = .waitsForDemand
    update()
    return nil
  }

  mutating func noteRequest(_ demand: Subscribers.Demand) {
    requested += demand
    update()
  }

  mutating func noteValue() -> Fault? {
    switch step {
    case .waitsForSubscription: return .violation(.earlyValue)
    case .finished, .failed: return .violation(.lateValue)
    case .cancelled: return nil
    case .waitsForDemand: return .violation(.value(beyond: requested))
    case .waitsForValue:
      received += 1
      update()
      return nil
    }
  }

  mutating func noteEnd<Failure: Error>(_ completion: Subscribers.Completion<Failure>) -> Fault? {
    var error: (any Error)?
    if case .failure(let failure) = completion { error = failure }
    let before = step
    if before.isTerminated {
      if let error { return .lateFailure(error) }
      return before == .cancelled ? nil : .violation(.secondEnd)
    }
    step = error == nil ? .finished : .failed
    if before == .waitsForSubscription { return .violation(.earlyEnd) }
    return error.map { .failure($0) }
  }

  mutating func noteCancel() {
    if !step.isTerminated { step = .cancelled }
  }

  private mutating func update() {
    guard step == .waitsForDemand || step == .waitsForValue else { return }
    step = requested > .max(received) ? .waitsForValue : .waitsForDemand
  }
}
