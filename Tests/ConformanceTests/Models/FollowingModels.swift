import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  /// The events of the first upstream, and after a completion of this kind those of the second, some milliseconds
  /// later.
  static func following(_ inputs: [Input], after kind: End, in delay: Int = 0, values: Bool = true) -> [Output] {
    let first = inputs.filter { $0.source == 0 && (values || $0.end != nil) }.map(passed)
    guard let index = inputs.firstIndex(where: { $0.source == 0 && $0.end == kind }) else { return first }
    let due = inputs[index].time + delay
    let second = inputs.enumerated().filter { $0.element.source == 1 }
    let early = second.filter { delay == 0 ? $0.offset < index : $0.element.time < due }
    // A late subscriber receives the completion.
    if let end = early.compactMap(\.element.end).first { return first.dropLast() + [Output(due, end)] }
    return first.dropLast() + second.dropFirst(early.count).map { passed($0.element) }
  }

  /// One upstream for each subscription, in order, and then the last one repeatedly.
  static func attempts(_ upstreams: [Upstream]) -> Deferred<Upstream> {
    let counter = Counter()
    return Deferred {
      defer { counter.count += 1 }
      return upstreams[min(counter.count, 1)]
    }
  }

  private final class Counter {
    var count = 0
  }

  /// One upstream after the other.
  static let oneAfterOther: [TimedModel] = [
    TimedModel("append", sources: 2) { upstreams, _ in
      upstreams[0].append(upstreams[1])
    } list: { inputs, _ in
      following(inputs, after: .finished)
    },
    TimedModel("prepend", sources: 2) { upstreams, _ in
      upstreams[1].prepend(upstreams[0])
    } list: { inputs, _ in
      following(inputs, after: .finished)
    },
    TimedModel("repeated", sources: 2) { upstreams, _ in
      attempts(upstreams).repeated(2)
    } list: { inputs, _ in
      following(inputs, after: .finished)
    },
    TimedModel("catch", sources: 2) { upstreams, _ in
      upstreams[0].catch { _ in upstreams[1] }
    } list: { inputs, _ in
      following(inputs, after: .failed)
    },
    TimedModel("tryCatch", sources: 2) { upstreams, _ in
      upstreams[0].tryCatch { _ in upstreams[1] }
    } list: { inputs, _ in
      following(inputs, after: .failed)
    },
    TimedModel("retry", sources: 2) { upstreams, _ in
      attempts(upstreams).retry(1)
    } list: { inputs, _ in
      following(inputs, after: .failed)
    },
    TimedModel("retry(backoff:scheduler:)", sources: 2, timed: true) { upstreams, scheduler in
      attempts(upstreams).retry(1, backoff: .constant(.milliseconds(10)), scheduler: scheduler)
    } list: { inputs, _ in
      following(inputs, after: .failed, in: 10)
    },
    TimedModel("retry(when:)", sources: 3) { upstreams, _ in
      attempts(upstreams).retry { _ in upstreams[2] }
    } list: { inputs, _ in
      var attempt = 0
      var isWaiting = false
      var ends: [Int: End] = [:]
      var outputs: [Output] = []
      for input in inputs {
        ends[input.source] = input.end
        if input.source == 2 {
          if let end = input.end { return outputs + [Output(input.time, end)] }
          if !isWaiting { continue }
          attempt = 1
          isWaiting = ends[1] == .failed
          if ends[1] == .finished { return outputs + [Output(input.time, .finished)] }
        } else if input.source == attempt, !isWaiting {
          if input.end != .failed { outputs.append(passed(input)) }
          isWaiting = input.end == .failed
        }
      }
      return outputs
    },
  ]
}
