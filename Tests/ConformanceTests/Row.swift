import Testing
import Weir
import WeirTesting

import class Foundation.Thread

/// The values that rows are verified with: whatever is done with one runs user code.
typealias Value = VerificationValue

typealias Upstream = AnyPublisher<Int, UpstreamFailure>

typealias ValueUpstream = AnyPublisher<Value, UpstreamFailure>

/// A public type that is held to the contract, in one of its uses.
struct Row: CustomTestStringConvertible, Sendable {
  /// The type as ``publicTypes()`` names it.
  let type: String
  /// What it is called, if other functions make that type too, and what is special about it.
  let use: String
  /// Whether it is verified on the main actor, as what belongs there has to be.
  var isOnMainActor = false
  private let verify: @Sendable (_ name: String, _ length: Int, _ rounds: Int) -> VerificationReport

  /// The rules that it breaks with good reason.
  var excused: [String: String] = [:]

  var testDescription: String { use.isEmpty ? type : "\(type), \(use)" }

  /// Holds it to the rules of these numbers: with scripts of up to so many steps, and with so many rounds of races.
  ///
  /// It takes seconds, so it gets a thread of its own: other tests would miss the main actor as much as one of the few
  /// threads that run tasks.
  func report(length: Int, rounds: Int, rules: Set<String>) async -> VerificationReport {
    let verify = { @Sendable [verify, testDescription] in
      VerifiedRules.$current.withValue(rules) { verify(testDescription, length, rounds) }
    }
    if isOnMainActor { return await MainActor.run { verify() } }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: verify()) }
    }
  }

  /// What the upstreams send.
  private static let values = Value.upTo(1000)

  /// The upstream as a user's publisher, unless the row is verified on one of the library's.
  private static func watched(_ upstream: ValueUpstream) -> ValueUpstream {
    UserCode.isFedDirectly ? upstream : AnyPublisher(Watched(source: upstream, isUpstream: true))
  }

  /// Says why a rule is broken.
  func excusing(_ rule: String, because reason: String) -> Row {
    var row = self
    row.excused[rule] = reason
    return row
  }

  /// Says that an operator keeps no state, so what its closure sends is delivered first, as in Combine.
  func nesting(_ rules: String...) -> Row {
    rules.reduce(self) { $0.excusing($1, because: "it keeps no state: what its closure sends is delivered first") }
  }

  /// An operator between a subscriber and an upstream of numbers.
  static func op<P: Publisher & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = [],
    of make: @escaping @Sendable (ValueUpstream) -> P
  ) -> Row {
    Row(type: type, use: use) {
      OperatorVerification(values: values, traits, named: $0) { upstream in
        Watched(source: make(watched(upstream)), isUpstream: false)
      }.run(length: $1, rounds: $2)
    }
  }

  /// An operator that takes a scheduler.
  static func timed<P: Publisher & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = [],
    of make: @escaping @Sendable (ValueUpstream, VirtualTimeScheduler) -> P
  ) -> Row {
    Row(type: type, use: use) {
      OperatorVerification(values: values, traits, named: $0) { upstream, scheduler in
        Watched(source: make(watched(upstream), scheduler), isUpstream: false)
      }.run(length: $1, rounds: $2)
    }
  }

  /// A publisher without an upstream.
  static func source<P: Publisher & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = [], of make: @escaping @Sendable () -> P
  ) -> Row {
    Row(type: type, use: use) {
      PublisherVerification(traits, named: $0) { Watched(source: make(), isUpstream: false) }
        .run(length: $1, rounds: $2)
    }
  }

  /// A subject that may fail.
  static func subject<S: Subject & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = .deliversNested,
    of make: @escaping @Sendable () -> S
  ) -> Row where S.Output == Value, S.Failure == UpstreamFailure {
    Row(type: type, use: use) {
      SubjectVerification(values: values, failure: UpstreamFailure(), traits, named: $0, of: make)
        .run(length: $1, rounds: $2)
    }
  }

  /// What is sent to from outside and can't fail.
  static func hot(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = .deliversNested,
    of make: @escaping @MainActor @Sendable () -> Hot
  ) -> Row {
    Row(type: type, use: use, isOnMainActor: true) { name, length, rounds in
      SubjectVerification(values: values, failure: nil, traits.union(.isSentOnOneThread), named: name) {
        MainActor.assumeIsolated { make() }
      }.run(length: length, rounds: rounds)
    }
  }
}

/// A publisher of numbers and what makes it send and end, as a subject.
final class Hot: Subject, @unchecked Sendable {  // It stays on the main actor.
  typealias Output = Value
  typealias Failure = Never

  private let publisher: AnyPublisher<Value, Never>
  private let onSend: (Value) -> Void
  private let onEnd: () -> Void

  init(_ publisher: some Publisher<Value, Never>, send: @escaping (Value) -> Void, end: @escaping () -> Void) {
    self.publisher = publisher.eraseToAnyPublisher()
    onSend = send
    onEnd = end
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    Watched(source: publisher, isUpstream: false).receive(subscriber: subscriber)
  }

  func send(_ value: Value) { onSend(value) }
  func send(completion: Subscribers.Completion<Never>) { onEnd() }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

/// The error of closures that throw.
struct Thrown: Error, CustomStringConvertible {
  var description: String { "thrown" }
}

/// The number, unless it is a 2.
func notTwo<Number: Equatable & ExpressibleByIntegerLiteral>(_ number: Number) throws -> Number {
  if number == 2 { throw Thrown() }
  return number
}
