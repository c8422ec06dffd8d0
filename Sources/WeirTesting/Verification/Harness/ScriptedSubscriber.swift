import Weir

/// The actions of a harness on its subscriber.
protocol SubscriberHandle: AnyObject {
  var subscription: (any Subscription)? { get }
  func request(_ demand: Subscribers.Demand)
  func cancel()

  /// Releases the subscription, which retains the subscriber.
  ///
  /// No more events may follow.
  func releaseSubscription()
}

/// A subscriber that records events, and acts as its manner says.
final class ScriptedSubscriber<Input, Failure: Error>: Subscriber, SubscriberHandle {
  private let trace: Trace
  private let manner: SubscriberBehavior
  private(set) var subscription: (any Subscription)?
  private var isCancelled = false
  private var isCompleted = false
  private var valueCount = 0
  /// The number of deliveries in which this thread is.
  private var depth = 0

  init(trace: Trace, manner: SubscriberBehavior) {
    self.trace = trace
    self.manner = manner
  }

  deinit { UserCode.releases("the deinit of a subscriber") }

  func request(_ demand: Subscribers.Demand) {
    trace.note(.asks(demand))
    subscription?.request(demand)
  }

  func releaseSubscription() {
    // An assignment would release the old value before it stores the new one, and a `deinit` may re-enter this method.
    let before = subscription.take()
    withExtendedLifetime(before) {}
  }

  func cancel() {
    trace.note(.cancels)
    isCancelled = true
    subscription?.cancel()
    trace.note(.cancelReturned)
  }

  func receive(subscription: any Subscription) {
    trace.note(.subscription(String(describing: subscription)))
    if self.subscription != nil { return subscription.cancel() }
    self.subscription = subscription
    Attachments.note(subscription, as: .subscription)
    UserCode.runs("receive(subscription:) of a subscriber")
    trace.onArrival(.subscription, self)
    switch manner {
    case .requestsInside: request(.max(1))
    case .cancelsInSubscription: cancel()
    case .plain, .returnsOne, .returnsOneOnce, .requestsInValues, .requestsThreeOnce, .cancelsInside, .sendsInside:
      break
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    trace.note(.value("\(input)"))
    defer { trace.note(.left) }
    UserCode.runs("receive(_:) of a subscriber")
    trace.onArrival(.value, self)
    return answer()
  }

  /// Acts in a delivery, and returns the demand for it.
  private func answer() -> Subscribers.Demand {
    valueCount += 1
    depth += 1
    defer { depth -= 1 }
    switch manner {
    case .returnsOneOnce where valueCount > 1: return .none
    case .returnsOne, .returnsOneOnce:
      trace.note(.returns(.max(1)))
      return .max(1)
    case .requestsInside where mayRequest, .requestsInValues where mayRequest: request(.max(1))
    case .requestsThreeOnce where valueCount == 1: request(.max(3))
    case .cancelsInside where !isCancelled: cancel()
    case .plain, .requestsInside, .requestsInValues, .requestsThreeOnce, .cancelsInside, .cancelsInSubscription,
      .sendsInside:
      break
    }
    return .none
  }

  /// Whether it requests in a delivery.
  ///
  /// A publisher that sends a value at each request, nested or after its completion, would never stop.
  private var mayRequest: Bool { !isCompleted && depth < 100 }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: trace.note(.completion("finished", isFailure: false))
    case .failure(let error): trace.note(.completion("failure(\(error))", isFailure: true))
    }
    isCompleted = true
    UserCode.runs("receive(completion:) of a subscriber")
    trace.onArrival(.completion, self)
    trace.note(.left)
  }
}
