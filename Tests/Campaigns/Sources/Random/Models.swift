// The expected events of a program with one thread: a model without demand, threads and re-entrancy.

import Weir

/// A receiver of events in a model, until it is closed or receives a completion.
final class Line {
  private let parent: Line?
  private let receive: (Event) -> Void
  private var isOpen = true

  init(below parent: Line? = nil, _ receive: @escaping (Event) -> Void) {
    self.parent = parent
    self.receive = receive
  }

  var isLive: Bool { isOpen && parent?.isLive ?? true }

  func send(_ event: Event) {
    if !isLive { return }
    if case .end = event { isOpen = false }
    receive(event)
  }

  func close() { isOpen = false }
}

/// The model of a publisher, which sends to a line.
typealias Feed = (Line) -> Void

/// The result of an operator: a list of values and a completion for a list of values and a completion.
///
/// It is called again with each further value, so its result for fewer values must be a prefix of that for more.
typealias List = (_ values: [Int], _ end: End?) -> (values: [Int], end: End?)

/// The model of a subject.
private final class ModelSubject {
  private var lines: [Line] = []
  private var current: Int?
  private var end: End?

  init(_ current: Int?) { self.current = current }

  func feed(_ line: Line) {
    if let end { return line.send(.end(end)) }
    lines.append(line)
    if let current { line.send(.value(current)) }
  }

  func send(_ event: Event) {
    if end != nil { return }
    switch event {
    case .value(let value): if current != nil { current = value }
    case .end(let end): self.end = end
    }
    for line in lines { line.send(event) }
  }

  /// Breaks the reference cycle with pipelines that subscribe again.
  func release() { lines = [] }
}

/// The model of an operator.
enum Model {
  typealias Join = (_ up: @escaping Feed, _ other: @escaping Feed) -> Feed

  /// One upstream; the operator maps its list of values.
  case list(List)
  /// The same for unlimited initial demand.
  ///
  /// Without demand, values are dropped or reordered.
  case eager(List)
  /// The same values for the first subscription.
  ///
  /// Only `list` operators may follow.
  case shared
  /// One upstream after the other.
  case following(Join)
  /// Several concurrent upstreams.
  ///
  /// The operator requests values after all have sent their subscriptions.
  case joining(Join)
  /// Several concurrent upstreams, whose values are dropped or reordered unless the demand is unlimited.
  case eagerJoining(Join)

  func callAsFunction(_ up: @escaping Feed, _ other: @escaping Feed) -> Feed {
    switch self {
    case .list(let list), .eager(let list): listed(list)(up)
    case .shared: up
    case .following(let join), .joining(let join), .eagerJoining(let join): join(up, other)
    }
  }

  private func listed(_ list: @escaping List) -> (@escaping Feed) -> Feed {
    { up in
      { line in
        var values: [Int] = []
        var sent = 0
        up(
          Line(below: line) { event in
            var end: End?
            switch event {
            case .value(let value): values.append(value)
            case .end(let kind): end = kind
            }
            let answer = list(values, end)
            let new = answer.values.dropFirst(sent)
            sent = answer.values.count
            for value in new { line.send(.value(value)) }
            if let end = answer.end { line.send(.end(end)) }
          })
      }
    }
  }
}

// MARK: Programs

extension RandomProgram {
  /// Whether the models know its events; with several sending threads, only which values it delivers.
  var isModeled: Bool {
    guard hasModel, acts.isEmpty, !isRogue else { return false }
    if isThreaded { return isUnordered }
    guard scripts[0].allSatisfy({ $0 != .subscribe && $0 != .advance }) else { return false }
    return demand == .unlimited || isCold
  }

  /// Whether it delivers the same values in every order of threads.
  ///
  /// When its threads have ended, its subjects complete.
  var isUnordered: Bool {
    guard isThreaded, acts.isEmpty, !isRogue, demand == .unlimited else { return false }
    guard stages.allSatisfy(\.operation.isUnordered) else { return false }
    return scripts.joined().allSatisfy { step in
      switch step {
      case .send, .request, .requestUnlimited: true
      default: false
      }
    }
  }

  /// Whether the models know the pipeline.
  private var hasModel: Bool {
    guard stages.allSatisfy({ $0.operation.model != nil }) else { return false }
    var (isEager, isFollowing, isShared, isJoined, before) = (false, false, false, false, [source])
    for stage in stages {
      if isShared, stage.operation.isJoining || stage.operation.isFollowing { return false }
      isShared = isShared || stage.operation.isShared
      if stage.operation.isJoining {
        // Here a source that follows another is attached at the first demand, and so after that of the join.
        if isEager || isFollowing && before.contains(stage.other) { return false }
      }
      // It requests dropped values before there is demand, so a later joining operator has less demand than values.
      isEager = isEager || stage.operation.isEager || isJoined && stage.operation.asksAhead
      isJoined = isJoined || stage.operation.isJoining
      isFollowing = isFollowing || stage.operation.isFollowing
      before.append(stage.other)
    }
    return true
  }

  /// Whether no value can be dropped without demand.
  private var isCold: Bool { source == .sequence && !answers && stages.allSatisfy(\.operation.isList) }

  /// The expected events of a subscriber with unlimited demand.
  private func modelEvents() -> [Event] {
    let (first, second) = (ModelSubject(nil), ModelSubject(0))
    func feed(_ source: Source) -> Feed {
      switch source {
      case .first: first.feed
      case .second: second.feed
      case .sequence, .rogue:
        { line in
          for number in 0..<numbers { line.send(.value(number)) }
          line.send(.end(.finished))
        }
      }
    }
    var events: [Event] = []
    let line = Line { events.append($0) }
    defer {
      first.release()
      second.release()
    }
    var pipeline = feed(source)
    for stage in stages {
      if let model = stage.operation.model { pipeline = model(pipeline, feed(stage.other)) }
    }
    pipeline(line)
    let last: [Step] = isThreaded ? [.finish(.first), .finish(.second)] : []
    for step in scripts.joined() + last {
      switch step {
      case .send(let source, let number): (source == .first ? first : second).send(.value(number))
      case .finish(let source): (source == .first ? first : second).send(.end(.finished))
      case .fail(let source): (source == .first ? first : second).send(.end(.failed))
      case .cancel: line.close()
      default: break
      }
    }
    return events
  }

  /// Describes the difference between the actual events and the models.
  func difference(of events: [Event]) -> String? {
    var (events, expected) = (events, modelEvents())
    if isThreaded { (events, expected) = (events.sorted, expected.sorted) }
    if demand != .unlimited { expected = expected.limited(to: totalDemand, comparedWith: events) }
    if events == expected { return nil }
    return "differs from its model: \(show(events)) instead of \(show(expected))"
  }

  /// The demand of the subscriber up to its cancellation.
  private var totalDemand: Int {
    var total = demand.max ?? .max
    for step in scripts[0] {
      switch step {
      case .request(let count): if total < .max { total += count }
      case .requestUnlimited: total = .max
      case .cancel: return total
      default: break
      }
    }
    return total
  }

  private func show(_ events: [Event]) -> String {
    let texts = events.map { event in
      switch event {
      case .value(let value): "\(value)"
      case .end(.finished): "finished"
      case .end(.failed): "failed"
      }
    }
    return "[\(texts.joined(separator: ", "))]"
  }
}

extension [Event] {
  /// The sorted values, and the events from the completion on.
  fileprivate var sorted: [Event] {
    let end = firstIndex { if case .end = $0 { true } else { false } } ?? endIndex
    return Array(self[..<end]).numbers.sorted().map { .value($0) } + self[end...]
  }

  private var numbers: [Int] { compactMap { if case .value(let number) = $0 { number } else { nil } } }

  /// The first values, and the completion if it arrives with them.
  ///
  /// Some operators detect the last value immediately, and others at the next demand. Both are correct.
  fileprivate func limited(to demand: Int, comparedWith events: [Event]) -> [Event] {
    let values = filter { if case .value = $0 { true } else { false } }
    if values.count < demand { return self }
    let first = Array(values.prefix(demand))
    return values.count == demand && events.count > demand ? self : first
  }
}
