extension Publisher {
  /// Stops the program if this publisher fails.
  ///
  ///     source              -1-2-3-|
  ///     .assertNoFailure()  -1-2-3-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: a failure stops the program with a message that contains the prefix and the error.
  ///   A normal completion and a cancellation are forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  ///
  /// - Parameters:
  ///   - prefix: the text before the error in the message, followed by a colon.
  ///   - file: the file in the message.
  ///   - line: the line in the message.
  /// - Returns: a publisher that never fails.
  @inlinable
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// A publisher that stops the program if its upstream fails.
  @frozen
  public struct AssertNoFailure<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// This publisher never fails.
    public typealias Failure = Never

    /// The upstream publisher.
    public let upstream: Upstream

    /// The text before the error in the message.
    public let prefix: String

    /// The file in the message.
    public let file: StaticString

    /// The line in the message.
    public let line: UInt

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        Downstream.stateless(
          "AssertNoFailure", to: downstream,
          end: { [prefix, file, line, end = downstream.end] (completion: Subscribers.Completion<Upstream.Failure>) in
            if case .failure(let error) = completion {
              fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)\(Reports.pipeline)", file: file, line: line)
            }
            end(.finished)
          }
        ).showing { [prefix, file, line] in [("file", file), ("line", line), ("prefix", prefix)] })
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}
