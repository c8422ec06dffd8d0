import Weir
import WeirRx
import WeirTesting

extension DemandModel {
  static let all = joining + flattening + buffering

  // MARK: Several upstreams

  private static let joining: [DemandModel] = [
    DemandModel("merge", sources: 2) {
      $0[0].merge(with: $0[1])
    } rules: {
      merging
    },
    DemandModel("zip", sources: 2) {
      $0[0].zip($0[1])
    } rules: {
      var rows: [[Int]] = [[], []]
      return { game in
        join(
          &game, put: { rows[$0].append($1) },
          take: {
            guard let a = rows[0].first, let b = rows[1].first else { return nil }
            rows = rows.map { Array($0.dropFirst()) }
            return "(\(a), \(b))"
          },
          isOver: { ended in (0...1).contains { ended[$0] && rows[$0].isEmpty } })
      }
    },
    DemandModel("combineLatest", sources: 2) {
      $0[0].combineLatest($0[1])
    } rules: {
      var latest: [Int?] = [nil, nil]
      var isFresh = false
      return { game in
        join(
          &game,
          put: {
            latest[$0] = $1
            isFresh = true
          },
          take: {
            guard isFresh, let a = latest[0], let b = latest[1] else { return nil }
            isFresh = false
            return "(\(a), \(b))"
          },
          isOver: { ended in ended == [true, true] && !(isFresh && !latest.contains(nil)) })
      }
    },
  ]

  /// One value of each upstream may wait for demand, in the order in which they came.
  private static var merging: (inout Game) -> Void {
    var waiting: [(source: Int, value: Int)] = []
    return { game in
      if game.wells.allSatisfy({ $0.asked == .none }), waiting.isEmpty {
        for source in game.wells.indices { game.wells[source].asked = .max(1) }
      }
      // What waits goes out first, then those are asked whose values went, each for as long as it has any.
      var toAsk: [Int] = []
      while game.demand > .none, !waiting.isEmpty {
        let (source, value) = waiting.removeFirst()
        game.emit(value)
        toAsk.append(source)
      }
      if game.demand == .unlimited { toAsk = Array(game.wells.indices) }
      for source in toAsk { game.wells[source].asked = game.demand == .unlimited ? .unlimited : .max(1) }
      for source in toAsk + game.wells.indices {
        while let value = game.wells[source].take() {
          if game.demand == .none {
            waiting.append((source, value))
          } else {
            game.emit(value)
            if game.demand != .unlimited || game.wells[source].asked == .none { game.wells[source].asked = .max(1) }
          }
        }
        if game.wells[source].end == .failed { game.end(.failed) }
      }
      if waiting.isEmpty, game.wells.allSatisfy({ $0.end == .finished }) { game.end(.finished) }
    }
  }

  /// Each upstream is asked for what is wanted; their values wait for each other.
  private static func join(
    _ game: inout Game, put: (Int, Int) -> Void, take: () -> String?, isOver: ([Bool]) -> Bool
  ) {
    func emit(_ game: inout Game) {
      while game.demand > .none, let output = take() { game.emit(output) }
    }
    // An end is heard when the values before it have been.
    var ended = game.wells.map { $0.end == .finished }
    emit(&game)
    for source in game.wells.indices {
      game.wells[source].asked += game.more
      while let value = game.wells[source].take() {
        put(source, value)
        emit(&game)
        if isOver(ended) { game.end(.finished) }
      }
      if game.wells[source].end == .failed { game.end(.failed) }
      ended[source] = game.wells[source].end == .finished
      if isOver(ended) { game.end(.finished) }
    }
  }

  // MARK: Upstreams of upstreams

  /// None, one or two values.
  private static func values(of number: Int) -> [Int] { Array(repeating: number, count: number % 3) }

  private static let flattening: [DemandModel] =
    [1, 2].map { limit in
      DemandModel("flatMap(maxPublishers: .max(\(limit)))") {
        $0[0].flatMap(maxPublishers: .max(limit)) { (number: Int) in
          values(of: number).lazy.publisher.setFailureType(to: UpstreamFailure.self)
        }
      } rules: {
        // The inner ones that are open, each with what it still has, and what waits for demand, one of each at the most.
        var open: [Int: [Int]] = [:]
        var waiting: [(number: Int, value: Int)] = []
        var next = 0
        return { game in
          func draw(_ number: Int, _ game: inout Game) {
            while let value = open[number]?.first {
              open[number]?.removeFirst()
              let isLast = open[number]?.isEmpty == true
              if game.demand == .none {
                waiting.append((number, value))
                if isLast { open[number] = nil }
                return
              }
              game.emit(value)
            }
            open[number] = nil
          }
          func openMore(_ game: inout Game) {
            while open.count < limit, !game.wells[0].waiting.isEmpty {
              game.wells[0].asked = .max(1)
              let number = next
              next += 1
              open[number] = game.wells[0].take().map(values(of:)) ?? []
              draw(number, &game)
            }
            if open.count < limit, game.wells[0].end == .failed { game.end(.failed) }
          }
          while game.demand > .none, !waiting.isEmpty {
            // Those whose values have gone are asked when all that waited has.
            var gone: [Int] = []
            while game.demand > .none, !waiting.isEmpty {
              let (number, value) = waiting.removeFirst()
              game.emit(value)
              gone.append(number)
            }
            if game.demand == .unlimited { gone = open.keys.sorted() }
            for number in gone where open[number] != nil {
              draw(number, &game)
              openMore(&game)
            }
          }
          openMore(&game)
          if game.wells[0].end == .failed { game.end(.failed) }
          if open.isEmpty, waiting.isEmpty { game.end(game.wells[0].end) }
        }
      }
    } + [
      DemandModel("switchToLatest") {
        $0[0].map { (number: Int) in values(of: number).lazy.publisher.setFailureType(to: UpstreamFailure.self) }
          .switchToLatest()
      } rules: {
        var latest: [Int] = []
        return { game in
          game.wells[0].asked = .unlimited
          repeat {
            while game.demand > .none, !latest.isEmpty { game.emit(latest.removeFirst()) }
            if let number = game.wells[0].take() { latest = values(of: number) } else { break }
          } while true
          if game.wells[0].end == .failed || latest.isEmpty { game.end(game.wells[0].end) }
        }
      }
    ]

  // MARK: Buffers that overflow

  private static let buffering: [DemandModel] = [
    DemandModel("buffer(size: 2), dropNewest") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
    } rules: {
      buffer { _, _ in false }
    },
    DemandModel("buffer(size: 2), dropOldest") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    } rules: {
      buffer { kept, value in
        kept = Array(kept.dropFirst()) + [value]
        return false
      }
    },
    DemandModel("buffer(size: 2), customError") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .customError { UpstreamFailure() })
    } rules: {
      buffer { _, _ in true }
    },
    DemandModel("onBackpressureLatest") {
      $0[0].onBackpressureLatest()
    } rules: {
      buffer(size: 1, failsInOrder: true) { kept, value in
        kept = [value]
        return false
      }
    },
    DemandModel("onBackpressureDrop") {
      $0[0].onBackpressureDrop()
    } rules: {
      buffer(size: 0, failsInOrder: true) { _, _ in false }
    },
  ]

  /// Keeps so many; what is done with one more says whether that is a failure.
  private static func buffer(
    size: Int = 2, failsInOrder: Bool = false, whenFull: @escaping (inout [Int], Int) -> Bool
  ) -> (inout Game) -> Void {
    var kept: [Int] = []
    return { game in
      game.wells[0].asked = .unlimited
      while game.demand > .none, !kept.isEmpty { game.emit(kept.removeFirst()) }
      while let value = game.wells[0].take() {
        if game.demand > .none {
          game.emit(value)
        } else if kept.count < size {
          kept.append(value)
        } else if whenFull(&kept, value) {
          game.end(.failed)
        }
      }
      if kept.isEmpty || (!failsInOrder && game.wells[0].end == .failed) { game.end(game.wells[0].end) }
    }
  }
}
