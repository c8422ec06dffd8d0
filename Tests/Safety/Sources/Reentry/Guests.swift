// Subscribers that come in a delivery and leave inside what is delivered to them. They are structs, so only the subject
// retains what they capture. Each uses it after it has left.

import Cases
import Weir

var guestCases: [Case] {
  ["passthrough", "current"].flatMap { kind in
    Exit.allCases.map { exit in
      Case("guest/\(kind)/\(exit.rawValue)") { fault(kind == "current", exit) }
    }
  }
}

/// Where a guest cancels its subscription.
private enum Exit: String, CaseIterable {
  case subscription
  case value
  case valueBeforeNested = "value-before-nested"
  case valueAfterNested = "value-after-nested"
  case nestedValue = "nested-value"
  case request
  case completion
}

/// The memory of a guest, which only its subject retains.
private final class Belongings {
  nonisolated(unsafe) static var live = 0  // Safety: this program has one thread.

  var subscription: (any Subscription)?
  var isDamaged: Bool { numbers.contains { $0 != 7 } }

  private let numbers = Array(repeating: 7, count: 32)

  init() { Belongings.live += 1 }

  deinit { Belongings.live -= 1 }

  /// Cancels the subscription, and allocates what would take the place of memory that this has released.
  func cancel() {
    guard let subscription else { return }
    self.subscription = nil
    subscription.cancel()
    let others = (1...64).map { Array(repeating: 0, count: $0) }
    withExtendedLifetime(others) {}
  }
}

/// What the guests of one case share.
private final class Visit {
  let subject: any Subject<Int, Never>
  let exit: Exit
  var usesAfterCancel = 0
  var isDamaged = false

  init(_ subject: any Subject<Int, Never>, _ exit: Exit) {
    self.subject = subject
    self.exit = exit
  }
}

private struct Guest: Subscriber {
  let combineIdentifier = CombineIdentifier()
  let visit: Visit
  let belongings = Belongings()

  func receive(subscription: any Subscription) {
    belongings.subscription = subscription
    subscription.request(visit.exit == .request ? .max(1) : .unlimited)
    if visit.exit == .subscription { leave() }
  }

  func receive(_ value: Int) -> Subscribers.Demand {
    let next = value + 1
    switch visit.exit {
    case .value: leave()
    case .valueBeforeNested:
      leave()
      if next < 12 { visit.subject.send(next) }
    case .valueAfterNested:
      if next < 12 { visit.subject.send(next) }
      leave()
    case .nestedValue: if next < 8 { visit.subject.send(next) } else { leave() }
    case .request:
      belongings.subscription?.request(.max(1))
      leave()
    case .subscription, .completion: break
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { leave() }

  private func leave() {
    belongings.cancel()
    if belongings.isDamaged { visit.isDamaged = true }
    visit.usesAfterCancel += 1
  }
}

/// Describes what guests of a delivery have seen.
private func fault(_ isCurrent: Bool, _ exit: Exit) -> String? {
  for _ in 0..<50 {
    let visit = invite(isCurrent, exit)
    if visit.isDamaged { return "the memory of a subscriber was released while its code ran" }
    if visit.usesAfterCancel == 0 { return "no subscriber has left: the case tests nothing" }
  }
  return Belongings.live == 0 ? nil : "leaked \(Belongings.live) subscribers"
}

/// Not inlined, so that the subject is released when it returns.
@inline(never)
private func invite(_ isCurrent: Bool, _ exit: Exit) -> Visit {
  let subject: any Subject<Int, Never> =
    isCurrent ? CurrentValueSubject<Int, Never>(0) : PassthroughSubject<Int, Never>()
  let visit = Visit(subject, exit)
  let host = subject.eraseToAnyPublisher().sink { value in
    guard value == 1 else { return }
    for step in 2..<8 {
      visit.subject.subscribe(Guest(visit: visit))
      visit.subject.send(step)
    }
    visit.subject.send(completion: .finished)
  }
  subject.send(1)
  host.cancel()
  return visit
}
