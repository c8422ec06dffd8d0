// One row of the tables: how to build a pipeline whose values, closures and subscribers are user code.

import Weir

package typealias Tokens = AnyPublisher<Token, Oops>

/// Special properties of an entry.
package struct Traits: OptionSet {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The acts have no serial equivalent: several source subscriptions, requests for single values, or a property.
  package static let isUnordered = Traits(rawValue: 1)
  /// A value in flight follows a cancellation: the operator forwards its upstream's subscription, as in Combine.
  package static let passesSubscriptionOn = Traits(rawValue: 2)
  /// A failure overtakes the operator's buffered values.
  package static let letsFailureOvertake = Traits(rawValue: 4)
  /// A subscriber's values or requests may overtake pending ones: other open publishers, a later time.
  package static let letsReceiversOvertake = Traits(rawValue: 8)
  /// Subscribers share an operator's result.
  ///
  /// One that requests or arrives during the operation receives it.
  package static let sharesLater = Traits(rawValue: 32)
  /// Attaching the subscriber and forwarding its cancellation take time.
  package static let takesTime = Traits(rawValue: 64)
  /// No case needs its subscriber to act.
  package static let hasNoReceiver = Traits(rawValue: 16)
}

/// An operator, a source, a subject or a subscriber, and the places where it runs user code.
package struct Entry {
  package let name: String
  package let places: [Place]
  package let deeds: [Deed]
  package let demand: Subscribers.Demand
  package let traits: Traits
  package let make: (Hook) -> Stage

  /// Creates an entry; `demand` is the initial demand.
  ///
  /// Near the end the recorder requests unlimited demand.
  init(
    _ name: String, _ places: [Place], deeds: [Deed] = Deed.feeding, demand: Subscribers.Demand = .unlimited,
    _ traits: Traits = [], stage make: @escaping (Hook) -> Stage
  ) {
    self.name = name
    self.places = places
    self.deeds = deeds
    self.demand = demand
    self.traits = traits
    self.make = make
  }

  /// Creates the entry of an operator over a subject.
  init<Output, Failure: Error>(
    _ name: String, _ places: [Place], deeds: [Deed] = Deed.feeding, demand: Subscribers.Demand = .unlimited,
    _ traits: Traits = [], _ make: @escaping (Tokens, Hook) -> AnyPublisher<Output, Failure>
  ) {
    self.init(name, places, deeds: deeds, demand: demand, traits) { hook in
      let subject = PassthroughSubject<Token, Oops>()
      var source = subject.eraseToAnyPublisher()
      if hook.isForeign { source = Foreign(source: source).eraseToAnyPublisher() }
      if hook.place == .cancel {
        source = source.handleEvents(receiveCancel: { hook.reach(.cancel) }).eraseToAnyPublisher()
      }
      return Stage(
        publisher: shown(make(source, hook)), send: { subject.send($0) }, complete: { subject.send(completion: $0) })
    }
  }
}

/// A publisher that is created for each subscriber, so that it is the only owner of its captures and arguments.
func alone<Output, Failure: Error>(
  _ make: @escaping () -> AnyPublisher<Output, Failure>
) -> AnyPublisher<Output, Failure> {
  Deferred(createPublisher: make).eraseToAnyPublisher()
}

/// Not inlined, so that one copy for each type of output is compiled, not one for each entry.
@inline(never)
func shown<Output, Failure: Error>(_ publisher: AnyPublisher<Output, Failure>) -> AnyPublisher<String, Oops> {
  publisher.map { String(describing: $0) }.mapError { _ in Oops() }.eraseToAnyPublisher()
}

/// A publisher that is not Weir's.
private struct Foreign<Source: Publisher>: Publisher {
  typealias Output = Source.Output
  typealias Failure = Source.Failure

  let source: Source

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    source.subscribe(subscriber)
  }
}
