import Weir
import WeirRx
import WeirTesting

extension DemandModel {
  static let all = joining + flattening + buffering + sharing

  // MARK: Several upstreams

  private static let joining: [DemandModel] = [
    DemandModel("merge(with:)", sources: 2) {
      $0[0].merge(with: $0[1])
    } rules: {
      merging
    },
    DemandModel("merge(with:), 3", sources: 3) {
      $0[0].merge(with: $0[1], $0[2])
    } rules: {
      merging
    },
    DemandModel("Collection.merge", sources: 4) {
      $0.merge()
    } rules: {
      merging
    },
    DemandModel("zip", sources: 2) {
      $0[0].zip($0[1])
    } rules: {
      zipping(2)
    },
    DemandModel("zip, 3", sources: 3) {
      $0[0].zip($0[1], $0[2])
    } rules: {
      zipping(3)
    },
    DemandModel("zip, 4", sources: 4) {
      $0[0].zip($0[1], $0[2], $0[3])
    } rules: {
      zipping(4)
    },
    DemandModel("zip(_:prefetch: 1)", sources: 2) {
      $0[0].zip($0[1], prefetch: 1)
    } rules: {
      zipping(2, prefetch: 1)
    },
    DemandModel("zip(_:prefetch: 3)", sources: 2) {
      $0[0].zip($0[1], prefetch: 3)
    } rules: {
      zipping(2, prefetch: 3)
    },
    DemandModel("zip(_:_:prefetch: 2)", sources: 3) {
      $0[0].zip($0[1], $0[2], prefetch: 2)
    } rules: {
      zipping(3, prefetch: 2)
    },
    DemandModel("combineLatest", sources: 2) {
      $0[0].combineLatest($0[1])
    } rules: {
      combining(2)
    },
    DemandModel("combineLatest, 3", sources: 3) {
      $0[0].combineLatest($0[1], $0[2])
    } rules: {
      combining(3)
    },
    DemandModel("combineLatest, 4", sources: 4) {
      $0[0].combineLatest($0[1], $0[2], $0[3])
    } rules: {
      combining(4)
    },
  ]

  private static func zipping(_ sources: Int, prefetch: Int? = nil) -> (inout Game) -> Void {
    var rows = [[Int]](repeating: [], count: sources)
    var toAsk: Subscribers.Demand = prefetch.map { .max($0) } ?? .none
    return { game in
      repeat {
        if prefetch == nil { toAsk = game.more }
        let more = toAsk
        toAsk = .none
        join(
          &game, asking: more, put: { rows[$0].append($1) },
          take: {
            let row = rows.compactMap(\.first)
            guard row.count == sources else { return nil }
            rows = rows.map { Array($0.dropFirst()) }
            if prefetch != nil { toAsk += 1 }
            return TimedModel.tuple(row)
          },
          isTerminated: { ended in rows.indices.contains { ended[$0] && rows[$0].isEmpty } })
      } while prefetch != nil && toAsk > .none && !game.isTerminated
    }
  }

  private static func combining(_ sources: Int) -> (inout Game) -> Void {
    var latest = [Int?](repeating: nil, count: sources)
    var isFresh = false
    return { game in
      join(
        &game, asking: game.more,
        put: {
          latest[$0] = $1
          isFresh = true
        },
        take: {
          guard isFresh, !latest.contains(nil) else { return nil }
          isFresh = false
          return TimedModel.tuple(latest.compactMap { $0 })
        },
        isTerminated: { ended in !ended.contains(false) && !(isFresh && !latest.contains(nil)) })
    }
  }

  /// One value of each upstream may be buffered, in the order of arrival.
  private static var merging: (inout Game) -> Void {
    var waiting: [(source: Int, value: Int)] = []
    return { game in
      if game.wells.allSatisfy({ $0.asked == .none }), waiting.isEmpty {
        for source in game.wells.indices { game.wells[source].asked = .max(1) }
      }
      // Buffered values are delivered first. Then the upstreams of the delivered values are asked for one more each.
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

  /// Each upstream is asked for the downstream demand.
  ///
  /// Their values wait for each other.
  private static func join(
    _ game: inout Game, asking more: Subscribers.Demand, put: (Int, Int) -> Void, take: () -> String?,
    isTerminated: ([Bool]) -> Bool
  ) {
    func emit(_ game: inout Game) {
      while game.demand > .none, let output = take() { game.emit(output) }
    }
    // A completion takes effect after the values before it.
    var ended = game.wells.map { $0.end == .finished }
    emit(&game)
    for source in game.wells.indices {
      game.wells[source].asked += more
      while let value = game.wells[source].take() {
        put(source, value)
        emit(&game)
        if isTerminated(ended) { game.end(.finished) }
      }
      if game.wells[source].end == .failed { game.end(.failed) }
      ended[source] = game.wells[source].end == .finished
      if isTerminated(ended) { game.end(.finished) }
    }
  }

  // MARK: Upstreams of upstreams

  /// No value, one value or two values.
  private static func values(of number: Int) -> [Int] { Array(repeating: number, count: number % 3) }

  @Sendable
  private static func publisher(of number: Int) -> AnyPublisher<Int, UpstreamFailure> {
    values(of: number).lazy.publisher.setFailureType(to: UpstreamFailure.self).eraseToAnyPublisher()
  }

  /// At most `limit` inner publishers are active, each with at most one buffered value, until this has been delivered.
  ///
  /// All requests that are due are made in their order. What an upstream sends for one of them can make further
  /// requests due, which come before the next one; but those that the outer publisher sends for come last, as one.
  private static func flattening(_ limit: Int) -> (inout Game) -> Void {
    let outer = -1
    // The active inner publishers with their remaining values, none if only the buffered value is left.
    var open: [Int: [Int]] = [:]
    var buffered: [(number: Int, value: Int)] = []
    var requests = Array(repeating: outer, count: limit)
    var next = 0
    var isAsking = false
    var isUnlimited = false
    return { game in
      func draw(_ number: Int, _ game: inout Game) {
        while let value = open[number]?.first {
          open[number]?.removeFirst()
          if game.demand == .none { return buffered.append((number, value)) }
          game.emit(value)
        }
        open[number] = nil
        requests.append(outer)
        if !isAsking { settle(&game) }
      }
      func receive(_ game: inout Game) {
        while let number = game.wells[0].take() {
          open[next] = values(of: number)
          next += 1
          draw(next - 1, &game)
        }
        if game.wells[0].end == .failed { game.end(.failed) }
      }
      func settle(_ game: inout Game) {
        while game.demand > .none, !buffered.isEmpty {
          let (number, value) = buffered.removeFirst()
          let isLast = open[number]?.isEmpty == true
          if isLast { open[number] = nil }
          if isLast || !isUnlimited { requests.append(isLast ? outer : number) }
          game.emit(value)
        }
        var due = requests.map { (number: $0, count: 1) }
        requests = []
        while !due.isEmpty {
          let (number, count) = due.removeFirst()
          if number != outer {
            draw(number, &game)
            continue
          }
          isAsking = true
          game.wells[0].asked += count
          receive(&game)
          isAsking = false
          if !requests.isEmpty { due.append((outer, requests.count)) }
          requests = []
        }
      }
      receive(&game)
      if game.demand == .unlimited, !isUnlimited {
        isUnlimited = true
        requests += open.keys.sorted().filter { open[$0]?.isEmpty == false }
      }
      settle(&game)
      if open.isEmpty { game.end(game.wells[0].end) }
    }
  }

  private static let flattening: [DemandModel] = [
    DemandModel("flatMap(maxPublishers: .max(1))") {
      $0[0].flatMap(maxPublishers: .max(1), publisher(of:))
    } rules: {
      flattening(1)
    },
    DemandModel("flatMap(maxPublishers: .max(2))") {
      $0[0].flatMap(maxPublishers: .max(2), publisher(of:))
    } rules: {
      flattening(2)
    },
    DemandModel("concatMap") {
      $0[0].concatMap(publisher(of:))
    } rules: {
      flattening(1)
    },
    DemandModel("switchToLatest") {
      $0[0].map(publisher(of:)).switchToLatest()
    } rules: {
      switching
    },
    DemandModel("flatMapLatest") {
      $0[0].flatMapLatest(publisher(of:))
    } rules: {
      switching
    },
  ]

  private static var switching: (inout Game) -> Void {
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

  // MARK: Buffers that overflow

  private static let buffering: [DemandModel] = [
    DemandModel("buffer(size:prefetch:whenFull:), the oldest") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
    } rules: {
      buffer { _, _ in false }
    },
    DemandModel("buffer(size:prefetch:whenFull:), the newest") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    } rules: {
      buffer { kept, value in
        kept = Array(kept.dropFirst()) + [value]
        return false
      }
    },
    DemandModel("buffer(size:prefetch:whenFull:), or an error") {
      $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .customError { UpstreamFailure() })
    } rules: {
      buffer(failsWhenAsked: true) { _, _ in true }
    },
    DemandModel("onBackpressureBuffer(_:overflow:)") {
      $0[0].onBackpressureBuffer(2, overflow: .dropNewest)
    } rules: {
      buffer(failsInOrder: true) { _, _ in false }
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

  /// Buffers this many values.
  ///
  /// `overflow` decides whether one more is a failure, which may arrive with the next request.
  private static func buffer(
    size: Int = 2, failsInOrder: Bool = false, failsWhenAsked: Bool = false,
    whenFull: @escaping (inout [Int], Int) -> Bool
  ) -> (inout Game) -> Void {
    var kept: [Int] = []
    var isFailing = false
    return { game in
      game.wells[0].asked = .unlimited
      let isAsked = game.demand > .none
      while game.demand > .none, !kept.isEmpty { game.emit(kept.removeFirst()) }
      if isFailing {
        if isAsked { game.end(.failed) }
        return
      }
      while let value = game.wells[0].take() {
        if game.demand > .none {
          game.emit(value)
        } else if kept.count < size {
          kept.append(value)
        } else if whenFull(&kept, value) {
          isFailing = failsWhenAsked
          if !isFailing { game.end(.failed) }
          return
        }
      }
      if kept.isEmpty || (!failsInOrder && game.wells[0].end == .failed) { game.end(game.wells[0].end) }
    }
  }

  // MARK: Sharing

  private static let sharing: [DemandModel] = [
    DemandModel("share") {
      $0[0].share()
    } rules: {
      droppingOnceAsked
    },
    DemandModel("multicast") {
      $0[0].multicast { PassthroughSubject() }.autoconnect()
    } rules: {
      droppingOnceAsked
    },
    DemandModel("share(replay: 2)") {
      $0[0].share(replay: 2)
    } rules: {
      buffer(size: 2, failsInOrder: true) { kept, value in
        kept = Array(kept.dropFirst()) + [value]
        return false
      }
    },
  ]

  /// Requests unlimited demand at the first request, and drops values without demand.
  private static var droppingOnceAsked: (inout Game) -> Void {
    return { game in
      if game.more > .none { game.wells[0].asked = .unlimited }
      while let value = game.wells[0].take() {
        if game.demand > .none { game.emit(value) }
      }
      game.end(game.wells[0].end)
    }
  }
}
