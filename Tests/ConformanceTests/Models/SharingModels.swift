import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  // MARK: Subscribers that share

  /// The events of two concurrent subscribers of a publisher.
  private static func twice(_ shared: some Publisher<Int, UpstreamFailure>) -> some Publisher<Int, UpstreamFailure> {
    shared.merge(with: shared)
  }

  private static func doubled(_ inputs: [Input]) -> [Output] {
    inputs.flatMap { Array(repeating: passed($0), count: $0.end == nil ? 2 : 1) }
  }

  static let sharing: [TimedModel] = [
    TimedModel("share") { upstreams, _ in
      twice(upstreams[0].share())
    } list: { inputs, _ in
      doubled(inputs)
    },
    TimedModel("multicast") { upstreams, _ in
      twice(upstreams[0].multicast { PassthroughSubject() }.autoconnect())
    } list: { inputs, _ in
      doubled(inputs)
    },
    TimedModel("multicast(subject:)") { upstreams, _ in
      twice(upstreams[0].multicast(subject: PassthroughSubject()).autoconnect())
    } list: { inputs, _ in
      doubled(inputs)
    },
    TimedModel("autoconnect") { upstreams, _ in
      upstreams[0].multicast { PassthroughSubject() }.autoconnect()
    } list: { inputs, _ in
      inputs.map(passed)
    },
    TimedModel("makeConnectable") { upstreams, _ in
      twice(
        upstreams[0].replaceError(with: 7).makeConnectable().autoconnect().setFailureType(to: UpstreamFailure.self))
    } list: { inputs, _ in
      inputs.flatMap { input in
        input.end == .finished
          ? [passed(input)]
          : Array(repeating: Output(input.time, "\(input.value ?? 7)"), count: 2)
            + (input.end == nil ? [] : [Output(input.time, .finished)])
      }
    },
    TimedModel("share(replay:)", sources: 2) { upstreams, _ in
      let shared = upstreams[0].share(replay: 1)
      // Attaches another subscriber when the second upstream sends a value.
      return shared.merge(with: upstreams[1].first().flatMap { _ in shared })
    } list: { inputs, _ in
      var latest: Int?
      var hasJoined = false
      var isTerminated = [false, false]
      var outputs: [Output] = []
      for input in inputs where input.source == 0 || !hasJoined {
        if input.end == .failed { return outputs + [Output(input.time, .failed)] }
        if input.end != nil { isTerminated[input.source] = true }
        if let value = input.value, input.source == 0 {
          latest = value
          outputs += Array(repeating: passed(input), count: hasJoined ? 2 : 1)
        } else if input.value != nil {
          hasJoined = true
          if let latest, !isTerminated[0] { outputs.append(Output(input.time, "\(latest)")) }
        }
        if isTerminated[0], isTerminated[1] || hasJoined { return outputs + [Output(input.time, .finished)] }
      }
      return outputs
    },
    TimedModel("Collection.amb", sources: 3) { upstreams, _ in
      upstreams.amb()
    } list: { inputs, _ in
      inputs.filter { $0.source == inputs.first?.source }.map(passed)
    },
  ]

  // MARK: Values dealt out

  static let splitting: [TimedModel] = [
    TimedModel("groupBy") { upstreams, _ in
      upstreams[0].groupBy { $0 % 2 }.flatMap { group in group.map { "\(group.key): \($0)" } }
    } list: { inputs, _ in
      inputs.map { input in input.value.map { Output(input.time, "\($0 % 2): \($0)") } ?? passed(input) }
    },
    TimedModel("window(count:skip:)") { upstreams, _ in
      upstreams[0].window(count: 3, skip: 2).flatMap { $0.collect() }
    } list: { inputs, _ in
      let values = inputs.filter { $0.value != nil }
      var outputs: [Output] = []
      for begin in stride(from: 0, to: values.count, by: 2) {
        let window = values[begin...].prefix(3)
        let isTerminated = inputs.last?.end == .finished
        guard let last = window.count == 3 ? window.last : isTerminated ? inputs.last : nil else { break }
        outputs.append(Output(last.time, "\(window.compactMap(\.value))"))
      }
      return outputs + inputs.filter { $0.end != nil }.map(passed)
    },
    TimedModel("window(time:scheduler:)", timed: true) { upstreams, scheduler in
      upstreams[0].window(time: .milliseconds(10), scheduler: scheduler).flatMap { $0.collect() }
        .filter { !$0.isEmpty }
    } list: { inputs, now in
      collected(inputs, now, count: .max)
    },
  ]
}
