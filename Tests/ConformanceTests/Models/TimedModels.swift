import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  static let all = several + oneAfterOther + flattening + splitting + sharing + timed + rx + traits + shared

  /// The time at which the first upstream fails, and all events up to that.
  private static func beforeFailure(_ inputs: [Input]) -> (inputs: [Input], failure: Output?) {
    guard let index = inputs.firstIndex(where: { $0.end == .failed }) else { return (inputs, nil) }
    return (Array(inputs[..<index]), Output(inputs[index].time, .failed))
  }

  /// The unchanged event.
  static func passed(_ input: Input) -> Output {
    Output(input.time, input.value.map { "\($0)" } ?? input.end?.rawValue ?? "")
  }

  /// The completion after all upstreams have completed.
  private static func allEnded(_ inputs: [Input], _ sources: Int) -> Output? {
    let ends = inputs.filter { $0.end == .finished }
    return ends.count == sources ? ends.last.map { Output($0.time, .finished) } : nil
  }

  // MARK: Several upstreams

  /// The events of the upstreams as they arrive.
  static func merged(_ inputs: [Input], _ sources: Int) -> [Output] {
    let (inputs, failure) = beforeFailure(inputs)
    return inputs.compactMap { input in input.value.map { Output(input.time, "\($0)") } }
      + [failure ?? allEnded(inputs, sources)].compactMap { $0 }
  }

  /// The latest values of the upstreams.
  static func combined(_ inputs: [Input], _ sources: Int, _ show: ([Int]) -> String = tuple) -> [Output] {
    let (inputs, failure) = beforeFailure(inputs)
    var latest = [Int?](repeating: nil, count: sources)
    var outputs: [Output] = []
    for input in inputs {
      guard let value = input.value else { continue }
      latest[input.source] = value
      if !latest.contains(nil) { outputs.append(Output(input.time, show(latest.compactMap { $0 }))) }
    }
    return outputs + [failure ?? allEnded(inputs, sources)].compactMap { $0 }
  }

  /// The values of the upstreams by position.
  static func zipped(_ inputs: [Input], _ sources: Int, _ show: ([Int]) -> String = tuple) -> [Output] {
    var waiting = [[Int]](repeating: [], count: sources)
    var ended = [Bool](repeating: false, count: sources)
    var outputs: [Output] = []
    for input in inputs {
      if input.end == .failed { return outputs + [Output(input.time, .failed)] }
      if let value = input.value { waiting[input.source].append(value) } else { ended[input.source] = true }
      let row = waiting.compactMap(\.first)
      if row.count == sources {
        outputs.append(Output(input.time, show(row)))
        waiting = waiting.map { Array($0.dropFirst()) }
      }
      // No other row can follow.
      if (0..<sources).contains(where: { ended[$0] && waiting[$0].isEmpty }) {
        return outputs + [Output(input.time, .finished)]
      }
    }
    return outputs
  }

  /// The text of a tuple.
  static func tuple(_ values: [Int]) -> String { "(\(values.map { "\($0)" }.joined(separator: ", ")))" }

  /// The events before the second upstream sends a value.
  private static func untilOutput(_ inputs: [Input]) -> [Output] {
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
  }

  private static let several: [TimedModel] = [
    TimedModel("merge(with:)", sources: 2) { upstreams, _ in
      upstreams[0].merge(with: upstreams[1])
    } list: { inputs, _ in
      merged(inputs, 2)
    },
    TimedModel("merge(with:), 3", sources: 3) { sources, _ in
      sources[0].merge(with: sources[1], sources[2])
    } list: { inputs, _ in
      merged(inputs, 3)
    },
    TimedModel("merge(with:), 4", sources: 4) { sources, _ in
      sources[0].merge(with: sources[1], sources[2], sources[3])
    } list: { inputs, _ in
      merged(inputs, 4)
    },
    TimedModel("merge(with:), 5", sources: 5) { sources, _ in
      sources[0].merge(with: sources[1], sources[2], sources[3], sources[4])
    } list: { inputs, _ in
      merged(inputs, 5)
    },
    TimedModel("merge(with:), 6", sources: 6) { sources, _ in
      sources[0].merge(with: sources[1], sources[2], sources[3], sources[4], sources[5])
    } list: { inputs, _ in
      merged(inputs, 6)
    },
    TimedModel("merge(with:), 7", sources: 7) { sources, _ in
      sources[0].merge(with: sources[1], sources[2], sources[3], sources[4], sources[5], sources[6])
    } list: { inputs, _ in
      merged(inputs, 7)
    },
    TimedModel("merge(with:), 8", sources: 8) { sources, _ in
      sources[0].merge(with: sources[1], sources[2], sources[3], sources[4], sources[5], sources[6], sources[7])
    } list: { inputs, _ in
      merged(inputs, 8)
    },
    TimedModel("combineLatest", sources: 2) { upstreams, _ in
      upstreams[0].combineLatest(upstreams[1])
    } list: { inputs, _ in
      combined(inputs, 2)
    },
    TimedModel("combineLatest, 3", sources: 3) { upstreams, _ in
      upstreams[0].combineLatest(upstreams[1], upstreams[2])
    } list: { inputs, _ in
      combined(inputs, 3)
    },
    TimedModel("combineLatest, 4", sources: 4) { upstreams, _ in
      upstreams[0].combineLatest(upstreams[1], upstreams[2], upstreams[3])
    } list: { inputs, _ in
      combined(inputs, 4)
    },
    TimedModel("zip", sources: 2) { upstreams, _ in
      upstreams[0].zip(upstreams[1])
    } list: { inputs, _ in
      zipped(inputs, 2)
    },
    TimedModel("zip, 3", sources: 3) { upstreams, _ in
      upstreams[0].zip(upstreams[1], upstreams[2])
    } list: { inputs, _ in
      zipped(inputs, 3)
    },
    TimedModel("zip, 4", sources: 4) { upstreams, _ in
      upstreams[0].zip(upstreams[1], upstreams[2], upstreams[3])
    } list: { inputs, _ in
      zipped(inputs, 4)
    },
    TimedModel("Collection.merge", sources: 3) { upstreams, _ in
      upstreams.merge()
    } list: { inputs, _ in
      merged(inputs, 3)
    },
    TimedModel("Collection.combineLatest", sources: 3) { upstreams, _ in
      upstreams.combineLatest()
    } list: { inputs, _ in
      combined(inputs, 3) { "\($0)" }
    },
    TimedModel("Collection.zip", sources: 3) { upstreams, _ in
      upstreams.zip()
    } list: { inputs, _ in
      zipped(inputs, 3) { "\($0)" }
    },
    TimedModel("prefix(untilOutputFrom:)", sources: 2) { upstreams, _ in
      upstreams[0].prefix(untilOutputFrom: upstreams[1])
    } list: { inputs, _ in
      untilOutput(inputs)
    },
    TimedModel("take(until:)", sources: 2) { upstreams, _ in
      upstreams[0].take(until: upstreams[1])
    } list: { inputs, _ in
      untilOutput(inputs)
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

  /// The first upstream's values select one of the others.
  static func inner(_ value: Int) -> Int { value % 2 + 1 }

  static func flat(_ inputs: [Input], switching: Bool) -> [Output] {
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
    TimedModel("flatMapLatest", sources: 3) { upstreams, _ in
      upstreams[0].flatMapLatest { upstreams[inner($0)] }
    } list: { inputs, _ in
      flat(inputs, switching: true)
    },
    TimedModel("switchToLatest", sources: 3) { upstreams, _ in
      upstreams[0].map { upstreams[inner($0)] }.switchToLatest()
    } list: { inputs, _ in
      flat(inputs, switching: true)
    },
  ]

  // MARK: Time

  private static let timed: [TimedModel] = [
    TimedModel("delay(for:scheduler:)", timed: true) {
      $0[0].delay(for: .milliseconds(10), scheduler: $1)
    } list: { inputs, _ in
      inputs.map { Output($0.time + 10, $0.value.map { "\($0)" } ?? $0.end?.rawValue ?? "") }
    },
    TimedModel("subscribe(on:)", timed: true) {
      $0[0].subscribe(on: $1)
    } list: { inputs, _ in
      // The first value arrives before the scheduler runs, unless time has passed.
      let isTooEarly = inputs.first.map { $0.time == 0 && $0.value != nil } ?? false
      return inputs.dropFirst(isTooEarly ? 1 : 0).map(passed)
    },
    TimedModel("receive(on:)", timed: true) {
      $0[0].receive(on: $1)
    } list: { inputs, _ in
      inputs.map(passed)
    },
    TimedModel("receive(on:hops: .oneForAll)", timed: true) {
      $0[0].receive(on: $1, hops: .oneForAll)
    } list: { inputs, _ in
      inputs.map(passed)
    },
    TimedModel("debounce(for:scheduler:)", timed: true) {
      $0[0].debounce(for: .milliseconds(10), scheduler: $1)
    } list: { inputs, _ in
      debounced(inputs)
    },
    TimedModel("timeout(_:scheduler:)", timed: true) {
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
    TimedModel("throttle(for:scheduler:latest:), the last", timed: true) {
      $0[0].throttle(for: .milliseconds(10), scheduler: $1, latest: true)
    } list: { inputs, now in
      throttled(inputs, now, latest: true)
    },
    TimedModel("throttle(for:scheduler:latest:), the first", timed: true) {
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
    TimedModel("measureInterval(using:)", timed: true) {
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

  /// Values that no other follows within 10 milliseconds.
  static func debounced(_ inputs: [Input]) -> [Output] {
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
  }

  /// At most one value in 10 milliseconds.
  static func throttled(_ inputs: [Input], _ now: Int, latest: Bool) -> [Output] {
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

  /// Groups of the values of every 10 milliseconds; a group ends sooner when it reaches the count.
  static func collected(_ inputs: [Input], _ now: Int, count: Int) -> [Output] {
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
