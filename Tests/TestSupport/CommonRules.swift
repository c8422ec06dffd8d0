import Testing
import Weir

/// The events of a nonconforming upstream that an operator ignores.
enum Guarding {
  /// A stateful operator ignores events before the subscription, after a completion and after a cancellation.
  case everything
  /// An operator with its own subscription ignores a second one, and events after a completion or a cancellation.
  case ends
  /// A stateless operator forwards all events, beginning with the upstream's own subscription.
  case nothing
}

/// Drives an operator through the rules for all operators.
///
/// - Parameters:
///   - name: The description of the subscription; `nil` if it is the upstream's own.
///   - guarding: The events that it ignores.
///   - announcesItself: Whether it sends its subscription immediately, not when the upstream's arrives.
///   - failure: The result of the upstream's `.oops`; `nil` if the failure is not terminal.
///   - sourceLocation: The location to report for an issue.
///   - operation: Applies the operator to a source; its closures capture the token.
func checkCommonRules<P: Publisher>(
  named name: String?, guarding: Guarding = .everything, announcesItself: Bool = false,
  failingWith failure: TestError? = .oops, sourceLocation: SourceLocation = #_sourceLocation,
  of operation: @escaping (AnyPublisher<Int, TestError>, Token) -> P
) where P.Output: Equatable & Sendable {
  let rules = CommonRules(
    name: name, guarding: guarding, announcesItself: announcesItself, failure: failure, location: sourceLocation,
    operation: operation)
  rules.subscriptionComesFirst()
  rules.extraSubscriptionsAreCancelled()
  rules.cancelsBeforeTheSubscription()
  rules.cancelsInsideTheSubscription()
  rules.cancelsInsideADelivery()
  rules.staysSilentAfterACancel()
  rules.staysSilentAfterTheFinish()
  rules.fails()
  rules.deliversTheSameWhateverTheDemand()
  rules.servesEachSubscriberByItself()
  rules.releasesTheSubscriber()
  rules.releasesTheUpstream()
}

private struct CommonRules<P: Publisher> where P.Output: Equatable & Sendable {
  let name: String?
  let guarding: Guarding
  let announcesItself: Bool
  let failure: TestError?
  let location: SourceLocation
  let operation: (AnyPublisher<Int, TestError>, Token) -> P

  typealias Manual = ManualPublisher<Int, TestError>

  func apply(to source: some Publisher<Int, TestError>) -> P {
    operation(source.eraseToAnyPublisher(), Token())
  }

  func subscriptionComesFirst() {
    let manual = Manual(subscribing: false)
    let recorder = apply(to: manual).record(demanding: .unlimited)
    #expect(
      recorder.events == (announcesItself ? [.subscription] : []), "An event arrived before the subscription.",
      sourceLocation: location)
    if guarding == .everything {
      #expect(manual.send(1) == .none, "An early value returned demand.", sourceLocation: location)
      manual.send(completion: .finished)
      #expect(recorder.events == [], "An early event was forwarded.", sourceLocation: location)
    }
    manual.sendSubscription()
    #expect(recorder.events == [.subscription], sourceLocation: location)
    #expect(
      recorder.subscription.map { String(describing: $0) } == name ?? "Manual", "The subscription has another name.",
      sourceLocation: location)
    #expect(
      !manual.events.isEmpty && !manual.events.contains(.requested(.none)),
      "The upstream received no request, or one for 0 values.",
      sourceLocation: location)
  }

  func extraSubscriptionsAreCancelled() {
    if guarding == .nothing { return }
    let manual = Manual()
    let recorder = apply(to: manual).record(demanding: .unlimited)
    #expect(
      manual.sendSubscription().events == [.cancelled], "A second subscription was not cancelled, or also used.",
      sourceLocation: location)
    #expect(
      recorder.events == [.subscription], "A second subscription was passed downstream.", sourceLocation: location)
    #expect(
      manual.subscriptions.first?.isCancelled == false, "The first subscription was cancelled.",
      sourceLocation: location)
    recorder.cancel()
    #expect(
      manual.sendSubscription().events == [.cancelled], "A late subscription was not cancelled, or also used.",
      sourceLocation: location)
    #expect(recorder.events == [.subscription], sourceLocation: location)
  }

  func cancelsBeforeTheSubscription() {
    let manual = Manual(subscribing: false)
    var events = 0
    let sink = Subscribers.Sink<P.Output, P.Failure>(
      receiveCompletion: { _ in events += 1 }, receiveValue: { _ in events += 1 })
    apply(to: manual).subscribe(sink)
    sink.cancel()
    #expect(
      manual.sendSubscription().events == [.cancelled], "The subscription was not cancelled, or also used.",
      sourceLocation: location)
    manual.send(1)
    manual.send(completion: .finished)
    #expect(events == 0, "An event arrived after the cancellation.", sourceLocation: location)
  }

  func cancelsInsideTheSubscription() {
    let manual = Manual()
    let recorder = Recorder<P.Output, P.Failure>()
    recorder.onSubscription = { $0.cancel() }
    apply(to: manual).subscribe(recorder)
    // An operator that announces itself doesn't attach to its upstream then.
    if announcesItself, manual.subscriptions.isEmpty { return }
    #expect(manual.events == [.cancelled], "The upstream was not cancelled, or also used.", sourceLocation: location)
    if guarding == .nothing { return }
    manual.send(1)
    manual.send(completion: .finished)
    #expect(recorder.events == [.subscription], "An event arrived after the cancellation.", sourceLocation: location)
  }

  func cancelsInsideADelivery() {
    let recorder = Recorder<P.Output, P.Failure>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    apply(to: inputs).subscribe(recorder)
    #expect(recorder.events.count == 2 && recorder.values.count == 1, "\(recorder.events)", sourceLocation: location)
  }

  func staysSilentAfterACancel() {
    if guarding == .nothing { return }
    let manual = Manual()
    let recorder = apply(to: manual).record(demanding: .max(9))
    manual.send(1)
    let events = recorder.events
    let isTerminated = manual.events.contains(.cancelled)
    recorder.cancel()
    recorder.cancel()
    let asked = manual.events
    #expect(
      asked.count { $0 == .cancelled } == 1, "The upstream was not cancelled exactly once.", sourceLocation: location)
    #expect(isTerminated || asked.last == .cancelled, sourceLocation: location)
    recorder.request(.max(1))
    #expect(manual.send(2) == .none, "A value after the cancellation returned demand.", sourceLocation: location)
    manual.send(completion: .failure(.oops))
    manual.send(completion: .finished)
    #expect(recorder.events == events, "An event arrived after the cancellation.", sourceLocation: location)
    #expect(manual.events == asked, "The upstream received a late request.", sourceLocation: location)
  }

  func staysSilentAfterTheFinish() {
    if guarding == .nothing { return }
    let manual = Manual()
    let recorder = apply(to: manual).record(demanding: .unlimited)
    manual.send(1)
    let asked = manual.events
    manual.send(completion: .finished)
    let events = recorder.events
    #expect(events.last == .finished, sourceLocation: location)
    #expect(manual.send(2) == .none, "A value after the completion returned demand.", sourceLocation: location)
    manual.send(completion: .failure(.oops))
    manual.send(completion: .finished)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.events == events, "An event arrived after the completion.", sourceLocation: location)
    #expect(manual.events == asked, "The upstream received a late request.", sourceLocation: location)
  }

  func fails() {
    guard let failure else { return }
    let manual = Manual()
    let recorder = apply(to: manual).record()
    manual.send(completion: .failure(.oops))
    #expect(
      recorder.events == [.subscription, .failed(failure)], "A failure was not delivered exactly once without demand.",
      sourceLocation: location)
    if guarding == .nothing { return }
    manual.send(completion: .failure(.oops))
    manual.send(completion: .finished)
    recorder.cancel()
    #expect(recorder.events == [.subscription, .failed(failure)], sourceLocation: location)
    #expect(!manual.events.contains(.cancelled), "A failed upstream was cancelled.", sourceLocation: location)
  }

  // MARK: Demand

  /// Six values, two of them equal, and the completion.
  var inputs: AnyPublisher<Int, TestError> {
    [1, 2, 2, 3, 4, 5].publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()
  }

  var failingInputs: AnyPublisher<Int, TestError> {
    inputs.append(Fail<Int, TestError>(error: .oops)).eraseToAnyPublisher()
  }

  func deliversTheSameWhateverTheDemand() {
    for (source, label) in [(inputs, "finishing"), (failingInputs, "failing")] {
      let publisher = apply(to: source)
      let expected = publisher.record(demanding: .unlimited).events
      #expect(expected.count > 1, "The example has no values.", sourceLocation: location)

      let patient = publisher.record()
      #expect(patient.values.isEmpty, "A value arrived without demand, \(label).", sourceLocation: location)
      for asked in 1...expected.count {
        patient.request(.max(1))
        #expect(patient.values.count <= asked, "The values exceed the demand, \(label).", sourceLocation: location)
      }
      #expect(patient.events == expected, "With requests of 1, \(label).", sourceLocation: location)

      let several = publisher.record(demanding: .max(2))
      #expect(several.values.count <= 2, "The values exceed the demand, \(label).", sourceLocation: location)
      several.request(.max(1))
      #expect(several.values.count <= 3, "The values exceed the demand, \(label).", sourceLocation: location)
      several.request(.unlimited)
      #expect(several.events == expected, "With several requests, \(label).", sourceLocation: location)

      let returning = publisher.record(demanding: .max(1), returning: .max(1))
      #expect(returning.events == expected, "With returned demand of 1, \(label).", sourceLocation: location)

      let reentrant = Recorder<P.Output, P.Failure>(demanding: .max(1))
      var depth = 0
      reentrant.onValue = { [unowned reentrant] _ in
        depth += 1
        defer { depth -= 1 }
        #expect(depth == 1, "A delivery was nested in another, \(label).", sourceLocation: location)
        reentrant.request(.max(1))
        return .none
      }
      publisher.subscribe(reentrant)
      #expect(reentrant.events == expected, "With nested requests of 1, \(label).", sourceLocation: location)
    }
  }

  func servesEachSubscriberByItself() {
    let publisher = apply(to: inputs)
    let expected = publisher.record(demanding: .unlimited).events
    let first = publisher.record(demanding: .max(1))
    let second = publisher.record(demanding: .max(2))
    first.request(.unlimited)
    #expect(first.events == expected, "The first subscriber.", sourceLocation: location)
    second.request(.unlimited)
    #expect(second.events == expected, "The second subscriber.", sourceLocation: location)
  }

  // MARK: Lifetime

  /// The source and the subscription outlive the completion; the subscriber and the closures must not.
  func releasesTheSubscriber() {
    for ending in Ending.allCases {
      let subject = PassthroughSubject<Int, TestError>()
      let kept = Box<(any Subscription)?>(nil)
      let isReleased = isReleased { token in
        let recorder = operation(subject.eraseToAnyPublisher(), token).record(demanding: .unlimited)
        recorder.onCompletion = { withExtendedLifetime(token) {} }
        kept.value = recorder.subscription
        ending.happen(to: subject, recorder)
      }
      #expect(isReleased, "The subscriber outlives its completion: \(ending).", sourceLocation: location)
      withExtendedLifetime((subject, kept)) {}
    }
    let subject = PassthroughSubject<Int, TestError>()
    #expect(
      isReleased { token in
        let recorder = Recorder<P.Output, P.Failure>(demanding: .unlimited)
        recorder.onValue = { [unowned recorder] _ in
          recorder.cancel()
          return withExtendedLifetime(token) { .none }
        }
        operation(subject.eraseToAnyPublisher(), token).subscribe(recorder)
        subject.send(1)
        subject.send(completion: .finished)
      }, "The subscriber outlives a cancellation during a delivery.", sourceLocation: location)
    let early = Manual(subscribing: false)
    #expect(
      isReleased { token in
        let sink = Subscribers.Sink<P.Output, P.Failure>(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in withExtendedLifetime(token) {} })
        operation(early.eraseToAnyPublisher(), token).subscribe(sink)
        sink.cancel()
        early.sendSubscription()
        early.releaseSubscribers()
      }, "The subscriber outlives a cancellation before the subscription.", sourceLocation: location)
    let other = PassthroughSubject<Int, TestError>()
    #expect(
      isReleased { token in
        let cancellable = operation(other.eraseToAnyPublisher(), token).sink(
          receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
        other.send(1)
        withExtendedLifetime(cancellable) {}
      }, "The subscriber outlives the cancellable.", sourceLocation: location)
    #expect(
      isReleased { token in _ = operation(other.eraseToAnyPublisher(), token) },
      "The operator is retained without a subscriber.", sourceLocation: location)
    withExtendedLifetime((subject, other)) {}
  }

  /// The subscription outlives the completion; the upstream must not.
  func releasesTheUpstream() {
    for demand in [Subscribers.Demand.max(1), .unlimited] {
      let kept = Box<(any Subscription)?>(nil)
      let isReleased = isReleased { token in
        let source = sequence(state: (token, 0)) { state -> Int? in
          state.1 += 1
          return state.1 < 7 ? state.1 : nil
        }
        let recorder = apply(to: source.publisher.setFailureType(to: TestError.self)).record(demanding: demand)
        kept.value = recorder.subscription
        if !recorder.isFinished { recorder.cancel() }
      }
      #expect(isReleased, "The upstream outlives the completion, demand \(demand).", sourceLocation: location)
      withExtendedLifetime(kept) {}
    }
  }
}
