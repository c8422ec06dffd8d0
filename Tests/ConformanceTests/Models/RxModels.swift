import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  /// What `WeirRx` adds, with several upstreams.
  static let rx: [TimedModel] = [
    TimedModel("catch", sources: 2) { upstreams, _ in
      upstreams[0].catch { _ in upstreams[1] }
    } list: { inputs, _ in
      var isSecond = false
      var outputs: [Output] = []
      for (index, input) in inputs.enumerated() where input.source == (isSecond ? 1 : 0) {
        if let value = input.value { outputs.append(Output(input.time, "\(value)")) }
        if let end = input.end, isSecond || end == .finished { return outputs + [Output(input.time, end)] }
        if input.end != nil {
          isSecond = true
          if let end = inputs[..<index].first(where: { $0.source == 1 && $0.end != nil })?.end {
            return outputs + [Output(input.time, end)]
          }
        }
      }
      return outputs
    },
    TimedModel("amb", sources: 2) { upstreams, _ in
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
      var latest: Int?
      var outputs: [Output] = []
      for input in inputs {
        if let end = input.end, input.source == 0 || end == .failed || latest == nil {
          return outputs + [Output(input.time, end)]
        }
        if input.source == 1 {
          latest = input.value ?? latest
        } else if let latest, let value = input.value {
          outputs.append(Output(input.time, "\((value, latest))"))
        }
      }
      return outputs
    },
    TimedModel("flatMapFirst", sources: 2) { upstreams, _ in
      upstreams[0].flatMapFirst { _ in upstreams[1] }
    } list: { inputs, _ in
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
    },
  ]
}

extension PullModel {
  /// What `WeirRx` adds, with one upstream.
  static let rx: [PullModel] = [
    PullModel("pairwise") {
      $0.pairwise().map { "\($0)" }
    } list: { values, end in
      (zip(values, values.dropFirst()).map { "\($0)" }, end)
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
