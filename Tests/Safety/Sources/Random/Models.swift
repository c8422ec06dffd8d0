// What a program with one thread should deliver: an implementation that knows neither demand nor threads nor re-entry.

import Weir

/// What receives events in a model, until it is closed or one of them is an end.
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

/// What an operator makes of values and an end: values and an end.
///
/// It is called again with each value more, so its result for fewer values must be a beginning of that for more.
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

  /// Ends the cycle of references with the pipelines that subscribe again.
  func release() { lines = [] }
}

/// How an operator is modeled.
enum Model {
  typealias Join = (_ up: @escaping Feed, _ other: @escaping Feed) -> Feed

  /// One upstream, whose values it lists anew.
  case list(List)
  /// The same if the demand is unlimited from the beginning. Without demand, values are dropped, or wait in another order.
  case eager(List)
  /// The same values for the first subscription, which only lists may follow.
  case shared
  /// One upstream after the other.
  case following(Join)
  /// Several upstreams at once. It has no demand for them until all have sent their subscriptions.
  case joining(Join)
  /// Several upstreams at once, of which values are dropped, or wait in another order, unless the demand is unlimited.
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
  /// Whether the models know what it delivers, if only which values where several threads send them.
  var isModeled: Bool {
    guard hasModel, acts.isEmpty, !isRogue else { return false }
    if isThreaded { return isUnordered }
    guard scripts[0].allSatisfy({ $0 != .subscribe && $0 != .advance }) else { return false }
    return demand == .unlimited || isCold
  }

  /// Whether it delivers the same values whatever thread comes first.
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
        // Here a source that follows another one is attached when there is demand, and so behind that of the join.
        if isEager || isFollowing && before.contains(stage.other) { return false }
      }
      // It asks for what it drops before there is demand: what joins publishers then has less demand than it has values.
      isEager = isEager || stage.operation.isEager || isJoined && stage.operation.asksAhead
      isJoined = isJoined || stage.operation.isJoining
      isFollowing = isFollowing || stage.operation.isFollowing
      before.append(stage.other)
    }
    return true
  }

  /// Whether no value can be dropped for want of demand.
  private var isCold: Bool { source == .sequence && !answers && stages.allSatisfy(\.operation.isList) }

  /// What a subscriber with unlimited demand should receive.
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

  /// Describes how what came differs from the models.
  func difference(of events: [Event]) -> String? {
    var (events, expected) = (events, modelEvents())
    if isThreaded { (events, expected) = (events.sorted, expected.sorted) }
    if demand != .unlimited { expected = expected.limited(to: totalDemand, comparedWith: events) }
    if events == expected { return nil }
    return "differs from its model: \(show(events)) instead of \(show(expected))"
  }

  /// The demand of the subscriber up to its cancel.
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
  /// The values by their size, and what comes from the end on.
  fileprivate var sorted: [Event] {
    let end = firstIndex { if case .end = $0 { true } else { false } } ?? endIndex
    return Array(self[..<end]).numbers.sorted().map { .value($0) } + self[end...]
  }

  private var numbers: [Int] { compactMap { if case .value(let number) = $0 { number } else { nil } } }

  /// The first values, and the end if it comes with them.
  ///
  /// Some operators know with the last value that it is the last, and others look for it with the next demand. Both are right.
  fileprivate func limited(to demand: Int, comparedWith events: [Event]) -> [Event] {
    let values = filter { if case .value = $0 { true } else { false } }
    if values.count < demand { return self }
    let first = Array(values.prefix(demand))
    return values.count == demand && events.count > demand ? self : first
  }
}
