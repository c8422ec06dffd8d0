extension Publisher {
  /// Names this place in a pipeline, for reports and lists of subscriptions.
  ///
  ///     source             -a-b-|
  ///     .checkpoint(name)  -a-b-|
  ///
  /// It has no effect on events, and its only cost is its part in the publisher's type. Its name is shown while
  /// ``tracing`` is on.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: forwarded unchanged.
  ///
  /// - Parameters:
  ///   - name: the name of the place.
  ///   - file: the file of the place.
  ///   - line: the line of the place.
  /// - Returns: the same publisher with a name.
  @inlinable
  public func checkpoint(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.Checkpoint<Self> {
    Publishers.Checkpoint(upstream: self, name: name, file: file, line: line)
  }
}

extension Publishers {
  /// A publisher that names a place in a pipeline.
  @frozen
  public struct Checkpoint<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The name of the place.
    public let name: String

    /// The file of the place.
    public let file: StaticString

    /// The line of the place.
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
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream)
    }
  }
}

/// A publisher that names its place.
protocol Checkpointed {
  var checkpoint: (name: String, location: Tracing.Location) { get }
}

extension Publishers.Checkpoint: Checkpointed {
  var checkpoint: (name: String, location: Tracing.Location) {
    (name, Tracing.Location(file: file.description, line: Int(line)))
  }
}

extension Publishers.Checkpoint: Sendable where Upstream: Sendable {}
