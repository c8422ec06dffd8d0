import Testing
import Weir
import WeirTesting

import class Foundation.Thread

typealias Upstream = AnyPublisher<Int, UpstreamFailure>

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

  /// Holds it to the rules: with scripts of up to so many steps, and with so many rounds of races.
  ///
  /// It takes seconds, so it gets a thread of its own: other tests would miss the main actor as much as one of the few
  /// threads that run tasks.
  func report(length: Int, rounds: Int) async -> VerificationReport {
    if isOnMainActor { return await MainActor.run { verify(testDescription, length, rounds) } }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: verify(testDescription, length, rounds)) }
    }
  }

  /// Says why a rule is broken.
  func excusing(_ rule: String, because reason: String) -> Row {
    var row = self
    row.excused[rule] = reason
    return row
  }

  /// An operator between a subscriber and an upstream of numbers.
  static func op<P: Publisher & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = [],
    of make: @escaping @Sendable (Upstream) -> P
  ) -> Row {
    Row(type: type, use: use) {
      OperatorVerification(traits, named: $0) { upstream in
        Watched(source: make(AnyPublisher(Watched(source: upstream, isUpstream: true))), isUpstream: false)
      }.run(length: $1, rounds: $2)
    }
  }

  /// An operator that takes a scheduler.
  static func timed<P: Publisher & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = [],
    of make: @escaping @Sendable (Upstream, VirtualTimeScheduler) -> P
  ) -> Row {
    Row(type: type, use: use) {
      OperatorVerification(traits, named: $0) { upstream, scheduler in
        Watched(source: make(AnyPublisher(Watched(source: upstream, isUpstream: true)), scheduler), isUpstream: false)
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
  ) -> Row where S.Output == Int, S.Failure == UpstreamFailure {
    Row(type: type, use: use) { SubjectVerification(traits, named: $0, of: make).run(length: $1, rounds: $2) }
  }

  /// What is sent to from outside and can't fail.
  static func hot(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = .deliversNested,
    of make: @escaping @MainActor @Sendable () -> Hot
  ) -> Row {
    Row(type: type, use: use, isOnMainActor: true) { name, length, rounds in
      SubjectVerification(values: Array(1...100), failure: nil, traits, named: name) {
        MainActor.assumeIsolated { make() }
      }.run(length: length, rounds: rounds)
    }
  }
}

/// A publisher of numbers and what makes it send and end, as a subject.
final class Hot: Subject, @unchecked Sendable {  // It stays on the main actor.
  typealias Output = Int
  typealias Failure = Never

  private let publisher: AnyPublisher<Int, Never>
  private let onSend: (Int) -> Void
  private let onEnd: () -> Void

  init(_ publisher: some Publisher<Int, Never>, send: @escaping (Int) -> Void, end: @escaping () -> Void) {
    self.publisher = publisher.eraseToAnyPublisher()
    onSend = send
    onEnd = end
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Watched(source: publisher, isUpstream: false).receive(subscriber: subscriber)
  }

  func send(_ value: Int) { onSend(value) }
  func send(completion: Subscribers.Completion<Never>) { onEnd() }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

/// The error of closures that throw.
struct Thrown: Error, CustomStringConvertible {
  var description: String { "thrown" }
}

/// The number, unless it is a 2.
func notTwo(_ number: Int) throws -> Int {
  if number == 2 { throw Thrown() }
  return number
}
