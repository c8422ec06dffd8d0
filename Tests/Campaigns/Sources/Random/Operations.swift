// The operators with one upstream, each with its model.

import Weir
import WeirRx

/// Maps the list of all values, and keeps the completion.
private func each(_ transform: @escaping ([Int]) -> [Int]) -> Model { .list { (transform($0), $1) } }

/// A value that is sent at the completion.
private func atEnd(_ choose: @escaping ([Int]) -> Int?) -> Model {
  .list { values, end in (end == .finished ? choose(values).map { [$0] } ?? [] : [], end) }
}

/// A Boolean that may be known before the completion.
private func early(_ truth: Bool, _ isKnown: @escaping ([Int]) -> Bool) -> Model {
  .list { values, end in
    if isKnown(values) { return ([truth ? 1 : 0], .finished) }
    return (end == .finished ? [truth ? 0 : 1] : [], end)
  }
}

func isOdd(_ number: Int) -> Bool { number % 2 == 1 }

func same(_ values: [Int], _ end: End?) -> (values: [Int], end: End?) { (values, end) }

extension Operation {
  static let mapping: [Operation] = [
    Operation("map", each { $0.map { ($0 + 1) % 1000 } }) { up, _, c in up.map { c.plus($0) }.eraseToAnyPublisher() },
    Operation(
      "tryMap",
      .list { values, end in
        guard let index = values.firstIndex(of: 5) else { return (values, end) }
        return (Array(values[..<index]), .failed)
      }
    ) { up, _, c in
      up.tryMap { value in
        if c.plus(value, 0).number == 5 { throw Failed(value: value) }
        return value
      }.mapError { $0 as? Failed ?? c.failure() }.eraseToAnyPublisher()
    },
    Operation("mapError", each { $0 }) { up, _, c in up.mapError { _ in c.failure() }.eraseToAnyPublisher() },
    Operation(
      "scan",
      each { values in
        var sum = 3
        return values.map { value in
          sum = (sum + value) % 1000
          return sum
        }
      }
    ) { up, _, c in up.scan(c.run.value(3), c.sum).eraseToAnyPublisher() },
    Operation("handleEvents", each { $0 }) { up, _, c in
      up.handleEvents(
        receiveSubscription: { _ in c.act() }, receiveOutput: { _ = c.plus($0) },
        receiveCompletion: { _ in c.act() }, receiveCancel: { c.act() }, receiveRequest: { _ in c.act() }
      ).eraseToAnyPublisher()
    },
    Operation("materialize", each { $0 }) { up, _, _ in up.materialize().dematerialize().eraseToAnyPublisher() },
    Operation("enumerated", each { $0 }) { up, _, _ in up.enumerated().map { $0.1 }.eraseToAnyPublisher() },
    Operation("pairwise", each { values in zip(values, values.dropFirst()).map { ($0 + $1) % 1000 } }) { up, _, c in
      up.pairwise().map { c.sum($0.0, $0.1) }.eraseToAnyPublisher()
    },
  ]

  static let filtering: [Operation] = [
    Operation("filter", each { $0.filter(isOdd) }) { up, _, c in up.filter(c.isOdd).eraseToAnyPublisher() },
    Operation("compactMap", each { $0.filter(isOdd) }) { up, _, c in
      up.compactMap { c.isOdd($0) ? $0 : nil }.eraseToAnyPublisher()
    },
    Operation(
      "removeDuplicates",
      each { values in values.prefix(1) + zip(values, values.dropFirst()).filter { $0 != $1 }.map(\.1) }
    ) { up, _, _ in up.removeDuplicates().eraseToAnyPublisher() },
    Operation(
      "distinct", each { values in values.indices.filter { !values[..<$0].contains(values[$0]) }.map { values[$0] } }
    ) { up, _, _ in up.distinct().eraseToAnyPublisher() },
    Operation(
      "replaceEmpty",
      .list { values, end in
        values.isEmpty && end == .finished ? ([4], end) : (values, end)
      }
    ) { up, _, c in up.replaceEmpty(with: c.run.value(4)).eraseToAnyPublisher() },
    Operation("drop", each { Array($0.dropFirst()) }) { up, _, _ in up.dropFirst().eraseToAnyPublisher() },
    Operation("dropWhile", each { Array($0.drop(while: isOdd)) }) { up, _, c in
      up.drop(while: c.isOdd).eraseToAnyPublisher()
    },
  ]

  static let reducing: [Operation] = [
    Operation("reduce", atEnd { ($0.reduce(3, +)) % 1000 }) { up, _, c in
      up.reduce(c.run.value(3), c.sum).eraseToAnyPublisher()
    },
    Operation("collect", atEnd(\.last)) { up, _, _ in up.collect().compactMap { $0.last }.eraseToAnyPublisher() },
    Operation(
      "collect2",
      .list { values, end in
        let full = stride(from: 0, to: values.count / 2 * 2, by: 2).map { values[$0] }
        return (full + (end == .finished && values.count % 2 == 1 ? [values[values.count - 1]] : []), end)
      }
    ) { up, _, _ in up.collect(2).compactMap { $0.first }.eraseToAnyPublisher() },
    Operation("max", atEnd { $0.max() }) { up, _, _ in up.max().eraseToAnyPublisher() },
    Operation("min", atEnd { $0.min() }) { up, _, _ in up.min { $0 < $1 }.eraseToAnyPublisher() },
    Operation("last", atEnd(\.last)) { up, _, _ in up.last().eraseToAnyPublisher() },
    Operation("lastWhere", atEnd { $0.last(where: isOdd) }) { up, _, c in
      up.last(where: c.isOdd).eraseToAnyPublisher()
    },
    Operation("count", atEnd(\.count)) { up, _, c in up.count().map { c.run.value($0) }.eraseToAnyPublisher() },
    Operation("contains", early(true) { $0.contains(2) }) { up, _, c in
      up.contains(c.run.value(2)).map { c.run.value($0 ? 1 : 0) }.eraseToAnyPublisher()
    },
    Operation("allSatisfy", early(false) { !$0.allSatisfy(isOdd) }) { up, _, c in
      up.allSatisfy(c.isOdd).map { c.run.value($0 ? 1 : 0) }.eraseToAnyPublisher()
    },
  ]

  static let selecting: [Operation] = [
    Operation(
      "first",
      .list { values, end in values.first(where: isOdd).map { ([$0], .finished) } ?? ([], end) }
    ) { up, _, c in up.first(where: c.isOdd).eraseToAnyPublisher() },
    Operation(
      "prefix", .list { values, end in (Array(values.prefix(2)), values.count > 1 ? .finished : end) }
    ) { up, _, _ in up.prefix(2).eraseToAnyPublisher() },
    Operation(
      "prefixWhile",
      .list { values, end in
        let kept = Array(values.prefix(while: isOdd))
        return (kept, kept.count < values.count ? .finished : end)
      }
    ) { up, _, c in up.prefix(while: c.isOdd).eraseToAnyPublisher() },
    Operation(
      "takeUntil",
      .list { values, end in
        let kept = Array(values.prefix { !isOdd($0) })
        return (kept, kept.count < values.count ? .finished : end)
      }
    ) { up, _, c in up.take(until: c.isOdd).eraseToAnyPublisher() },
    Operation(
      "output",
      .list { values, end in (Array(values.prefix(4).dropFirst()), values.count > 3 ? .finished : end) }
    ) { up, _, _ in up.output(in: 1...3).eraseToAnyPublisher() },
  ]

  static let buffering: [Operation] = [
    // Those of Combine request values before there is demand, so a source that sends immediately overflows them.
    Operation("buffer") { up, _, _ in
      up.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Operation("bufferKeepFull") { up, _, _ in
      up.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
    },
    Operation("bufferError") { up, _, c in
      up.buffer(
        size: 1, prefetch: .byRequest,
        whenFull: .customError {
          c.run.dropped()
          return c.failure()
        }
      ).eraseToAnyPublisher()
    },
    Operation("limitRate") { up, _, _ in up.limitRate(2).eraseToAnyPublisher() },
    Operation("onBackpressureBuffer", .eager(same)) { up, _, c in
      up.onBackpressureBuffer(2, overflow: .dropOldest, onOverflow: c.dropped).eraseToAnyPublisher()
    },
    Operation("onBackpressureDrop", .eager(same)) { up, _, c in
      up.onBackpressureDrop(c.dropped).eraseToAnyPublisher()
    },
    Operation("onBackpressureLatest", .eager(same)) { up, _, _ in up.onBackpressureLatest().eraseToAnyPublisher() },
  ]

  static let sharing: [Operation] = [
    Operation("share", .shared) { up, _, _ in up.share().eraseToAnyPublisher() },
    Operation("multicast", .shared) { up, _, _ in
      up.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
    },
    Operation("shareReplay", .shared) { up, _, _ in up.share(replay: 2).eraseToAnyPublisher() },
  ]

  static let timed: [Operation] = [
    Operation("receive") { up, _, c in up.receive(on: c.run.scheduler).eraseToAnyPublisher() },
    Operation("receiveImmediate", .eager(same)) { up, _, _ in
      up.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher()
    },
    Operation("subscribe") { up, _, c in up.subscribe(on: c.run.scheduler).eraseToAnyPublisher() },
    Operation("delay") { up, _, c in up.delay(for: 1, scheduler: c.run.scheduler).eraseToAnyPublisher() },
    Operation("debounce") { up, _, c in up.debounce(for: 1, scheduler: c.run.scheduler).eraseToAnyPublisher() },
    Operation("throttle") { up, _, c in
      up.throttle(for: 1, scheduler: c.run.scheduler, latest: true).eraseToAnyPublisher()
    },
    Operation("windowByTime") { up, _, c in
      up.window(time: 1, scheduler: c.run.scheduler).flatMap { $0 }.eraseToAnyPublisher()
    },
    Operation("timeout") { up, _, c in up.timeout(3, scheduler: c.run.scheduler).eraseToAnyPublisher() },
    Operation("collectByTime") { up, _, c in
      up.collect(.byTimeOrCount(c.run.scheduler, 1, 2)).compactMap { $0.last }.eraseToAnyPublisher()
    },
  ]
}
