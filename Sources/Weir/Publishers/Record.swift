/// A publisher that sends again what has been recorded: values, then the end.
///
///     demand                                                1--1
///     Record(output: [1, 2], completion: .failure(Oops()))  1--(2#)
///
/// - Demand: values wait for requests.
/// - Completion and cancellation: ends as it was recorded, right after the last value; without a value at once.
/// - Threading: delivers on the thread that requests demand.
@frozen
public struct Record<Output, Failure: Error>: _DirectPublisher {
  /// What is sent to each subscriber.
  public let recording: Recording

  /// Makes a publisher of what a closure records.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Makes a publisher of a recording.
  @inlinable
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Makes a publisher of values and an end.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    // What a subscription is called that has nothing more to show, also by Combine.
    let ending = Downstream<Output, Never>.stateless(
      "Record", to: downstream, end: { [recording, end = downstream.end] _ in end(recording.completion) })
    ending.pull("Cancelled Events", from: recording.output.makeIterator()) { [recording] in
      PullShown(
        description: recording.output,
        children: [("sequence", recording.output), ("completion", recording.completion)])
    }
  }
}

extension Record {
  /// Values and how they ended.
  public struct Recording {
    /// What can be recorded.
    public typealias Input = Output

    /// The values so far.
    public private(set) var output: [Output]

    /// The end: a normal one, unless another has been recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    private var isComplete: Bool

    /// Makes an empty recording, to which more can be added.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Makes a recording of values and an end, to which nothing can be added.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Adds a value, which may not come after the end.
    public mutating func receive(_ input: Input) {
      requireIncomplete()
      output.append(input)
    }

    /// Adds the end, of which there is one only.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      requireIncomplete()
      self.completion = completion
      isComplete = true
    }

    private func requireIncomplete() {
      guard isComplete else { return }
      fatalError("Nothing can be recorded after the end: make a recording with init() and end it last.")
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey {
    case output, completion
  }

  /// Decodes what ``encode(to:)`` wrote; nothing can be added to it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes the values and the end.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Encodes the values and the end, as ``encode(to:)`` does.
  public func encode(into encoder: any Encoder) throws {
    try encode(to: encoder)
  }
}

extension Record: Sendable where Output: Sendable {}

extension Record.Recording: Sendable where Output: Sendable {}
