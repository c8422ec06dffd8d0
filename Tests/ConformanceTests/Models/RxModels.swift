import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  /// Each value of the first upstream with the latest value of the second.
  static func latestFrom(_ inputs: [Input], _ show: (Int, Int) -> String = { "\(($0, $1))" }) -> [Output] {
    var latest: Int?
    var outputs: [Output] = []
    for input in inputs {
      if let end = input.end, input.source == 0 || end == .failed || latest == nil {
        return outputs + [Output(input.time, end)]
      }
      if input.source == 1 {
        latest = input.value ?? latest
      } else if let latest, let value = input.value {
        outputs.append(Output(input.time, show(value, latest)))
      }
    }
    return outputs
  }

  /// The values of the second upstream while it is active.
  ///
  /// The first upstream's values start it.
  static func flatFirst(_ inputs: [Input]) -> [Output] {
    var isRunning = false
    var innerEnd: End?
    var isOuterOver = false
    var outputs: [Output] = []
    for input in inputs {
      if input.source == 1 {
        if let value = input.value, isRunning { outputs.append(Output(input.time, "\(value)")) }
        if let end = input.end {
          innerEnd = end
          if isRunning, end == .failed { return outputs + [Output(input.time, .failed)] }
          isRunning = false
        }
      } else if input.end == .failed {
        return outputs + [Output(input.time, .failed)]
      } else if input.end != nil {
        isOuterOver = true
      } else if innerEnd == .failed {
        return outputs + [Output(input.time, .failed)]
      } else if innerEnd == nil {
        isRunning = true
      }
      if isOuterOver, !isRunning { return outputs + [Output(input.time, .finished)] }
    }
    return outputs
  }

  /// The operators of `WeirRx` with several upstreams.
  static let rx: [TimedModel] = [
    TimedModel("amb(with:)", sources: 2) { upstreams, _ in
      upstreams[0].amb(with: upstreams[1])
    } list: { inputs, _ in
      inputs.filter { $0.source == inputs.first?.source }
        .map { Output($0.time, $0.end?.rawValue ?? $0.value.map { "\($0)" } ?? "") }
    },
    TimedModel("sample", sources: 2) { upstreams, _ in
      upstreams[0].sample(upstreams[1])
    } list: { inputs, _ in
      var latest: Int?
      var outputs: [Output] = []
      for input in inputs {
        if let end = input.end { return outputs + [Output(input.time, end)] }
        if input.source == 0 {
          latest = input.value
        } else if let value = latest {
          outputs.append(Output(input.time, "\(value)"))
          latest = nil
        }
      }
      return outputs
    },
    TimedModel("withLatestFrom", sources: 2) { upstreams, _ in
      upstreams[0].withLatestFrom(upstreams[1]) { ($0, $1) }
    } list: { inputs, _ in
      latestFrom(inputs)
    },
    TimedModel("flatMapFirst", sources: 2) { upstreams, _ in
      upstreams[0].flatMapFirst { _ in upstreams[1] }
    } list: { inputs, _ in
      flatFirst(inputs)
    },
  ]
}

extension PullModel {
  /// The operators of `WeirRx` with one upstream.
  static let rx: [PullModel] = [
    PullModel("pairwise") {
      $0.pairwise().map { "\($0)" }
    } list: { values, end in
      (zip(values, values.dropFirst()).map { "\($0)" }, end)
    },
    PullModel("nwise") {
      $0.nwise(3)
    } list: { values, end in
      (values.indices.dropFirst(2).map { "\(Array(values[$0 - 2...$0]))" }, end)
    },
    PullModel("enumerated") {
      $0.enumerated().map { [$0.0, $0.1] }
    } list: { values, end in
      (values.enumerated().map { "\([$0.offset, $0.element])" }, end)
    },
    PullModel("distinct") {
      $0.distinct()
    } list: { values, end in
      (values.indices.filter { !values[..<$0].contains(values[$0]) }.map { "\(values[$0])" }, end)
    },
    PullModel("distinct(by:)") {
      $0.distinct { $0 / 2 }
    } list: { values, end in
      (
        values.indices.filter { at in !values[..<at].contains { $0 / 2 == values[at] / 2 } }.map { "\(values[$0])" },
        end
      )
    },
    PullModel("toggle") {
      $0.map { $0 > 1 }.toggle()
    } list: { values, end in
      (values.map { "\($0 <= 1)" }, end)
    },
    PullModel("partition, matches") {
      $0.partition { $0 > 1 }.matches
    } list: { values, end in
      (values.filter { $0 > 1 }.map { "\($0)" }, end)
    },
    PullModel("partition, the others") {
      $0.partition { $0 > 1 }.nonMatches
    } list: { values, end in
      (values.filter { $0 <= 1 }.map { "\($0)" }, end)
    },
    PullModel("materialize") {
      $0.materialize()
    } list: { values, end in
      (values.map { "value(\($0))" } + (end.map { [$0.rawValue] } ?? []), end == nil ? nil : .finished)
    },
    PullModel("dematerialize") {
      $0.ignoreFailure().map(eventOfNumber).dematerialize()
    } list: { values, end in
      let kept = values.prefix { $0 < 3 }
      let told: End? = kept.count < values.count ? (values[kept.count] == 3 ? .finished : .failed) : nil
      return (kept.map { "\($0)" }, told ?? (end == nil ? nil : .finished))
    },
    PullModel("take(until:behavior: .inclusive)") {
      $0.take(until: { $0 == 3 }, behavior: .inclusive)
    } list: { values, end in
      guard let index = values.firstIndex(of: 3) else { return (values.map { "\($0)" }, end) }
      return (values[...index].map { "\($0)" }, .finished)
    },
    PullModel("take(until:)") {
      $0.take(until: { $0 == 3 })
    } list: { values, end in
      let kept = values.prefix { $0 != 3 }
      return (kept.map { "\($0)" }, kept.count < values.count ? .finished : end)
    },
    PullModel("limitRate", ahead: 99) {
      $0.limitRate(99)
    } list: { (values: [Int], end) in
      (values.map { "\($0)" }, end)
    },
    PullModel("onBackpressureBuffer", ahead: .max) {
      $0.onBackpressureBuffer()
    } list: { (values: [Int], end) in
      (values.map { "\($0)" }, end)
    },
    PullModel("ignoreFailure") {
      $0.ignoreFailure()
    } list: { (values: [Int], end) in
      (values.map { "\($0)" }, end == nil ? nil : .finished)
    },
  ]
}

/// A value, or a completion for 3 and 4.
@Sendable
private func eventOfNumber(_ number: Int) -> Publishers.Event<Int, UpstreamFailure> {
  number < 3 ? .value(number) : number == 3 ? .finished : .failure(UpstreamFailure())
}
