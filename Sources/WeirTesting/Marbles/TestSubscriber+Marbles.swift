public import Weir

extension TestSubscriber {
  /// Makes a subscriber that asks for what a line of demand shows: `3----2-∞`.
  ///
  /// What stands in frame 0 is asked for at the subscription, the rest when its time comes: before what a publisher
  /// sends at the same time if that was scheduled later, as with a cold one.
  ///
  /// - Parameters:
  ///   - demand: numbers, those of several digits in quotes, and `∞`; frame 0 is now.
  ///   - clock: moves the time, and gives the times of the events.
  ///   - frame: how long a frame is.
  ///   - allowing: rules whose breach is no violation here.
  /// - Throws: ``MarbleError`` if the line can't be read.
  public convenience init(
    demand: String, clock: VirtualTimeScheduler, frame: VirtualTime.Stride = 1,
    allowing: Set<ContractViolation.Rule> = []
  ) throws {
    let timeline = MarbleTimeline(start: clock.now, frame: frame)
    let demands = try MarbleScript(demand).demands()
    let initial = demands.filter { $0.frame == 0 }.reduce(Subscribers.Demand.none) { $0 + $1.demand }
    self.init(demanding: initial, clock: clock, allowing: allowing)
    for (frame, demand) in demands where frame > 0 {
      clock.enqueue(at: timeline.start.advanced(by: timeline.offset(of: frame))) { self.request(demand) }
    }
  }

  /// What happened, as a diagram.
  ///
  /// - Parameters:
  ///   - values: how values are written.
  ///   - start: the time of frame 0.
  ///   - frame: how long a frame is; what happens between two frames is drawn in the earlier one.
  ///   - marks: whether the subscription and the cancellation are drawn, too.
  /// - Returns: the diagram, to compare or to print.
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

  /// What it asked for, requested or returned, all of one frame together.
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

  /// Throws unless what happened is what the diagrams show.
  ///
  ///     try subscriber.expect(marbles: "--a-b-(cd|)", demand: "3---∞")
  ///
  /// - Parameters:
  ///   - marbles: what the subscriber was told. If there is a `^` or `!` in it, subscriptions or cancellations are
  ///     compared, too. Frames without events at the end don't matter.
  ///   - demand: what it asked for, requested or returned, all of one frame together; not looked at if left out.
  ///   - values: what the tokens stand for.
  ///   - start: the time of frame 0.
  ///   - frame: how long a frame is.
  ///   - fileID: the file that a failure names: the caller's.
  ///   - line: the line that it names.
  /// - Throws: ``TestFailure``, which shows what was expected and what happened, one under the other; ``MarbleError`` if a
  ///   diagram can't be read.
  public func expect(
    marbles: String, demand: String? = nil, values: MarbleValues<Input> = .described, since start: VirtualTime = .zero,
    frame: VirtualTime.Stride = 1, fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    let expected = try MarbleScript(marbles).normalised(by: values)
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
  /// Throws unless this publisher sends what a diagram shows to a subscriber that asks as the other shows.
  ///
  ///     let scheduler = VirtualTimeScheduler()
  ///     let typed = try TestPublisher<String, Never>(marbles: "ab--c----|", on: scheduler)
  ///     try typed.debounce(for: 2, scheduler: scheduler)
  ///       .expect(marbles: "---b--c--|", demand: "∞", on: scheduler)
  ///
  /// Time passes up to the last frame of the longer diagram. A `!` cancels in its frame. The contract is checked, too.
  ///
  /// - Parameters:
  ///   - marbles: what is to be sent; frame 0 is now.
  ///   - demand: what the subscriber asks for; all there is if left out.
  ///   - values: what the tokens stand for.
  ///   - scheduler: moves the time.
  ///   - frame: how long a frame is.
  ///   - fileID: the file that a failure names: the caller's.
  ///   - line: the line that it names.
  /// - Throws: ``TestFailure``, which shows what was expected and what happened, one under the other; ``MarbleError`` if a
  ///   diagram can't be read.
  public func expect(
    marbles: String, demand: String = "∞", values: MarbleValues<Output> = .described,
    on scheduler: VirtualTimeScheduler,
    frame: VirtualTime.Stride = 1, fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    let timeline = MarbleTimeline(start: scheduler.now, frame: frame)
    let script = try MarbleScript(marbles)
    let subscriber = try TestSubscriber<Output, Failure>(demand: demand, clock: scheduler, frame: frame)
    for frame in script.cancellations {
      scheduler.enqueue(at: timeline.start.advanced(by: timeline.offset(of: frame))) { subscriber.cancel() }
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
