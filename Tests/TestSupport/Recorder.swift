import Weir

/// An event that a subscriber received.
enum Event<Input: Equatable & Sendable>: Equatable, Sendable {
  case subscription
  case value(Input)
  case finished
  case failed(TestError)
}

/// The failure of the tests.
enum TestError: Error, Equatable {
  case oops
  case other
}

/// A subscriber that requests the demand that it is told to, and records every event.
final class Recorder<Input: Equatable & Sendable, Failure: Error>: Subscriber, Cancellable {
  private(set) var events: [Event<Input>] = []
  private(set) var subscription: (any Subscription)?

  /// A closure that runs in each delivery and returns the demand.
  var onValue: (Input) -> Subscribers.Demand
  var onSubscription: (any Subscription) -> Void
  var onCompletion: () -> Void = {}

  /// - Parameters:
  ///   - initial: The demand that it requests at the subscription.
  ///   - returning: The demand that it returns for each value.
  init(demanding initial: Subscribers.Demand = .none, returning: Subscribers.Demand = .none) {
    onSubscription = { if initial > .none { $0.request(initial) } }
    onValue = { _ in returning }
  }

  deinit { userRelease("the deinit of a subscriber") }

  var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  var isFinished: Bool { events.last == .finished }

  func request(_ demand: Subscribers.Demand) {
    subscription?.request(demand)
  }

  func cancel() {
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    userCode("receive(subscription:)")
    events.append(.subscription)
    self.subscription = subscription
    onSubscription(subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    userCode("receive(_:)")
    events.append(.value(input))
    return onValue(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    userCode("receive(completion:)")
    switch completion {
    case .finished: events.append(.finished)
    case .failure(let error): events.append(.failed(error as? TestError ?? .other))
    }
    onCompletion()
  }
}

extension Publisher where Output: Equatable & Sendable {
  /// Attaches a recorder and returns it.
  func record(
    demanding demand: Subscribers.Demand = .none, returning: Subscribers.Demand = .none
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(demanding: demand, returning: returning)
    subscribe(recorder)
    return recorder
  }
}
