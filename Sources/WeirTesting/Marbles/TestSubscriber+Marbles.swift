public import Weir

extension TestSubscriber {
  /// Creates a subscriber that requests the demand of a diagram: `3----2-∞`.
  ///
  /// It requests the demand of frame 0 at the subscription, and the rest at its times. At equal times, its request
  /// comes before a publisher's value that was scheduled later, as a cold publisher's is.
  ///
  /// - Parameters:
  ///   - demand: Numbers, those of several digits in quotes, and `∞`. Frame 0 is the current time.
  ///   - clock: The scheduler that measures the time of events.
  ///   - frame: The duration of a frame.
  ///   - allowing: Rules whose violation is not recorded.
  /// - Throws: ``MarbleError`` if the diagram can't be parsed.
  public convenience init(
    demand: String, clock: VirtualTimeScheduler, frame: VirtualTime.Stride = 1,
    allowing: Set<ContractViolation.Rule> = []
  ) throws {
    let timeline = MarbleTimeline(start: clock.now, frame: frame)
    let demands = try MarbleScript(demand).demands()
    let initial = demands.filter { $0.frame == 0 }.reduce(Subscribers.Demand.none) { $0 + $1.demand }
    self.init(demanding: initial, clock: clock, allowing: allowing)
    for (frame, demand) in demands where frame > 0 {
      // Weak, because the subscriber retains the clock.
      clock.enqueue(at: timeline.start.advanced(by: timeline.offset(of: frame))) { [weak self] in
        self?.request(demand)
      }
    }
  }

  /// The recorded events as a diagram.
  ///
  /// - Parameters:
  ///   - values: The notation of the values.
  ///   - start: The time of frame 0.
  ///   - frame: The duration of a frame. An event between two frames is drawn in the earlier one.
  ///   - marks: Whether the subscription and the cancellation are drawn.
  /// - Returns: The diagram, for comparison or printing.
  public func diagram(
    values: MarbleValues<Input> = .described, since start: VirtualTime = .zero, frame: VirtualTime.Stride = 1,
    including marks: Set<MarbleDiagram.Mark> = []
  ) -> MarbleDiagram {
    let timeline = MarbleTimeline(start: start, frame: frame)
    return MarbleDiagram(
      history.compactMap { record in
        guard let mark = mark(for: record.event, values: values) else { return nil }
        if mark == .subscription || mark == .cancellation, !marks.contains(mark) { return nil }
        return .init(frame: timeline.index(of: record.time), mark: mark)
      })
  }

  /// The requested and returned demand; that of one frame is added up.
  public func demandDiagram(since start: VirtualTime = .zero, frame: VirtualTime.Stride = 1) -> MarbleDiagram {
    let timeline = MarbleTimeline(start: start, frame: frame)
    return MarbleDiagram(
      demands: history.compactMap { record in
        switch record.event {
        case .requested(let demand), .returned(let demand): (timeline.index(of: record.time), demand)
        case .subscription, .value, .completion, .cancelled: nil
        }
      })
  }

  /// Throws unless the recorded events match the diagrams.
  ///
  ///     try subscriber.expect(marbles: "--a-b-(cd|)", demand: "3---∞")
  ///
  /// - Parameters:
  ///   - marbles: The expected events. If it contains a `^` or `!`, subscriptions or cancellations are compared too.
  ///     Trailing frames without events are ignored.
  ///   - demand: The requested and returned demand; that of one frame is added up. If it is omitted, demand is not
  ///     checked.
  ///   - values: The mapping of the tokens to values.
  ///   - start: The time of frame 0.
  ///   - frame: The duration of a frame.
  ///   - fileID: The file to report for a failure.
  ///   - line: The line to report for a failure.
  /// - Throws: ``TestFailure``, which shows the expected events above the recorded ones; ``MarbleError`` if a diagram
  ///   can't be parsed.
  public func expect(
    marbles: String, demand: String? = nil, values: MarbleValues<Input> = .described, since start: VirtualTime = .zero,
    frame: VirtualTime.Stride = 1, fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    let expected = try MarbleScript(marbles).normalized(by: values)
    let marks = Set(expected.entries.map(\.mark))
    var comparison = MarbleComparison(MarbleTimeline(start: start, frame: frame))
    comparison.add(
      "events", expected: expected,
      received: diagram(values: values, since: start, frame: frame, including: marks))
    if let demand {
      comparison.add(
        "demand", expected: MarbleDiagram(demands: try MarbleScript(demand).demands()),
        received: demandDiagram(since: start, frame: frame))
    }
    for record in history where record.event.isReceived { comparison.checkTime(of: record.event, at: record.time) }
    if let mismatch = comparison.mismatch { throw TestFailure(mismatch, fileID: fileID, line: line) }
  }

  private func mark(for event: TestEvent<Input, Failure>, values: MarbleValues<Input>) -> MarbleDiagram.Mark? {
    switch event {
    case .subscription: .subscription
    case .value(let value): .value(values.token(value))
    case .completion(.finished): .finished
    case .completion(.failure): .failure
    case .cancelled: .cancellation
    case .requested, .returned: nil
    }
  }
}

extension Publisher {
  /// Throws unless this publisher sends a diagram's events to a subscriber with the given demand.
  ///
  ///     let scheduler = VirtualTimeScheduler()
  ///     let typed = try TestPublisher<String, Never>(marbles: "ab--c----|", on: scheduler)
  ///     try typed.debounce(for: 2, scheduler: scheduler)
  ///       .expect(marbles: "---b--c--|", demand: "∞", on: scheduler)
  ///
  /// Advances the time to the last frame of the longer diagram. A `!` cancels in its frame: before everything else that
  /// is due then, or behind it if events precede the sign in a group, as in `(a!)`. The contract is checked too.
  ///
  /// - Parameters:
  ///   - marbles: The expected events. Frame 0 is the current time.
  ///   - demand: The demand of the subscriber; unlimited if it is omitted.
  ///   - values: The mapping of the tokens to values.
  ///   - scheduler: The scheduler whose time is advanced.
  ///   - frame: The duration of a frame.
  ///   - fileID: The file to report for a failure.
  ///   - line: The line to report for a failure.
  /// - Throws: ``TestFailure``, which shows the expected events above the recorded ones; ``MarbleError`` if a diagram
  ///   can't be parsed.
  public func expect(
    marbles: String, demand: String = "∞", values: MarbleValues<Output> = .described,
    on scheduler: VirtualTimeScheduler,
    frame: VirtualTime.Stride = 1, fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    let timeline = MarbleTimeline(start: scheduler.now, frame: frame)
    let script = try MarbleScript(marbles)
    let subscriber = try TestSubscriber<Output, Failure>(demand: demand, clock: scheduler, frame: frame)
    for (frame, isLast) in script.cancellations {
      let time = timeline.start.advanced(by: timeline.offset(of: frame))
      scheduler.enqueue(at: time, turn: isLast ? .last : .first) { subscriber.cancel() }
    }
    subscribe(subscriber)
    let lastFrame = Swift.max(script.frameCount, try MarbleScript(demand).frameCount, 1) - 1
    scheduler.advance(to: timeline.start.advanced(by: timeline.offset(of: lastFrame)))
    if script.cancellations.isEmpty, subscriber.completion == nil { subscriber.subscription?.cancel() }
    try subscriber.expect(
      marbles: marbles, values: values, since: timeline.start, frame: frame, fileID: fileID, line: line)
    try subscriber.checkContract(fileID: fileID, line: line)
  }
}
