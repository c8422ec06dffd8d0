public import Weir

/// The delays before several attempts.
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
    if first < .zero { fatalError("A Backoff requires a delay of zero or more, not \(first).") }
    self.growth = growth
    self.first = first
    self.maximum = maximum
  }

  /// A constant delay before each attempt.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff(.constant, first: delay, maximum: nil)
  }

  /// A linear backoff: `delay` before the first attempt, twice that before the second, and so on.
  ///
  /// - Parameters:
  ///   - delay: The first delay, and the increment of each later one.
  ///   - maximum: The upper limit of the delays.
  /// - Returns: A backoff that grows by the same amount each time.
  public static func linear(_ delay: Duration, maximum: Duration? = nil) -> Backoff {
    Backoff(.linear, first: delay, maximum: maximum)
  }

  /// An exponential backoff: each delay is a multiple of the previous one.
  ///
  /// - Parameters:
  ///   - delay: The first delay.
  ///   - factor: The factor between successive delays, at least 1.
  ///   - maximum: The upper limit of the delays.
  /// - Returns: A backoff that grows by the same factor each time.
  public static func exponential(_ delay: Duration, factor: Double = 2, maximum: Duration? = nil) -> Backoff {
    guard factor >= 1 else { fatalError("Backoff.exponential requires a factor of at least 1, not \(factor).") }
    return Backoff(.exponential(factor: factor), first: delay, maximum: maximum)
  }

  /// The delay before the attempt with this number, in nanoseconds.
  ///
  /// The first attempt has number 0.
  ///
  /// The delay is multiplied by `jitter`. The maximum applies to the product.
  func nanoseconds(before attempt: Int, jitter: Double) -> Int {
    let times =
      switch growth {
      case .constant: 1.0
      case .linear: Double(attempt) + 1
      case .exponential(let factor): factor.raised(to: attempt)
      }
    let limit = maximum.map(\.wholeNanoseconds) ?? .infinity
    let start = first.wholeNanoseconds * jitter
    // The factor becomes infinite, and 0 times infinity is no number.
    return start == 0 ? 0 : Int(exactly: min(start * times, limit).rounded()) ?? .max
  }
}

extension Publisher {
  /// Subscribes again after a failure, at most `retries` times, with a delay before each attempt.
  ///
  ///     source                                                      -1#-^1#---^1#
  ///     .retry(2, backoff: .linear(.seconds(2)), scheduler: clock)  -1---1-----1#
  ///
  /// - Demand: outstanding demand is requested again from the new subscription.
  /// - Completion and cancellation: the failure of the last attempt is forwarded immediately. After a cancellation
  ///   there is no further attempt.
  /// - Threading: subscribes again on the scheduler.
  ///
  /// - Parameters:
  ///   - retries: The maximum number of further attempts.
  ///   - backoff: The delay before each attempt.
  ///   - jitter: The random variation of each delay, as a fraction of it, from 0 to 1. It spreads the attempts of
  ///     subscribers that failed together.
  ///   - scheduler: The scheduler that measures the delays.
  ///   - generator: The source of randomness. Each subscriber uses a copy.
  /// - Returns: A publisher that subscribes again after each delay.
  public func retry<S: Scheduler, G: RandomNumberGenerator>(
    _ retries: Int, backoff: Backoff, jitter: Double = 0, scheduler: S,
    generator: G = SystemRandomNumberGenerator()
  ) -> Publishers.RetryWhen<Self, AnyPublisher<Void, Failure>> {
    if retries < 0 { fatalError("retry(_:backoff:) requires 0 or more retries, not \(retries).") }
    guard (0...1).contains(jitter) else {
      fatalError("retry(_:backoff:jitter:) requires a jitter from 0 to 1, not \(jitter).")
    }
    return retry { failures in
      var generator = generator
      return
        failures
        .enumerated()
        .setFailureType(to: Failure.self)
        .flatMap { (attempt: Int, failure: Failure) -> AnyPublisher<Void, Failure> in
          if attempt >= retries { return Fail(error: failure).eraseToAnyPublisher() }
          // Not `Double.random`: it can draw repeatedly, and loops forever if the generator always returns the same
          // number.
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
  /// This number to the power of `exponent`; infinite on overflow.
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
