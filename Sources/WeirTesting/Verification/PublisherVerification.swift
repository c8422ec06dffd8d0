public import Weir

/// Holds a publisher that needs no upstream to the contract.
///
///     try PublisherVerification { MyPublisher(of: 3) }.run().check()
///
/// It has to end by itself: of an endless one take a `prefix`.
public struct PublisherVerification<Source: Publisher> {
  private let bench: Bench

  /// Verifies a publisher.
  ///
  /// - Parameters:
  ///   - traits: what the publisher may do.
  ///   - name: how the report names it; by default like its type.
  ///   - make: makes the publisher. It is called for each script.
  public init(_ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping () -> Source) {
    self.init(traits, name, isAsynchronous: false) { _ in make() }
  }

  /// Verifies a publisher that takes a scheduler.
  ///
  /// - Parameters:
  ///   - traits: what the publisher may do.
  ///   - name: how the report names it; by default like its type.
  ///   - make: makes the publisher with a scheduler. It is called for each script.
  public init(
    _ traits: VerificationTraits = [], named name: String? = nil, of make: @escaping (VirtualTimeScheduler) -> Source
  ) {
    self.init(traits, name, isAsynchronous: true, make)
  }

  private init(
    _ traits: VerificationTraits, _ name: String?, isAsynchronous: Bool,
    _ make: @escaping (VirtualTimeScheduler) -> Source
  ) {
    bench = Bench(
      kind: .publisher, name: name ?? Bench.name(of: Source.self), traits: traits, isAsynchronous: isAsynchronous
    ) { stage in stage.present(make(stage.scheduler)) }
  }

  /// Runs all scripts of up to so many steps, and tells what became of each rule.
  ///
  /// - Parameters:
  ///   - length: how many steps the longest scripts have.
  ///   - rounds: how often several threads are let at it, for each rule that only they can break. What isn't made for
  ///     several threads may crash then.
  /// - Returns: what became of each rule.
  public func run(length: Int = 5, rounds: Int = 0) -> VerificationReport {
    var campaign = Campaign(bench, rounds: rounds)
    return campaign.run(length: length)
  }
}
