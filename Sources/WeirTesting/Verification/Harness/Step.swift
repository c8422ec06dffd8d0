import Weir

/// A step of a script.
enum Step: Hashable {
  case request(Int)
  case requestUnlimited
  case cancel
  case send
  case finish
  case fail
  /// The upstream sends a subscription: a delayed first one, or an extra one.
  case sendSubscription
  case wait

  /// The step in the words of a report.
  func text(value: String, sender: String) -> String {
    switch self {
    case .request(let count): "request(\(count))"
    case .requestUnlimited: "request(unlimited)"
    case .cancel: "cancel()"
    case .send: "\(sender) sends \(value)"
    case .finish: "\(sender) finishes"
    case .fail: "\(sender) fails"
    case .sendSubscription: "\(sender) sends a subscription"
    case .wait: "10 s pass"
    }
  }
}

/// The conforming behavior of a run's subscriber.
enum SubscriberBehavior: Hashable {
  case plain
  /// It returns demand for one value with each value.
  case returnsOne
  /// It returns demand for one value with the first value.
  case returnsOneOnce
  /// It requests one value when it receives the subscription, and one during each value.
  case requestsInside
  /// It requests one value during each value, so that values may wait for its first request.
  case requestsInValues
  /// It requests three values during the first value.
  case requestsThreeOnce
  /// It cancels during the first value.
  case cancelsInside
  case cancelsInSubscription
  /// It sends a value into the subject during the first value.
  case sendsInside

  /// The behaviors that scripts are run with, besides the plain one.
  static func scripted(for kind: VerificationTarget.Kind) -> [SubscriberBehavior] {
    let all: [SubscriberBehavior] = [
      .returnsOne, .returnsOneOnce, .requestsInside, .requestsInValues, .cancelsInside, .cancelsInSubscription,
    ]
    return kind == .subject ? all + [.sendsInside] : all
  }

  /// Whether it calls the tested object while it receives the subscription, or during a value.
  var callsBack: Bool {
    switch self {
    case .plain, .returnsOne, .returnsOneOnce: false
    case .requestsInside, .requestsInValues, .requestsThreeOnce, .cancelsInside, .cancelsInSubscription, .sendsInside:
      true
    }
  }

  /// The behavior in the words of a report.
  var text: String? {
    switch self {
    case .plain: nil
    case .returnsOne: "The subscriber returns a demand of 1 for each value."
    case .returnsOneOnce: "The subscriber returns a demand of 1 for the first value."
    case .requestsInside: "The subscriber requests 1 while it receives the subscription, and 1 during each value."
    case .requestsInValues: "The subscriber requests 1 during each value."
    case .requestsThreeOnce: "The subscriber requests 3 during the first value."
    case .cancelsInside: "The subscriber cancels during the first value."
    case .cancelsInSubscription: "The subscriber cancels while it receives the subscription."
    case .sendsInside: "The subscriber sends a value during the first value."
    }
  }
}

/// The behavior of a run's upstream.
enum UpstreamBehavior: Hashable {
  /// It conforms to the contract.
  case good
  /// It sends any event at any time, also after a completion or a cancellation, and extra subscriptions.
  case nonconforming
  /// It is nonconforming before it has sent a subscription.
  case early
  /// It conforms to the contract.
  ///
  /// It sends this many values by itself, as they are requested, and the completion.
  case counting(Int)
}
