// Actions on a pipeline: by the script of a case from outside, and by user code inside an operator.

import Weir

/// An action in the log of a run.
package enum Act {
  case subscribe
  case value(Int)
  case finish
  case fail
  /// The first subscriber requests this much additional demand.
  case request(Subscribers.Demand)
  /// The first subscriber cancels.
  case cancel
  case connect
  /// The connections are canceled.
  case disconnect
  /// Time passes for the scheduler of the pipeline.
  case advance
}

extension Act: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let number): "\(number)"
    case .subscribe: "subscribe"
    case .finish: "finish"
    case .fail: "fail"
    case .request: "request"
    case .cancel: "cancel"
    case .connect: "connect"
    case .disconnect: "disconnect"
    case .advance: "advance"
    }
  }
}

/// An action of user code at a place: the last part of the name of a case.
package enum Deed: String, CaseIterable {
  case send, several, finish, fail, cancel, request, subscribe, connect

  /// The deeds that are possible for a pipeline that a subject feeds.
  package static let feeding: [Deed] = [.send, .several, .finish, .fail, .cancel, .request, .subscribe]

  /// The deeds that are possible for a source that sends by itself.
  package static let asking: [Deed] = [.cancel, .request, .subscribe]

  /// The actions for a source that never fails or completes.
  package static let endless: [Deed] = [.send, .several, .cancel, .request, .subscribe]
}

/// The time of user code's action, and its parameters.
package struct Plan {
  package enum Number: CaseIterable {
    case same, greater, less
  }

  /// The number of calls before the first action.
  let skipped: Int
  /// The number of calls that act.
  let count: Int
  /// The number that is sent, compared with that of the outer send.
  ///
  /// Each operator shows a fault with a different one.
  let number: Number

  package init(skipped: Int, count: Int, number: Number) {
    self.skipped = skipped
    self.count = count
    self.number = number
  }

  /// A run in which user code doesn't act.
  package static let none = Plan(skipped: 0, count: 0, number: .same)

  // The closure runs at most once for each of five values, so the hook also acts during the last value.
  package static func all(for deed: Deed) -> [Plan] {
    let numbers: [Number] = deed == .send || deed == .several ? Number.allCases : [.same]
    let counts = deed == .several ? 1...1 : 1...2
    return (0..<6).flatMap { skipped in
      counts.flatMap { count in numbers.map { Plan(skipped: skipped, count: count, number: $0) } }
    }
  }
}

/// The actions from outside in a run.
package enum Script {
  package static let all: [[Act]] = [
    [.subscribe, .value(3), .value(1), .value(4), .value(2), .value(5), .request(.unlimited), .finish],
    [.subscribe, .value(3), .value(1), .value(4), .request(.unlimited), .value(2), .cancel, .value(5)],
    [.subscribe, .value(3), .value(1), .value(2), .fail, .request(.unlimited)],
  ]

  /// The script with a connection, which follows the first subscriber.
  package static func connected(_ script: [Act]) -> [Act] { script.prefix(1) + [.connect] + script.dropFirst() }

  /// The script with time: before the end, some values are due and others are not.
  package static func timed(_ script: [Act]) -> [Act] {
    var timed: [Act] = []
    for (index, act) in script.enumerated() {
      timed.append(act)
      if index == 0 || index % 2 == 0 { timed.append(.advance) }
    }
    return timed + [.advance, .advance, .advance, .advance]
  }
}
