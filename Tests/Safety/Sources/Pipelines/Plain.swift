// The table of the remaining operators and sources, which run no user code or have no state to protect. They must
// release their objects too.

import Weir
import WeirRx

private typealias Pair = (number: Int, text: String)

/// A publisher that doesn't complete.
private var never: Tokens { Empty(completeImmediately: false).eraseToAnyPublisher() }

package var mappings: [Entry] {
  [
    Entry("compactMap", []) { source, _ in source.compactMap { $0.number == 4 ? nil : $0 }.eraseToAnyPublisher() },
    Entry("replaceNil", []) { source, hook in
      let last = hook.token(0)
      return source.map { $0.number == 4 ? nil : $0 }.replaceNil(with: last).eraseToAnyPublisher()
    },
    Entry("map-to-a-key-path", []) { source, _ in source.map(\.number).eraseToAnyPublisher() },
    Entry("map-to-key-paths", []) { source, _ in
      source.map { Pair($0.number, "\($0)") }.map(\.number, \.text).map { "\($0)\($1)" }.eraseToAnyPublisher()
    },
    Entry("setFailureType", []) { source, hook in
      source.replaceError(with: hook.token(0)).setFailureType(to: Oops.self).eraseToAnyPublisher()
    },
    Entry("ignoreOutput", []) { source, _ in
      source.ignoreOutput().map { (never: Never) -> Token in }.eraseToAnyPublisher()
    },
    Entry("count", []) { source, _ in source.count().eraseToAnyPublisher() },
    Entry("dropFirst", []) { source, _ in source.dropFirst(2).eraseToAnyPublisher() },
    Entry("prefix(0)", []) { source, _ in source.prefix(0).eraseToAnyPublisher() },
    Entry("output(at:)", []) { source, _ in source.output(at: 2).eraseToAnyPublisher() },
    Entry("enumerated", []) { source, _ in source.enumerated().map { $0.element }.eraseToAnyPublisher() },
    Entry("toggle", []) { source, _ in source.map { $0.number > 2 }.toggle().eraseToAnyPublisher() },
    Entry("partition", []) { source, _ in
      let (odd, even) = source.partition { $0.number & 1 == 1 }
      return odd.merge(with: even).eraseToAnyPublisher()
    },
    Entry("take(until:)", []) { source, _ in source.take(until: { $0.number == 4 }).eraseToAnyPublisher() },
    Entry("take(until:)-of-a-publisher", []) { source, _ in source.take(until: never).eraseToAnyPublisher() },
    Entry("dematerialize", []) { source, _ in source.materialize().dematerialize().eraseToAnyPublisher() },
    Entry("assertNoFailure", []) { source, hook in
      source.replaceError(with: hook.token(0)).assertNoFailure().eraseToAnyPublisher()
    },
    Entry("checkpoint", []) { source, _ in source.checkpoint("a place").eraseToAnyPublisher() },
    Entry("print", []) { source, _ in source.print("", to: Nothing()).eraseToAnyPublisher() },
    Entry("breakpoint", []) { source, _ in source.breakpoint(receiveOutput: { _ in false }).eraseToAnyPublisher() },
    Entry("mapError", []) { source, _ in source.mapError { (_: Oops) -> any Error in Oops() }.eraseToAnyPublisher() },
    Entry("repeated", []) { source, _ in source.repeated(2).eraseToAnyPublisher() },
    Entry("asMaybe(orFailWith:)", []) { source, _ in source.asMaybe { _ in Oops() }.eraseToAnyPublisher() },
  ]
}

/// Prints to nothing.
private struct Nothing: TextOutputStream {
  func write(_ string: String) {}
}

// MARK: Several publishers

package var gatherings: [Entry] {
  [
    Entry("merge-of-3", []) { source, _ in source.merge(with: source, never).eraseToAnyPublisher() },
    Entry("merge-of-8", []) { source, _ in
      source.merge(with: never, never, never, never, never, never, never).eraseToAnyPublisher()
    },
    Entry("merge-of-a-collection", []) { source, _ in [source, never, source].merge().eraseToAnyPublisher() },
    Entry("zip-of-4", []) { source, _ in
      source.zip(source, source, source).map { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    },
    Entry("zip-of-a-collection", []) { source, _ in [source, source].zip().eraseToAnyPublisher() },
    Entry("zip-that-waits", []) { source, _ in source.zip(never).map { $0.0 }.eraseToAnyPublisher() },
    Entry("zip-with-prefetch", []) { source, _ in
      source.zip(source, prefetch: 2).map { $0.0 }.eraseToAnyPublisher()
    },
    Entry("combineLatest-of-4", []) { source, _ in
      source.combineLatest(source, source, source).map { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    },
    Entry("combineLatest-of-a-collection", []) { source, _ in [source, source].combineLatest().eraseToAnyPublisher() },
    Entry("amb-of-a-collection", []) { source, _ in [never, source].amb().eraseToAnyPublisher() },
    Entry("append-a-publisher", []) { source, _ in source.prefix(2).append(source).eraseToAnyPublisher() },
    Entry("prepend-a-publisher", []) { source, _ in source.prepend(source.prefix(2)).eraseToAnyPublisher() },
    Entry("sample-of-a-publisher", []) { source, _ in source.sample(never).eraseToAnyPublisher() },
  ]
}

// MARK: Inner publishers that are open

package var openings: [Entry] {
  [
    Entry("flatMap-of-open-publishers", []) { source, _ in
      source.flatMap { never.prepend($0) }.eraseToAnyPublisher()
    },
    Entry("flatMap-one-at-a-time", []) { source, _ in
      source.flatMap(maxPublishers: .max(1)) { never.prepend($0) }.eraseToAnyPublisher()
    },
    Entry("flatMap-of-values-that-wait", []) { source, _ in
      source.flatMap { [$0, $0, $0].publisher.setFailureType(to: Oops.self) }.eraseToAnyPublisher()
    },
    Entry("concatMap-of-open-publishers", []) { source, _ in
      source.concatMap { never.prepend($0) }.eraseToAnyPublisher()
    },
    Entry("switchToLatest-of-open-publishers", []) { source, _ in
      source.map { never.prepend($0) }.switchToLatest().eraseToAnyPublisher()
    },
    Entry("catch-to-an-open-publisher", []) { source, hook in
      source.catch { (_: Oops) in never.prepend(hook.token(6)) }.eraseToAnyPublisher()
    },
    Entry("groupBy-to-groups-that-are-kept", []) { source, _ in
      source.groupBy { $0.number & 1 }.collect().map(\.count).eraseToAnyPublisher()
    },
    Entry("groupBy-to-groups-that-are-dropped", []) { source, _ in
      source.groupBy { $0.number & 1 }.map(\.key).eraseToAnyPublisher()
    },
    Entry("groupBy-to-the-first-group", []) { source, _ in
      source.groupBy { $0.number & 1 }.first().flatMap { $0 }.eraseToAnyPublisher()
    },
    Entry("groupBy-to-prefixes-of-groups", []) { source, _ in
      source.groupBy { $0.number & 1 }.flatMap { $0.prefix(1) }.eraseToAnyPublisher()
    },
    Entry("window(count:)-to-windows-that-are-kept", []) { source, _ in
      source.window(count: 2).collect().map(\.count).eraseToAnyPublisher()
    },
    Entry("window(count:skip:)", []) { source, _ in
      source.window(count: 3, skip: 1).flatMap { $0 }.eraseToAnyPublisher()
    },
    Entry("buffer-that-prefetches", []) { source, _ in
      source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
    },
    Entry("onBackpressureBuffer-without-bound", []) { source, _ in
      source.onBackpressureBuffer().eraseToAnyPublisher()
    },
    Entry("Empty", []) { _, _ in never },
  ]
}
