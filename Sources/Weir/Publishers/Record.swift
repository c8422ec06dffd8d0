/// A publisher that replays a recording of values and a completion.
///
///     demand                                                1--1
///     Record(output: [1, 2], completion: .failure(Oops()))  1--(2#)
///
/// - Demand: values are delivered on demand.
/// - Completion and cancellation: sends the recorded completion immediately after the last value, or on subscription
///   without values.
/// - Threading: delivers values on the thread that requests demand, and a completion without values on the thread that
///   subscribes.
@frozen
public struct Record<Output, Failure: Error>: _DirectPublisher {
  /// The recording that each subscriber receives.
  public let recording: Recording

  /// Creates a publisher of the events that a closure records.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates a publisher of a recording.
  @inlinable
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Creates a publisher of values and a completion.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    // Combine, too, describes a subscription with no further state by this name.
    let ending = Downstream<Output, Never>.stateless(
      "Record", to: downstream, end: { [recording, end = downstream.end] _ in end(recording.completion) })
    Downstream.pull("Cancelled Events", from: recording.output.makeIterator(), to: ending) { [recording] in
      PullShown(
        description: recording.output,
        children: [("sequence", recording.output), ("completion", recording.completion)])
    }
  }
}

extension Record {
  /// Values and a completion.
  public struct Recording {
    /// The type of the recorded values.
    public typealias Input = Output

    /// The values that have been recorded.
    public private(set) var output: [Output]

    /// The completion, which is normal unless another has been recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    private var isComplete: Bool

    /// Creates an empty recording, which accepts events.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Creates a complete recording of values and a completion, which accepts no further events.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Records a value; a value after the completion is a programming error.
    public mutating func receive(_ input: Input) {
      requireIncomplete()
      output.append(input)
    }

    /// Records the completion; a second completion is a programming error.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      requireIncomplete()
      self.completion = completion
      isComplete = true
    }

    private func requireIncomplete() {
      guard isComplete else { return }
      fatalError("A Recording that has a completion accepts no more events. Record the completion last.")
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey {
    case output, completion
  }

  /// Decodes a recording that ``encode(to:)`` encoded, which accepts no further events.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes the values and the completion.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Encodes the values and the completion, as ``encode(to:)`` does.
  public func encode(into encoder: any Encoder) throws {
    try encode(to: encoder)
  }
}

extension Record: Sendable where Output: Sendable {}

extension Record.Recording: Sendable where Output: Sendable {}
