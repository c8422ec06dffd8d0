import Weir

extension TestPublisher {
  /// Makes a publisher that sends what a ``MarbleDiagram`` shows.
  ///
  ///     try TestPublisher<Int, Oops>(.cold, marbles: "--1-2-#", error: .oops, on: scheduler)
  ///
  /// - Parameters:
  ///   - temperature: whether frame 0 is now or at each subscription.
  ///   - marbles: the diagram.
  ///   - values: what its tokens stand for.
  ///   - error: what `#` stands for.
  ///   - scheduler: when its time comes, a signal is sent.
  ///   - frame: how long a frame is.
  ///   - policy: what becomes of values without demand; by default a hot publisher drops them and a cold one keeps them.
  ///   - misbehaviour: the rules to break.
  /// - Throws: ``MarbleError`` if the diagram can't be read, or shows what a publisher can't send.
  public convenience init(
    _ temperature: Temperature = .cold, marbles: String, values: MarbleValues<Output> = .described,
    error: Failure? = nil, on scheduler: VirtualTimeScheduler, frame: VirtualTime.Stride = 1,
    whenNotAsked policy: UnaskedPolicy? = nil, misbehaving misbehaviour: Misbehaviour = []
  ) throws {
    let timeline = MarbleTimeline(start: .zero, frame: frame)
    let signals: [(frame: Int, signal: Signal)] = try MarbleScript(marbles).signals(
      values: values, error: error, mayGoOnAfterEnd: misbehaviour.contains(.afterCompletion))
    self.init(
      temperature, on: scheduler, signals.map { .at(timeline.offset(of: $0.frame), $0.signal) }, whenNotAsked: policy,
      misbehaving: misbehaviour)
  }
}

extension SubscriptionRecord {
  /// When the subscriber subscribed and cancelled, and when it was told the end: `^---!`.
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

  /// What it asked for, requested or returned, all of one frame together: `3--2`.
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

  /// Throws unless the subscription went as the diagrams show.
  ///
  ///     try publisher.subscriptions[0].expect(marbles: "^---!", demand: "3--2")
  ///
  /// - Parameters:
  ///   - marbles: `^` where it began, `!` where it was cancelled, `|` where it was told the end, a failure too.
  ///   - demand: what was asked for, requested or returned, all of one frame together; not looked at if left out.
  ///   - start: the time of frame 0.
  ///   - frame: how long a frame is.
  ///   - fileID: the file that a failure names: the caller's.
  ///   - line: the line that it names.
  /// - Throws: ``TestFailure``, which shows what was expected and what happened, one under the other.
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
