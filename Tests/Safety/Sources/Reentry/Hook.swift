// The user code that runs inside an operator and sends into the subject that feeds it.

import Weir

/// What a hook does when it is reached.
struct Plan {
  enum Number: CaseIterable {
    case same, greater, less
  }

  /// How many calls pass before the first that sends.
  let skipped: Int
  /// How many calls send.
  let count: Int
  /// The number that is sent, compared with that of the outer send.
  ///
  /// Each operator shows a fault with another one.
  let number: Number

  // The closure runs at most once for each of five values, so the hook also sends during the last value.
  static let all: [Plan] = (0..<6).flatMap { skipped in
    (1...2).flatMap { count in
      Number.allCases.map { Plan(skipped: skipped, count: count, number: $0) }
    }
  }
}

/// Sends a bounded number of values when user code is reached inside an operator, and logs the order of all sends.
final class Hook {
  typealias Source = PassthroughSubject<Token, Oops>

  /// What was sent: a number, or `nil` for the completion.
  private(set) var log: [Int?] = []
  private(set) var fired = 0

  private let place: Place?
  private let plan: Plan
  private var subject: Source?
  private var calls = 0
  private var current = 0
  // A value that is released outside of a send was not retained by the operator.
  private var isSending = false

  /// Without a place the hook does nothing.
  init(_ place: Place?, _ plan: Plan, _ subject: Source) {
    self.place = place
    self.plan = plan
    self.subject = subject
  }

  func token(_ number: Int) -> Token { Token(number, self) }

  /// Sends the next event from outside of the operator.
  func send(_ number: Int?) {
    current = number ?? current
    isSending = true
    post(number)
    isSending = false
  }

  /// User code has been reached inside the operator.
  func reach(_ place: Place) {
    guard place == self.place, isSending else { return }
    calls += 1
    guard calls > plan.skipped, fired < plan.count else { return }
    fired += 1
    switch plan.number {
    case .same: post(current)
    case .greater: post(current * 10 + fired)
    case .less: post(-current)
    }
  }

  /// Ends the cycle of references between the hook and the subject.
  func detach() { subject = nil }

  private func post(_ number: Int?) {
    log.append(number)
    guard let number else {
      subject?.send(completion: .finished)
      return
    }
    // Retained until the send has returned, so that the operator releases earlier values only.
    let token = token(number)
    subject?.send(token)
    withExtendedLifetime(token) {}
  }
}
