// The operators of several publishers, each with its model.

import Weir
import WeirRx

/// Sends the values of one feed, and after a completion of this kind those of the next.
private func follow(_ up: Feed, _ next: @escaping Feed, after kind: End, _ line: Line) {
  up(Line(below: line) { event in if event == .end(kind) { next(line) } else { line.send(event) } })
}

/// Sends the values of the latest publisher, which an upstream's values select.
private func switching(_ up: Feed, _ other: @escaping Feed, _ line: Line) {
  weak var latest: Line?
  var isTerminated = false
  up(
    Line(below: line) { event in
      switch event {
      case .value(let value):
        latest?.close()
        let inner = Line(below: line) { event in
          if event != .end(.finished) { return line.send(event) }
          latest = nil
          if isTerminated { line.send(event) }
        }
        latest = inner
        if isOdd(value) { return other(inner) }
        inner.send(.value(value))
        inner.send(.end(.finished))
      case .end(.finished) where latest != nil: isTerminated = true
      case .end: line.send(event)
      }
    })
}

/// Attaches two lines with their numbers before either of them sends.
private func both(_ feeds: [Feed], _ line: Line, _ receive: @escaping (_ side: Int, Event) -> Void) {
  for (side, feed) in feeds.enumerated() { feed(Line(below: line) { receive(side, $0) }) }
}

private func merging(_ up: @escaping Feed, _ other: @escaping Feed, _ line: Line) {
  var ended = 0
  both([up, other], line) { _, event in
    if event == .end(.finished) { ended += 1 }
    if event != .end(.finished) || ended == 2 { line.send(event) }
  }
}

private func zipping(_ up: @escaping Feed, _ other: @escaping Feed, _ line: Line) {
  var (waiting, ended) = ([[Int](), []], [false, false])
  both([up, other], line) { side, event in
    switch event {
    case .value(let value): waiting[side].append(value)
    case .end(.finished): ended[side] = true
    case .end(.failed): line.send(event)
    }
    if let first = waiting[0].first, let second = waiting[1].first {
      waiting = waiting.map { Array($0.dropFirst()) }
      line.send(.value((first + second) % 1000))
    }
    if (0...1).contains(where: { ended[$0] && waiting[$0].isEmpty }) { line.send(.end(.finished)) }
  }
}

private func combining(_ up: @escaping Feed, _ other: @escaping Feed, _ line: Line) {
  var (latest, ended) = ([Int?](repeating: nil, count: 2), 0)
  both([up, other], line) { side, event in
    switch event {
    case .value(let value):
      latest[side] = value
      if let first = latest[0], let second = latest[1] { line.send(.value((first + second) % 1000)) }
    case .end(.finished):
      ended += 1
      if ended == 2 { line.send(event) }
    case .end(.failed): line.send(event)
    }
  }
}

extension Operation {
  static let joining: [Operation] = [
    Operation("merge", joins: true, .eagerJoining { up, other in { merging(up, other, $0) } }) { up, other, _ in
      up.merge(with: other).eraseToAnyPublisher()
    },
    Operation("zip", joins: true, .joining { up, other in { zipping(up, other, $0) } }) { up, other, c in
      up.zip(other, c.sum).eraseToAnyPublisher()
    },
    Operation("combineLatest", joins: true, .joining { up, other in { combining(up, other, $0) } }) { up, other, c in
      up.combineLatest(other, c.sum).eraseToAnyPublisher()
    },
    Operation(
      "prefixUntil", joins: true,
      .joining { up, other in
        { line in
          other(Line(below: line) { event in if case .value = event { line.send(.end(.finished)) } })
          up(Line(below: line) { line.send($0) })
        }
      }
    ) { up, other, _ in up.prefix(untilOutputFrom: other).eraseToAnyPublisher() },
    Operation(
      "dropUntil", joins: true,
      .joining { up, other in
        { line in
          var isPassing = false
          let trigger = Line(below: line) { event in
            if case .value = event { isPassing = true } else if !isPassing { line.send(event) }
          }
          other(trigger)
          up(
            Line(below: line) { event in
              if case .value = event, !isPassing { return }
              line.send(event)
            })
        }
      }
    ) { up, other, _ in up.drop(untilOutputFrom: other).eraseToAnyPublisher() },
    Operation(
      "withLatestFrom", joins: true,
      .joining { up, other in
        { line in
          var latest: Int?
          other(
            Line(below: line) { event in
              if case .value(let value) = event { latest = value }
              if event == .end(.failed) || (event == .end(.finished) && latest == nil) { line.send(event) }
            })
          up(
            Line(below: line) { event in
              guard case .value = event else { return line.send(event) }
              if let latest { line.send(.value(latest)) }
            })
        }
      }
    ) { up, other, _ in up.withLatestFrom(other).eraseToAnyPublisher() },
    Operation(
      "sample", joins: true,
      .joining { up, other in
        { line in
          var latest: Int?
          both([up, other], line) { side, event in
            guard case .value(let value) = event else { return line.send(event) }
            if side == 0 {
              latest = value
            } else if let value = latest {
              latest = nil
              line.send(.value(value))
            }
          }
        }
      }
    ) { up, other, _ in up.sample(other).eraseToAnyPublisher() },
    Operation(
      "amb", joins: true,
      .eagerJoining { up, other in
        { line in
          var winner: Int?
          both([up, other], line) { side, event in
            if winner ?? side == side {
              winner = side
              line.send(event)
            }
          }
        }
      }
    ) { up, other, _ in up.amb(with: other).eraseToAnyPublisher() },
  ]
}

extension Operation {
  static let ending: [Operation] = [
    Operation(
      "ignoreOutput", joins: true,
      .following { up, other in
        { line in
          up(
            Line(below: line) { event in
              switch event {
              case .value: break
              case .end(.finished): other(line)
              case .end(.failed): line.send(event)
              }
            })
        }
      }
    ) { up, other, _ in up.ignoreOutput().map { _ -> Value in }.append(other).eraseToAnyPublisher() },
    Operation(
      "replaceError",
      .list { values, end in
        (values + (end == .failed ? [5] : []), end == nil ? nil : .finished)
      }
    ) { up, _, c in
      up.replaceError(with: c.run.value(5)).setFailureType(to: Failed.self).eraseToAnyPublisher()
    },
    Operation("catch", joins: true, .following { up, other in { follow(up, other, after: .failed, $0) } }) {
      up, other, _ in
      up.catch { _ in other }.eraseToAnyPublisher()
    },
    Operation(
      "retry", .following { up, _ in { follow(up, { follow(up, up, after: .failed, $0) }, after: .failed, $0) } }
    ) {
      up, _, _ in up.retry(2).eraseToAnyPublisher()
    },
    Operation("repeated", .following { up, _ in { follow(up, up, after: .finished, $0) } }) { up, _, _ in
      up.repeated(2).eraseToAnyPublisher()
    },
    Operation("append", joins: true, .following { up, other in { follow(up, other, after: .finished, $0) } }) {
      up, other, _ in
      up.append(other).eraseToAnyPublisher()
    },
    Operation("prepend", joins: true, .following { up, other in { follow(other, up, after: .finished, $0) } }) {
      up, other, _ in
      up.prepend(other).eraseToAnyPublisher()
    },
  ]

  static let flattening: [Operation] = [
    Operation("flatMap", .eager { values, end in (values.flatMap { [$0, ($0 + 10) % 1000] }, end) }) { up, _, c in
      up.flatMap { c.twoOf($0).lazy.publisher.setFailureType(to: Failed.self) }.eraseToAnyPublisher()
    },
    Operation("flatMapOther", joins: true) { up, other, _ in
      up.flatMap(maxPublishers: .max(2)) { _ in other.prefix(2) }.eraseToAnyPublisher()
    },
    Operation("concatMap", joins: true) { up, other, _ in up.concatMap { _ in other.prefix(2) }.eraseToAnyPublisher() },
    Operation("flatMapFirst", joins: true) { up, other, _ in
      up.flatMapFirst { _ in other.prefix(1) }.eraseToAnyPublisher()
    },
    Operation("switchToLatest", joins: true, .eagerJoining { up, other in { switching(up, other, $0) } }) {
      up, other, c in
      up.map { c.isOdd($0) ? other : Pipeline(Just($0).setFailureType(to: Failed.self)) }
        .switchToLatest().eraseToAnyPublisher()
    },
    Operation("groupBy", .eager(same)) { up, _, c in up.groupBy(c.isOdd).flatMap { $0 }.eraseToAnyPublisher() },
    Operation("window") { up, _, _ in up.window(count: 2, skip: 1).flatMap { $0 }.eraseToAnyPublisher() },
  ]
}
