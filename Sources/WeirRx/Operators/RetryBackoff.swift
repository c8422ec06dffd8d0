public import Weir

/// How long to wait before each of several attempts.
public struct Backoff: Hashable, Sendable {
  private enum Growth: Hashable {
    case constant
    case linear
    case exponential(factor: Double)
  }

  private let growth: Growth
  private let first: Duration
  private let maximum: Duration?

  private init(_ growth: Growth, first: Duration, maximum: Duration?) {
    if first < .zero { fatalError("A backoff can't wait for \(first): give zero to try again at once.") }
    self.growth = growth
    self.first = first
    self.maximum = maximum
  }

  /// Always as long.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff(.constant, first: delay, maximum: nil)
  }

  /// So long before the first attempt, twice as long before the second, three times before the third.
  ///
  /// - Parameters:
  ///   - delay: the first delay, and what is added to each later one.
  ///   - maximum: what no delay exceeds.
  /// - Returns: a backoff that grows by the same amount each time.
  public static func linear(_ delay: Duration, maximum: Duration? = nil) -> Backoff {
    Backoff(.linear, first: delay, maximum: maximum)
  }

  /// So long before the first attempt, and each time a multiple of the delay before.
  ///
  /// - Parameters:
  ///   - delay: the first delay.
  ///   - factor: what each delay is multiplied with to make the next, at least 1.
  ///   - maximum: what no delay exceeds.
  /// - Returns: a backoff that grows by the same factor each time.
  public static func exponential(_ delay: Duration, factor: Double = 2, maximum: Duration? = nil) -> Backoff {
    guard factor >= 1 else { fatalError("The factor of a backoff is at least 1, not \(factor): a delay can't shrink.") }
    return Backoff(.exponential(factor: factor), first: delay, maximum: maximum)
  }

  /// The delay before the attempt with this number, the first of which is 0, in nanoseconds.
  ///
  /// The delay is multiplied with `jitter`; the maximum holds all the same.
  func nanoseconds(before attempt: Int, jitter: Double) -> Int {
    let times =
      switch growth {
      case .constant: 1.0
      case .linear: Double(attempt) + 1
      case .exponential(let factor): factor.raised(to: attempt)
      }
    let limit = maximum.map(\.wholeNanoseconds) ?? .infinity
    return Int(exactly: min(first.wholeNanoseconds * times * jitter, limit).rounded()) ?? .max
  }
}

extension Publisher {
  /// Subscribes again after a failure, so many times at the most, and waits before each time.
  ///
  ///     source                                                      -1#-^1#---^1#
  ///     .retry(2, backoff: .linear(.seconds(2)), scheduler: clock)  -1---1-----1#
  ///
  /// - Demand: what is outstanding at the failure is asked again.
  /// - Completion and cancellation: the failure after the last attempt goes downstream, at once. After a cancel there is
  ///   no further attempt.
  /// - Threading: subscribes again on the scheduler.
  ///
  /// - Parameters:
  ///   - retries: how many times this publisher is subscribed to again.
  ///   - backoff: how long to wait before each time.
  ///   - jitter: by what part of it a delay may be longer or shorter, at random, from 0 to 1. It keeps many who failed
  ///     together from trying again together.
  ///   - scheduler: where the time is measured.
  ///   - generator: where the randomness comes from; each subscriber uses a copy.
  /// - Returns: a publisher that subscribes again after each delay.
  public func retry<S: Scheduler, G: RandomNumberGenerator>(
    _ retries: Int, backoff: Backoff, jitter: Double = 0, scheduler: S,
    generator: G = SystemRandomNumberGenerator()
  ) -> Publishers.RetryWhen<Self, AnyPublisher<Void, Failure>> {
    if retries < 0 { fatalError("retry can't subscribe again \(retries) times: give 0 for not at all.") }
    guard (0...1).contains(jitter) else {
      fatalError("The jitter of retry is a part of the delay: from 0 to 1, not \(jitter).")
    }
    return retry { failures in
      var generator = generator
      return
        failures
        .enumerated()
        .setFailureType(to: Failure.self)
        .flatMap { (attempt: Int, failure: Failure) -> AnyPublisher<Void, Failure> in
          if attempt >= retries { return Fail(error: failure).eraseToAnyPublisher() }
          // Not `Double.random`: it may ask again and again, and for ever if the generator always says the same.
          let chance = Double(generator.next() >> 11) / 0x1p53
          let part = 1 + jitter * (2 * chance - 1)
          return Just(())
            .delay(
              for: .nanoseconds(backoff.nanoseconds(before: attempt, jitter: part)), scheduler: scheduler
            )
            .setFailureType(to: Failure.self)
            .eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}

extension Double {
  /// This number multiplied with itself so many times; infinite when it is too large.
  fileprivate func raised(to exponent: Int) -> Double {
    var (result, power, left) = (1.0, self, exponent)
    while left > 0, result.isFinite {
      if left & 1 == 1 { result *= power }
      power *= power
      left >>= 1
    }
    return result
  }
}
