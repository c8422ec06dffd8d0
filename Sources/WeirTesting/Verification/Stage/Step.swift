import Weir

/// What is done to something that is verified.
enum Step: Hashable {
  case request(Int)
  case requestUnlimited
  case cancel
  case send
  case finish
  case fail
  /// The upstream sends a subscription: the first one if it has been held back, or one too many.
  case sendSubscription
  case wait

  /// The step as a report shows it.
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

/// How the subscriber of a run behaves by itself, within the rules.
enum SubscriberManner: Hashable, CaseIterable {
  case plain
  /// It returns demand for one value more with each.
  case returnsOne
  /// It requests one value in the subscription and one more in each.
  case requestsInside
  /// It cancels in the first value.
  case cancelsInside
  case cancelsInSubscription

  /// The manner as a report shows it.
  var text: String? {
    switch self {
    case .plain: nil
    case .returnsOne: "The subscriber returns demand for one more with each value."
    case .requestsInside: "The subscriber requests one value in the subscription, and one more in each."
    case .cancelsInside: "The subscriber cancels in the first value."
    case .cancelsInSubscription: "The subscriber cancels in the subscription."
    }
  }
}

/// How the upstream of a run behaves.
enum UpstreamConduct: Hashable {
  /// It keeps the rules.
  case good
  /// It sends what it likes when it likes, also after the end and a cancel, and other subscriptions.
  case rude
  /// It is rude before it has sent a subscription.
  case early
  /// It keeps the rules and sends so many values by itself when they are asked for, and the end.
  case counting(Int)
}
