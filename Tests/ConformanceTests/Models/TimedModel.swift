import Weir
import WeirTesting

/// What an operator makes of what its upstreams send and when, if all is asked for.
struct TimedModel: @unchecked Sendable {  // Its closures capture nothing that changes.
  /// What an upstream sent.
  struct Input {
    /// In milliseconds.
    let time: Int
    let source: Int
    /// `nil` for the end.
    let value: Int?
    var end: End?
  }

  /// What comes, and when.
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
  /// All that comes up to a time, given all that was sent.
  ///
  /// What follows the first end is left out.
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

  /// What should come at each step, and in the end.
  func expected(_ script: [ModelStep]) -> [[String]] {
    var inputs: [Input] = []
    var now = 0
    var isCancelled = false
    // What comes at the subscription counts as the first step's.
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

  /// Nobody hears what is sent after an end.
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

  /// What does come at each step, and in the end.
  func actual(_ script: [ModelStep]) -> [[String]] {
    let scheduler = VirtualTimeScheduler()
    let sources = (0..<sources).map { _ in TestPublisher<Int, UpstreamFailure>() }
    let subscriber = attach(sources.map { AnyPublisher($0) }, scheduler)
    var before = 0
    return (script + [.wait(1000)]).map { step in
      defer { before = subscriber.received.count }
      step.play(sources, subscriber)
      if case .wait(let time) = step { scheduler.advance(by: .milliseconds(time)) }
      // What is due at once.
      if isTimed { scheduler.advance() }
      return Array(subscriber.received.dropFirst(before)) + subscriber.breaches
    }
  }
}
