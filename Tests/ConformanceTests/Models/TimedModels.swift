import Weir
import WeirTesting

extension TimedModel {
  static let all = several + flattening + timed + rx

  /// The time at which the first of the upstreams fails, and all that was sent up to then.
  private static func beforeFailure(_ inputs: [Input]) -> (inputs: [Input], failure: Output?) {
    guard let index = inputs.firstIndex(where: { $0.end == .failed }) else { return (inputs, nil) }
    return (Array(inputs[..<index]), Output(inputs[index].time, .failed))
  }

  /// The end when all of so many upstreams have ended.
  private static func allEnded(_ inputs: [Input], _ sources: Int) -> Output? {
    let ends = inputs.filter { $0.end == .finished }
    return ends.count == sources ? ends.last.map { Output($0.time, .finished) } : nil
  }

  // MARK: Several upstreams

  private static let several: [TimedModel] = [
    TimedModel("merge", sources: 2) { upstreams, _ in
      upstreams[0].merge(with: upstreams[1])
    } list: { inputs, _ in
      let (inputs, failure) = beforeFailure(inputs)
      return inputs.compactMap { input in input.value.map { Output(input.time, "\($0)") } }
        + [failure ?? allEnded(inputs, 2)].compactMap { $0 }
    },
    TimedModel("combineLatest", sources: 2) { upstreams, _ in
      upstreams[0].combineLatest(upstreams[1])
    } list: { inputs, _ in
      var latest: [Int?] = [nil, nil]
      var outputs: [Output] = []
      var ended = 0
      for input in inputs {
        if input.end == .failed { return outputs + [Output(input.time, .failed)] }
        if let value = input.value {
          latest[input.source] = value
          if let a = latest[0], let b = latest[1] { outputs.append(Output(input.time, "(\(a), \(b))")) }
        } else {
          ended += 1
          if ended == 2 { return outputs + [Output(input.time, .finished)] }
        }
      }
      return outputs
    },
    TimedModel("zip", sources: 2) { upstreams, _ in
      upstreams[0].zip(upstreams[1])
    } list: { inputs, _ in
      var waiting: [[Int]] = [[], []]
      var ended = [false, false]
      var outputs: [Output] = []
      for input in inputs {
        if input.end == .failed { return outputs + [Output(input.time, .failed)] }
        if let value = input.value { waiting[input.source].append(value) } else { ended[input.source] = true }
        if let a = waiting[0].first, let b = waiting[1].first {
          outputs.append(Output(input.time, "(\(a), \(b))"))
          waiting = waiting.map { Array($0.dropFirst()) }
        }
        // No other pair can come.
        if (0...1).contains(where: { ended[$0] && waiting[$0].isEmpty }) {
          return outputs + [Output(input.time, .finished)]
        }
      }
      return outputs
    },
    TimedModel("append", sources: 2) { upstreams, _ in
      upstreams[0].append(upstreams[1])
    } list: { inputs, _ in
      var isSecond = false
      var outputs: [Output] = []
      for (index, input) in inputs.enumerated() where input.source == (isSecond ? 1 : 0) {
        if let value = input.value { outputs.append(Output(input.time, "\(value)")) }
        if input.end == .failed || (input.end == .finished && isSecond) {
          return outputs + [Output(input.time, input.end ?? .finished)]
        }
        if input.end == .finished {
          isSecond = true
          // A completion waits for who comes late.
          if let end = inputs[..<index].first(where: { $0.source == 1 && $0.end != nil })?.end {
            return outputs + [Output(input.time, end)]
          }
        }
      }
      return outputs
    },
    TimedModel("prefix(untilOutputFrom:)", sources: 2) { upstreams, _ in
      upstreams[0].prefix(untilOutputFrom: upstreams[1])
    } list: { inputs, _ in
      var outputs: [Output] = []
      for input in inputs {
        if input.source == 1 {
          if input.value != nil { return outputs + [Output(input.time, .finished)] }
        } else if let value = input.value {
          outputs.append(Output(input.time, "\(value)"))
        } else if let end = input.end {
          return outputs + [Output(input.time, end)]
        }
      }
      return outputs
    },
    TimedModel("drop(untilOutputFrom:)", sources: 2) { upstreams, _ in
      upstreams[0].drop(untilOutputFrom: upstreams[1])
    } list: { inputs, _ in
      var outputs: [Output] = []
      var isOpen = false
      for input in inputs {
        if input.source == 1 {
          if input.end == .failed, !isOpen { return outputs + [Output(input.time, .failed)] }
          if input.end == .finished, !isOpen { return outputs + [Output(input.time, .finished)] }
          if input.value != nil { isOpen = true }
        } else if let value = input.value {
          if isOpen { outputs.append(Output(input.time, "\(value)")) }
        } else if let end = input.end {
          return outputs + [Output(input.time, end)]
        }
      }
      return outputs
    },
  ]

  // MARK: Publishers of publishers

  /// The first upstream's values choose one of the others.
  private static func inner(_ value: Int) -> Int { value % 2 + 1 }

  private static func flat(_ inputs: [Input], switching: Bool) -> [Output] {
    var inners: [Int] = []
    var ended: Set<Int> = []
    var failed: Set<Int> = []
    var isOuterOver = false
    var outputs: [Output] = []
    for input in inputs {
      if input.source == 0 {
        if input.end == .failed { return outputs + [Output(input.time, .failed)] }
        if let value = input.value {
          if failed.contains(inner(value)) { return outputs + [Output(input.time, .failed)] }
          if switching { inners = [] }
          if !ended.contains(inner(value)) { inners.append(inner(value)) }
        } else {
          isOuterOver = true
        }
      } else {
        if let value = input.value {
          outputs += inners.filter { $0 == input.source }.map { _ in Output(input.time, "\(value)") }
        }
        if input.end == .failed {
          if inners.contains(input.source) { return outputs + [Output(input.time, .failed)] }
          failed.insert(input.source)
        }
        if input.end == .finished {
          ended.insert(input.source)
          inners.removeAll { $0 == input.source }
        }
      }
      if isOuterOver, inners.isEmpty { return outputs + [Output(input.time, .finished)] }
    }
    return outputs
  }

  private static let flattening: [TimedModel] = [
    TimedModel("flatMap", sources: 3) { upstreams, _ in
      upstreams[0].flatMap { upstreams[inner($0)] }
    } list: { inputs, _ in
      flat(inputs, switching: false)
    },
    TimedModel("switchToLatest", sources: 3) { upstreams, _ in
      upstreams[0].map { upstreams[inner($0)] }.switchToLatest()
    } list: { inputs, _ in
      flat(inputs, switching: true)
    },
  ]

  // MARK: Time

  private static let timed: [TimedModel] = [
    TimedModel("delay", timed: true) {
      $0[0].delay(for: .milliseconds(10), scheduler: $1)
    } list: { inputs, _ in
      inputs.map { Output($0.time + 10, $0.value.map { "\($0)" } ?? $0.end?.rawValue ?? "") }
    },
    TimedModel("receive(on:)", timed: true) {
      $0[0].receive(on: $1)
    } list: { inputs, _ in
      inputs.map { Output($0.time, $0.value.map { "\($0)" } ?? $0.end?.rawValue ?? "") }
    },
    TimedModel("debounce", timed: true) {
      $0[0].debounce(for: .milliseconds(10), scheduler: $1)
    } list: { inputs, _ in
      var outputs: [Output] = []
      for (index, input) in inputs.enumerated() {
        let next = index + 1 < inputs.count ? inputs[index + 1].time : Int.max
        if let value = input.value {
          if next > input.time + 9 { outputs.append(Output(input.time + 10, "\(value)")) }
        } else if let end = input.end {
          outputs.append(Output(input.time, end))
        }
      }
      return outputs
    },
    TimedModel("timeout", timed: true) {
      $0[0].timeout(.milliseconds(10), scheduler: $1)
    } list: { inputs, now in
      var outputs: [Output] = []
      var last = 0
      for input in inputs {
        if input.time >= last + 10 { break }
        last = input.time
        outputs.append(Output(input.time, input.value.map { "\($0)" } ?? input.end?.rawValue ?? ""))
        if input.end != nil { return outputs }
      }
      return outputs + [Output(last + 10, .finished)]
    },
    TimedModel("throttle, latest", timed: true) {
      $0[0].throttle(for: .milliseconds(10), scheduler: $1, latest: true)
    } list: { inputs, now in
      throttled(inputs, now, latest: true)
    },
    TimedModel("throttle, first", timed: true) {
      $0[0].throttle(for: .milliseconds(10), scheduler: $1, latest: false)
    } list: { inputs, now in
      throttled(inputs, now, latest: false)
    },
    TimedModel("collect(.byTime)", timed: true) {
      $0[0].collect(.byTime($1, .milliseconds(10)))
    } list: { inputs, now in
      collected(inputs, now, count: .max)
    },
    TimedModel("collect(.byTimeOrCount)", timed: true) {
      $0[0].collect(.byTimeOrCount($1, .milliseconds(10), 3))
    } list: { inputs, now in
      collected(inputs, now, count: 3)
    },
    TimedModel("measureInterval", timed: true) {
      $0[0].measureInterval(using: $1).map(\.milliseconds)
    } list: {
      inputs, _ in
      var last = 0
      return inputs.map { input in
        defer { last = input.time }
        return Output(input.time, input.end?.rawValue ?? "\(input.time - last)")
      }
    },
  ]

  /// At most one value in 10 milliseconds.
  private static func throttled(_ inputs: [Input], _ now: Int, latest: Bool) -> [Output] {
    var outputs: [Output] = []
    var last = -10
    var pending: (value: Int, due: Int)?
    func deliver(by time: Int) {
      guard let (value, due) = pending, due <= time else { return }
      outputs.append(Output(due, "\(value)"))
      last = due
      pending = nil
    }
    for input in inputs {
      deliver(by: input.time)
      if let value = input.value {
        if pending == nil { pending = (value, max(input.time, last + 10)) } else if latest { pending?.value = value }
      } else if let end = input.end {
        deliver(by: .max)
        return outputs + [Output(max(input.time, last), end)]
      }
    }
    deliver(by: now)
    return outputs
  }

  /// What comes together every 10 milliseconds, or sooner when there are so many.
  private static func collected(_ inputs: [Input], _ now: Int, count: Int) -> [Output] {
    var outputs: [Output] = []
    var held: [Int] = []
    var tick = 10
    func flush(_ time: Int) {
      if !held.isEmpty { outputs.append(Output(time, "\(held)")) }
      held = []
    }
    for input in inputs {
      while tick <= input.time {
        flush(tick)
        tick += 10
      }
      if let value = input.value {
        held.append(value)
        if held.count == count { flush(input.time) }
      } else if let end = input.end {
        if end == .finished { flush(input.time) }
        return outputs + [Output(input.time, end)]
      }
    }
    while tick <= now {
      flush(tick)
      tick += 10
    }
    return outputs
  }
}

extension VirtualTime.Stride {
  fileprivate var milliseconds: Int64 { magnitude / 1_000_000 }
}
