import Weir

extension TestPublisher {
  /// Creates a publisher that sends the events of a ``MarbleDiagram``.
  ///
  ///     try TestPublisher<Int, Oops>(.cold, marbles: "--1-2-#", error: .oops, on: scheduler)
  ///
  /// - Parameters:
  ///   - temperature: Whether frame 0 is the current time or the time of each subscription.
  ///   - marbles: The diagram.
  ///   - values: The mapping of the tokens to values.
  ///   - error: The failure that `#` stands for.
  ///   - scheduler: The scheduler that measures the time.
  ///   - frame: The duration of a frame.
  ///   - policy: What happens to values without demand. By default, a hot publisher drops them and a cold one buffers
  ///     them.
  ///   - misbehavior: The rules to break.
  /// - Throws: ``MarbleError`` if the diagram can't be parsed, or contains an event that a publisher can't send.
  public convenience init(
    _ temperature: Temperature = .cold, marbles: String, values: MarbleValues<Output> = .described,
    error: Failure? = nil, on scheduler: VirtualTimeScheduler, frame: VirtualTime.Stride = 1,
    whenNotAsked policy: UnaskedPolicy? = nil, misbehaving misbehavior: Misbehavior = []
  ) throws {
    let timeline = MarbleTimeline(start: .zero, frame: frame)
    let signals: [(frame: Int, signal: Signal)] = try MarbleScript(marbles).signals(
      values: values, error: error, mayGoOnAfterEnd: misbehavior.contains(.afterCompletion))
    self.init(
      temperature, on: scheduler, signals.map { .at(timeline.offset(of: $0.frame), $0.signal) }, whenNotAsked: policy,
      misbehaving: misbehavior)
  }
}

extension SubscriptionRecord {
  /// The times of the subscription, the cancellation and the completion: `^---!`.
  public func diagram(since start: VirtualTime = .zero, frame: VirtualTime.Stride = 1) -> MarbleDiagram {
    let timeline = MarbleTimeline(start: start, frame: frame)
    return MarbleDiagram(
      entries.compactMap { entry in
        let mark: MarbleDiagram.Mark? =
          switch entry.event {
          case .subscribed: .subscription
          case .cancelled: .cancellation
          case .completed: .finished
          case .requested, .returned: nil
          }
        return mark.map { .init(frame: timeline.index(of: entry.time), mark: $0) }
      })
  }

  /// The requested and returned demand; that of one frame is added up: `3--2`.
  public func demandDiagram(since start: VirtualTime = .zero, frame: VirtualTime.Stride = 1) -> MarbleDiagram {
    let timeline = MarbleTimeline(start: start, frame: frame)
    return MarbleDiagram(
      demands: entries.compactMap { entry in
        switch entry.event {
        case .requested(let demand), .returned(let demand): (timeline.index(of: entry.time), demand)
        case .subscribed, .cancelled, .completed: nil
        }
      })
  }

  /// Throws unless the subscription matches the diagrams.
  ///
  ///     try publisher.subscriptions[0].expect(marbles: "^---!", demand: "3--2")
  ///
  /// - Parameters:
  ///   - marbles: `^` for the subscription, `!` for the cancellation, `|` for the completion, also a failure.
  ///   - demand: The requested and returned demand; that of one frame is added up. If it is omitted, demand is not
  ///     checked.
  ///   - start: The time of frame 0.
  ///   - frame: The duration of a frame.
  ///   - fileID: The file to report for a failure.
  ///   - line: The line to report for a failure.
  /// - Throws: ``TestFailure``, which shows the expected events above the recorded ones.
  public func expect(
    marbles: String, demand: String? = nil, since start: VirtualTime = .zero, frame: VirtualTime.Stride = 1,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    var comparison = MarbleComparison(MarbleTimeline(start: start, frame: frame))
    comparison.add("events", expected: try MarbleDiagram(marbles), received: diagram(since: start, frame: frame))
    if let demand {
      comparison.add(
        "demand", expected: MarbleDiagram(demands: try MarbleScript(demand).demands()),
        received: demandDiagram(since: start, frame: frame))
    }
    for entry in entries { comparison.checkTime(of: entry.event, at: entry.time) }
    if let mismatch = comparison.mismatch { throw TestFailure(mismatch, fileID: fileID, line: line) }
  }
}
