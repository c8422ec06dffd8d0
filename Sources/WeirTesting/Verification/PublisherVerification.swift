public import Weir

/// Verifies that a publisher without an upstream conforms to the contract.
///
///     try PublisherVerification { MyPublisher(of: 3) }.run().check()
///
/// The publisher must complete by itself, without demand beyond that for its values. Apply `prefix` to an endless one.
public struct PublisherVerification<Source: Publisher> {
  private let target: VerificationTarget

  /// Verifies a publisher.
  ///
  /// - Parameters:
  ///   - traits: The allowed behavior of the publisher.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Creates the publisher. It is called for each script.
  public init(_ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping () -> Source) {
    self.init(traits, name, isAsynchronous: false) { _ in make() }
  }

  /// Verifies a publisher that takes a scheduler.
  ///
  /// - Parameters:
  ///   - traits: The allowed behavior of the publisher.
  ///   - name: The name in the report. The default is the name of the type.
  ///   - make: Creates the publisher with a scheduler. It is called for each script.
  public init(
    _ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping (VirtualTimeScheduler) -> Source
  ) {
    self.init(traits, name, isAsynchronous: true, make)
  }

  private init(
    _ traits: VerificationTraits, _ name: String?, isAsynchronous: Bool,
    _ make: @escaping (VirtualTimeScheduler) -> Source
  ) {
    target = VerificationTarget(
      kind: .publisher, name: name ?? VerificationTarget.name(of: Source.self), traits: traits,
      isAsynchronous: isAsynchronous
    ) { harness in harness.present(make(harness.scheduler)) }
  }

  /// Runs all scripts of at most this many steps, and returns the result of each rule.
  ///
  /// - Parameters:
  ///   - length: The maximum number of steps in a script.
  ///   - rounds: The number of multithreaded rounds for each rule that only concurrent calls can break. Code that isn't
  ///     thread-safe may crash then. One thread reads the description and the mirror that a subscription defines.
  /// - Returns: The result of each rule.
  public func run(length: Int = 5, rounds: Int = 0) -> VerificationReport {
    var explorer = ScriptExplorer(target, rounds: rounds)
    return explorer.run(length: length)
  }
}
