import Weir
import WeirTesting

/// The result of an operator with unlimited demand for the timed events of its upstreams.
struct TimedModel: @unchecked Sendable {  // Its closures capture no mutable state.
  /// An event of an upstream.
  struct Input {
    /// The time in milliseconds.
    let time: Int
    let source: Int
    /// `nil` for a completion.
    let value: Int?
    var end: End?
  }

  /// An event of the operator and its time.
  struct Output: Equatable {
    let time: Int
    let text: String

    init(_ time: Int, _ text: String) {
      self.time = time
      self.text = text
    }

    init(_ time: Int, _ end: End) {
      self.init(time, end.rawValue)
    }
  }

  let name: String
  let sources: Int
  let isTimed: Bool
  /// All events up to a time for all inputs.
  ///
  /// Events after the first completion are ignored.
  let list: @Sendable (_ inputs: [Input], _ now: Int) -> [Output]
  let attach: ([Upstream], VirtualTimeScheduler) -> any ModelSubscriber

  init<P: Publisher>(
    _ name: String, sources: Int = 1, timed: Bool = false,
    _ make: @escaping @Sendable ([Upstream], VirtualTimeScheduler) -> P,
    list: @escaping @Sendable (_ inputs: [Input], _ now: Int) -> [Output]
  ) {
    self.name = name
    self.sources = sources
    isTimed = timed
    self.list = list
    attach = { make($0, $1).attachModelSubscriber(demanding: .unlimited) }
  }

  /// The expected events of each step, and at the end.
  func expected(_ script: [ModelStep]) -> [[String]] {
    var inputs: [Input] = []
    var now = 0
    var isCancelled = false
    // Events at the subscription belong to the first step.
    let atOnce = tillTheEnd(list([], 0).filter { $0.time <= 0 }).map(\.text)
    var emitted = atOnce.count
    let steps = (script + [.wait(1000)]).map { step -> [String] in
      switch step {
      case .value(let source, let value): inputs.append(Input(time: now, source: source, value: value))
      case .finish(let source): inputs.append(Input(time: now, source: source, value: nil, end: .finished))
      case .fail(let source): inputs.append(Input(time: now, source: source, value: nil, end: .failed))
      case .wait(let time): now += time
      case .cancel: isCancelled = true
      case .request, .requestUnlimited: break
      }
      if isCancelled { return [] }
      let all = tillTheEnd(list(sane(inputs), now).filter { $0.time <= now }).map(\.text)
      defer { emitted = all.count }
      return Array(all.dropFirst(emitted))
    }
    return [atOnce + (steps.first ?? [])] + steps.dropFirst()
  }

  /// Events after a completion are ignored.
  private func sane(_ inputs: [Input]) -> [Input] {
    var ended: Set<Int> = []
    return inputs.filter { input in
      defer { if input.end != nil { ended.insert(input.source) } }
      return !ended.contains(input.source)
    }
  }

  private func tillTheEnd(_ outputs: [Output]) -> [Output] {
    let end = outputs.firstIndex { End(rawValue: $0.text) != nil }
    return end.map { Array(outputs[...$0]) } ?? outputs
  }

  /// The actual events of each step, and at the end.
  func actual(_ script: [ModelStep]) -> [[String]] {
    let scheduler = VirtualTimeScheduler()
    let sources = (0..<sources).map { _ in TestPublisher<Int, UpstreamFailure>() }
    let subscriber = attach(sources.map { AnyPublisher($0) }, scheduler)
    var before = 0
    return (script + [.wait(1000)]).map { step in
      defer { before = subscriber.received.count }
      step.play(sources, subscriber)
      if case .wait(let time) = step { scheduler.advance(by: .milliseconds(time)) }
      // Runs work that is due immediately.
      if isTimed { scheduler.advance() }
      return Array(subscriber.received.dropFirst(before)) + subscriber.breaches
    }
  }
}
