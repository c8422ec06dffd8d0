extension Publisher {
  /// Gives this place in a pipeline a name, by which reports and lists of subscriptions call it.
  ///
  ///     source             -a-b-|
  ///     .checkpoint(name)  -a-b-|
  ///
  /// It does nothing of its own and costs nothing but its part in the type: it is looked at when ``tracing`` is on.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: unchanged.
  ///
  /// - Parameters:
  ///   - name: what the place is called.
  ///   - file: the file that is shown.
  ///   - line: the line that is shown.
  /// - Returns: the same publisher with a name.
  @inlinable
  public func checkpoint(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.Checkpoint<Self> {
    Publishers.Checkpoint(upstream: self, name: name, file: file, line: line)
  }
}

extension Publishers {
  /// A publisher that gives a place in a pipeline a name.
  @frozen
  public struct Checkpoint<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The publisher before this place.
    public let upstream: Upstream

    /// What the place is called.
    public let name: String

    /// The file that is shown.
    public let file: StaticString

    /// The line that is shown.
    public let line: UInt

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, name: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.name = name
      self.file = file
      self.line = line
    }

    /// Attaches a downstream to the upstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream)
    }
  }
}

/// A publisher that gives its place a name.
protocol Checkpointed {
  var checkpoint: (name: String, location: Tracing.Location) { get }
}

extension Publishers.Checkpoint: Checkpointed {
  var checkpoint: (name: String, location: Tracing.Location) {
    (name, Tracing.Location(file: file.description, line: Int(line)))
  }
}

extension Publishers.Checkpoint: Sendable where Upstream: Sendable {}
