import Testing
import Weir
import WeirTesting

import class Foundation.Thread

/// The values that rows are verified with.
///
/// Every operation on one runs user code.
typealias Value = VerificationValue

typealias Upstream = AnyPublisher<Int, UpstreamFailure>

typealias ValueUpstream = AnyPublisher<Value, UpstreamFailure>

/// A verified public type, in one of its uses.
struct Row: CustomTestStringConvertible, Sendable {
  /// The type as named by ``publicTypes()``.
  let type: String
  /// The name of the function that makes it, if there are several, and special circumstances.
  let use: String
  /// Whether it is verified on the main actor, because it is isolated to that.
  var isOnMainActor = false
  private let verify: @Sendable (_ name: String, _ length: Int, _ rounds: Int) -> VerificationReport

  /// The rules that it breaks, with the reasons.
  var excused: [String: String] = [:]

  /// The lengths of the scripts that show that excuses are necessary, if short ones don't.
  private var neededLengths: [String: Int] = [:]

  var testDescription: String { use.isEmpty ? type : "\(type), \(use)" }

  /// Verifies the rules with these numbers, with scripts of at most `length` steps, and with `rounds` multithreaded
  /// rounds.
  ///
  /// It takes seconds, so it runs on its own thread. Otherwise it would block the main actor, or one of the few threads
  /// that run tasks.
  func report(length: Int, rounds: Int, rules: Set<String>) async -> VerificationReport {
    let verify = { @Sendable [verify, testDescription] in
      VerifiedRules.$current.withValue(rules) { verify(testDescription, length, rounds) }
    }
    if isOnMainActor { return await MainActor.run { verify() } }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: verify()) }
    }
  }

  /// The upstreams' values.
  private static let values = Value.upTo(1000)

  /// The upstream as a user's publisher, unless the row is verified with one of the library's.
  private static func watched(_ upstream: ValueUpstream) -> ValueUpstream {
    UserCode.isFedDirectly ? upstream : AnyPublisher(Watched(source: upstream, isUpstream: true))
  }

  /// Excuses a broken rule; only scripts of `length` steps may show that this is necessary.
  func excusing(_ rule: String, because reason: String, inScriptsOf length: Int = 1) -> Row {
    var row = self
    row.excused[rule] = reason
    row.neededLengths[rule] = length
    return row
  }

  /// Whether a run with scripts of this length must break an excused rule.
  func mustBreak(_ rule: String, inScriptsOf length: Int) -> Bool { length >= neededLengths[rule] ?? 1 }

  /// Declares that a stateless operator delivers its closure's values first, as in Combine.
  func nesting(_ rules: String...) -> Row {
    rules.reduce(self) { $0.excusing($1, because: "it keeps no state: what its closure sends is delivered first") }
  }

  /// An operator on an upstream of numbers.
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

  /// A subject that can fail.
  static func subject<S: Subject & SendableMetatype>(
    _ type: String, _ use: String = "", _ traits: VerificationTraits = .deliversNested,
    of make: @escaping @Sendable () -> S
  ) -> Row where S.Output == Value, S.Failure == UpstreamFailure {
    Row(type: type, use: use) {
      SubjectVerification(values: values, failure: UpstreamFailure(), traits, named: $0, of: make)
        .run(length: $1, rounds: $2)
    }
  }

  /// A publisher with a sender that can't fail.
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

/// A publisher of numbers and its sender, as a subject.
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
