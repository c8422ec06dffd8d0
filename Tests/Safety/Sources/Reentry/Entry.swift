// One operator in the table, and its test. The operator must send what it sends when it receives the same values one
// after the other, in the order in which the sends began: input that arrives during an operation is enqueued.

import Cases
import Weir

typealias Tokens = AnyPublisher<Token, Oops>

/// An operator with state, and the places where it runs user code.
struct Entry {
  let name: String
  let places: [Place]
  let demand: Subscribers.Demand
  let make: (Tokens, Hook) -> AnyPublisher<String, Oops>

  /// Makes an entry; `demand` is the demand at first.
  ///
  /// After the last value the recorder requests unlimited demand.
  init<Output, Failure: Error>(
    _ name: String, _ places: [Place], demand: Subscribers.Demand = .unlimited,
    _ make: @escaping (Tokens, Hook) -> AnyPublisher<Output, Failure>
  ) {
    self.name = name
    self.places = places
    self.demand = demand
    self.make = { shown(make($0, $1)) }
  }

  var cases: [Case] {
    places.map { place in Case("\(name)/\(place)") { fault(at: place) } }
  }

  /// Describes the first round whose events are not those of the serial order.
  private func fault(at place: Place) -> String? {
    var fired = 0
    for round in 0..<6 * Plan.all.count {
      let plan = Plan.all[round % Plan.all.count]
      let (seen, log, count) = events(of: [3, 1, 4, 2, 5, nil], at: place, plan)
      fired += count
      let expected = events(of: log, at: nil, plan).seen
      if seen != expected {
        let sent = log.map { $0.map { "\($0)" } ?? "finished" }
        return "sent \(line(sent)): got \(line(seen)) instead of \(line(expected))"
      }
    }
    return fired > 0 ? nil : "the operator runs no user code here: the case tests nothing"
  }

  private func line(_ words: [String]) -> String { words.isEmpty ? "nothing" : words.joined(separator: " ") }

  private func events(of sent: [Int?], at place: Place?, _ plan: Plan) -> (seen: [String], log: [Int?], fired: Int) {
    let subject = Hook.Source()
    let hook = Hook(place, plan, subject)
    var source = subject.eraseToAnyPublisher()
    if place == .cancel {
      source = source.handleEvents(receiveCancel: { hook.reach(.cancel) }).eraseToAnyPublisher()
    }
    let recorder = Recorder(demand)
    make(source, hook).subscribe(recorder)
    for number in sent {
      if number == nil { recorder.request(.unlimited) }
      hook.send(number)
    }
    // An operator whose inner publisher doesn't complete would keep the recorder, which is no leak of the library's.
    recorder.cancel()
    hook.detach()
    return (recorder.seen, hook.log, hook.fired)
  }
}

/// Not inlined, so that one copy for each type of output is compiled, not one for each entry.
@inline(never)
private func shown<Output, Failure: Error>(
  _ publisher: AnyPublisher<Output, Failure>
) -> AnyPublisher<String, Oops> {
  publisher.map { String(describing: $0) }.mapError { _ in Oops() }.eraseToAnyPublisher()
}

/// Records what it receives.
private final class Recorder: Subscriber {
  typealias Input = String
  typealias Failure = Oops

  private(set) var seen: [String] = []
  private let demand: Subscribers.Demand
  private var subscription: (any Subscription)?

  init(_ demand: Subscribers.Demand) { self.demand = demand }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(demand)
  }

  func receive(_ input: String) -> Subscribers.Demand {
    seen.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Oops>) {
    switch completion {
    case .finished: seen.append("finished")
    case .failure: seen.append("failed")
    }
    subscription = nil
  }
}
