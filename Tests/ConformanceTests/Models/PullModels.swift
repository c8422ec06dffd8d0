import Foundation
import Weir
import WeirFoundation
import WeirTesting

@testable import TestSupport

extension PullModel {
  static let all = mapping + filtering + reducing + selecting + errors + rest + passing + rx

  /// The values before the first at which a closure throws, and the completion.
  static func until(_ thrower: Int, _ values: [Int], _ end: End?, _ answer: ([Int], End?) -> Answer) -> Answer {
    guard let index = values.firstIndex(of: thrower) else { return answer(values, end) }
    let before = answer(Array(values[..<index]), nil)
    return before.end == nil ? (before.values, .thrown) : before
  }

  static func texts(_ values: some Sequence<some Any>) -> [String] { values.map { "\($0)" } }

  /// A single value that is sent at the completion.
  static func atEnd(_ value: (some Any)?, _ end: End?) -> Answer {
    (end == .finished ? value.map { ["\($0)"] } ?? [] : [], end)
  }

  /// A single value that may be sent before the completion.
  static func early(_ found: Bool, _ value: some Any, else other: some Any, _ end: End?) -> Answer {
    found ? (["\(value)"], .finished) : atEnd(other, end)
  }

  private static let mapping: [PullModel] = [
    PullModel("map") {
      $0.map { $0 * 2 }
    } list: {
      (texts($0.map { $0 * 2 }), $1)
    },
    PullModel("tryMap") {
      $0.tryMap(throwing(2))
    } list: {
      until(2, $0, $1) { (texts($0), $1) }
    },
    PullModel("compactMap") {
      $0.compactMap { $0 == 1 ? nil : $0 }
    } list: {
      (texts($0.filter { $0 != 1 }), $1)
    },
    PullModel("tryCompactMap") {
      $0.tryCompactMap { try throwing(2)($0) == 1 ? nil : $0 }
    } list: {
      until(2, $0, $1) { (texts($0.filter { $0 != 1 }), $1) }
    },
    PullModel("scan") {
      $0.scan(10, +)
    } list: { values, end in
      (values.indices.map { "\(values[...$0].reduce(10, +))" }, end)
    },
    PullModel("map, key path") {
      $0.map(\.magnitude)
    } list: {
      (texts($0), $1)
    },
    PullModel("tryScan") {
      $0.tryScan(10) { try $0 + throwing(2)($1) }
    } list: {
      until(2, $0, $1) { values, end in (values.indices.map { "\(values[...$0].reduce(10, +))" }, end) }
    },
    PullModel("mapError") {
      $0.mapError { $0 }
    } list: {
      (texts($0), $1)
    },
    PullModel("eraseToAnyPublisher") {
      $0.eraseToAnyPublisher()
    } list: {
      (texts($0), $1)
    },
  ]

  /// The values that differ from the previous one.
  private static func changes(_ values: [Int], _ isSame: (Int, Int) -> Bool) -> [Int] {
    values.prefix(1) + zip(values, values.dropFirst()).filter { !isSame($0, $1) }.map(\.1)
  }

  private static let filtering: [PullModel] = [
    PullModel("filter") {
      $0.filter { $0 > 1 }
    } list: {
      (texts($0.filter { $0 > 1 }), $1)
    },
    PullModel("tryFilter") {
      $0.tryFilter { try throwing(2)($0) != 1 }
    } list: {
      until(2, $0, $1) { (texts($0.filter { $0 != 1 }), $1) }
    },
    PullModel("removeDuplicates") {
      $0.removeDuplicates()
    } list: {
      (texts(changes($0, ==)), $1)
    },
    PullModel("removeDuplicates(by:)") {
      $0.removeDuplicates { $0 / 2 == $1 / 2 }
    } list: { values, end in
      (texts(changes(values) { $0 / 2 == $1 / 2 }), end)
    },
    PullModel("tryRemoveDuplicates(by:)") {
      $0.tryRemoveDuplicates { try $0 == throwing(2)($1) }
    } list: { values, end in
      // The first value isn't compared.
      guard let index = values.dropFirst().firstIndex(of: 2) else { return (texts(changes(values, ==)), end) }
      return (texts(changes(Array(values[..<index]), ==)), .thrown)
    },
    PullModel("ignoreOutput", ahead: .max) {
      $0.ignoreOutput()
    } list: {
      ([], $1)
    },
    PullModel("replaceEmpty(with:)") {
      $0.replaceEmpty(with: 7)
    } list: { values, end in
      values.isEmpty ? atEnd(7, end) : (texts(values), end)
    },
    PullModel("replaceNil(with:)") {
      $0.map { $0 == 1 ? nil : $0 }.replaceNil(with: 7)
    } list: {
      (texts($0.map { $0 == 1 ? 7 : $0 }), $1)
    },
  ]

  /// The result of a comparison that throws at a 2.
  ///
  /// A single value isn't compared.
  private static func compared(_ values: [Int], _ end: End?, _ choose: ([Int]) -> Int?) -> Answer {
    values.count > 1 && values.contains(2) ? ([], .thrown) : atEnd(choose(values), end)
  }

  private static let reducing: [PullModel] = [
    PullModel("reduce", ahead: .max) {
      $0.reduce(0, +)
    } list: {
      atEnd($0.reduce(0, +), $1)
    },
    PullModel("tryReduce", ahead: .max) {
      $0.tryReduce(0) { try $0 + throwing(2)($1) }
    } list: {
      until(2, $0, $1) { atEnd($0.reduce(0, +), $1) }
    },
    PullModel("collect", ahead: .max) {
      $0.collect()
    } list: {
      atEnd($0, $1)
    },
    PullModel("collect(3)") {
      $0.collect(3)
    } list: { values, end in
      let full = values.count / 3 * 3
      let chunks = stride(from: 0, to: full, by: 3).map { "\(Array(values[$0..<$0 + 3]))" }
      return (chunks + (end == .finished && full < values.count ? ["\(Array(values[full...]))"] : []), end)
    },
    PullModel("count", ahead: .max) {
      $0.count()
    } list: {
      atEnd($0.count, $1)
    },
    PullModel("max", ahead: .max) {
      $0.max()
    } list: {
      atEnd($0.max(), $1)
    },
    PullModel("min", ahead: .max) {
      $0.min()
    } list: {
      atEnd($0.min(), $1)
    },
    PullModel("max(by:)", ahead: .max) {
      $0.max { $0 > $1 }
    } list: {
      atEnd($0.min(), $1)
    },
    PullModel("min(by:)", ahead: .max) {
      $0.min { $0 > $1 }
    } list: {
      atEnd($0.max(), $1)
    },
    PullModel("tryMax(by:)", ahead: .max) {
      $0.tryMax { try throwing(2)($0) < throwing(2)($1) }
    } list: {
      compared($0, $1) { $0.max() }
    },
    PullModel("tryMin(by:)", ahead: .max) {
      $0.tryMin { try throwing(2)($0) < throwing(2)($1) }
    } list: {
      compared($0, $1) { $0.min() }
    },
    PullModel("contains", ahead: .max) {
      $0.contains(2)
    } list: {
      early($0.contains(2), true, else: false, $1)
    },
    PullModel("contains(where:)", ahead: .max) {
      $0.contains { $0 > 2 }
    } list: { values, end in
      early(values.contains { $0 > 2 }, true, else: false, end)
    },
    PullModel("allSatisfy", ahead: .max) {
      $0.allSatisfy { $0 != 2 }
    } list: {
      early($0.contains(2), false, else: true, $1)
    },
    PullModel("tryContains(where:)", ahead: .max) {
      $0.tryContains { try throwing(2)($0) == 1 }
    } list: {
      until(2, $0, $1) { early($0.contains(1), true, else: false, $1) }
    },
    PullModel("tryAllSatisfy", ahead: .max) {
      $0.tryAllSatisfy { try throwing(2)($0) != 1 }
    } list: {
      until(2, $0, $1) { early($0.contains(1), false, else: true, $1) }
    },
  ]

  private static func prefix(_ values: [Int], _ count: Int, _ end: End?) -> Answer {
    (texts(values.prefix(count)), values.count >= count ? .finished : end)
  }

  private static func first(_ value: Int?, _ end: End?) -> Answer {
    value.map { (["\($0)"], .finished) } ?? ([], end)
  }

  private static let selecting: [PullModel] = [
    PullModel("first") {
      $0.first()
    } list: {
      first($0.first, $1)
    },
    PullModel("first(where:)", ahead: .max) {
      $0.first { $0 > 2 }
    } list: { values, end in
      first(values.first { $0 > 2 }, end)
    },
    PullModel("tryFirst(where:)", ahead: .max) {
      $0.tryFirst { try throwing(2)($0) == 1 }
    } list: {
      until(2, $0, $1) { values, end in first(values.first { $0 == 1 }, end) }
    },
    PullModel("last", ahead: .max) {
      $0.last()
    } list: {
      atEnd($0.last, $1)
    },
    PullModel("last(where:)", ahead: .max) {
      $0.last { $0 < 3 }
    } list: { values, end in
      atEnd(values.last { $0 < 3 }, end)
    },
    PullModel("tryLast(where:)", ahead: .max) {
      $0.tryLast { try throwing(2)($0) == 1 }
    } list: {
      until(2, $0, $1) { values, end in atEnd(values.last { $0 == 1 }, end) }
    },
    PullModel("dropFirst(2)", ahead: 2) {
      $0.dropFirst(2)
    } list: {
      (texts($0.dropFirst(2)), $1)
    },
    PullModel("drop(while:)") {
      $0.drop { $0 < 2 }
    } list: {
      (texts($0.drop { $0 < 2 }), $1)
    },
    PullModel("tryDrop(while:)") {
      $0.tryDrop { try throwing(2)($0) == 1 }
    } list: { values, end in
      let rest = values.drop { $0 == 1 }
      return rest.first == 2 ? ([], .thrown) : (texts(rest), end)
    },
    PullModel("prefix(2)") {
      $0.prefix(2)
    } list: {
      prefix($0, 2, $1)
    },
    PullModel("prefix(while:)") {
      $0.prefix { $0 < 3 }
    } list: { values, end in
      let kept = values.prefix { $0 < 3 }
      return (texts(kept), kept.count < values.count ? .finished : end)
    },
    PullModel("tryPrefix(while:)") {
      $0.tryPrefix { try throwing(2)($0) < 3 }
    } list: {
      until(2, $0, $1) { values, end in
        let kept = values.prefix { $0 < 3 }
        return (texts(kept), kept.count < values.count ? .finished : end)
      }
    },
    PullModel("output(at: 1)") {
      $0.output(at: 1)
    } list: { values, end in
      first(values.dropFirst().first, end)
    },
    PullModel("output(in: 1...2)") {
      $0.output(in: 1...2)
    } list: { values, end in
      (texts(values.prefix(3).dropFirst()), values.count > 2 ? .finished : end)
    },
  ]

  private static let errors: [PullModel] = [
    PullModel("replaceError(with:)") {
      $0.replaceError(with: 7)
    } list: { values, end in
      (texts(values + (end == .failed ? [7] : [])), end == nil ? nil : .finished)
    },
    PullModel("catch") {
      $0.catch { _ in [8, 9].lazy.publisher }
    } list: { values, end in
      (texts(values + (end == .failed ? [8, 9] : [])), end == nil ? nil : .finished)
    },
    PullModel("tryCatch") {
      $0.tryCatch { _ in [8, 9].lazy.publisher.setFailureType(to: UpstreamFailure.self) }
    } list: { values, end in
      (texts(values + (end == .failed ? [8, 9] : [])), end == nil ? nil : .finished)
    },
    PullModel("tryCatch, throwing") {
      $0.tryCatch { _ -> Empty<Int, UpstreamFailure> in throw Thrown() }
    } list: { values, end in
      (texts(values), end == .failed ? .thrown : end)
    },
    PullModel("assertNoFailure") {
      $0.replaceError(with: 7).assertNoFailure()
    } list: { values, end in
      (texts(values + (end == .failed ? [7] : [])), end == nil ? nil : .finished)
    },
    PullModel("setFailureType(to:)") {
      $0.replaceError(with: 7).setFailureType(to: UpstreamFailure.self)
    } list: { values, end in
      (texts(values + (end == .failed ? [7] : [])), end == nil ? nil : .finished)
    },
    PullModel("retry") {
      $0.retry(0)
    } list: {
      (texts($0), $1)
    },
  ]

  /// Operators that only observe events.
  private static let passing: [PullModel] = [
    PullModel("handleEvents") {
      $0.handleEvents(receiveOutput: { _ in })
    } list: {
      (texts($0), $1)
    },
    PullModel("print") {
      $0.print("", to: Nowhere())
    } list: {
      (texts($0), $1)
    },
    PullModel("breakpoint") {
      $0.breakpoint(receiveOutput: { _ in false }, receiveCompletion: { _ in false })
    } list: {
      (texts($0), $1)
    },
    PullModel("breakpointOnError") {
      $0.catch { _ in Empty<Int, Never>() }.breakpointOnError()
    } list: {
      (texts($0), $1 == nil ? nil : .finished)
    },
    PullModel("checkpoint") {
      $0.checkpoint("here")
    } list: {
      (texts($0), $1)
    },
  ]

  private static let rest: [PullModel] = [
    PullModel("encode(encoder:)") {
      $0.map { [$0] }.encode(encoder: JSONEncoder()).map { String(decoding: $0, as: UTF8.self) }
    } list: { values, end in
      (values.map { "[\($0)]" }, end)
    },
    PullModel("decode(type:decoder:)") {
      // The text of a 2 is invalid JSON.
      $0.map { Data(($0 == 2 ? "[" : "[\($0)]").utf8) }.decode(type: [Int].self, decoder: JSONDecoder())
        .mapError { $0 is UpstreamFailure ? $0 : Thrown() }
    } list: {
      until(2, $0, $1) { values, end in (values.map { "[\($0)]" }, end) }
    },
    PullModel("append") {
      $0.append(8, 9)
    } list: { values, end in
      (texts(values + (end == .finished ? [8, 9] : [])), end)
    },
    PullModel("buffer(size:prefetch:whenFull:)", ahead: .max, failureOvertakes: true) {
      $0.buffer(size: 99, prefetch: .keepFull, whenFull: .dropNewest)
    } list: {
      (texts($0), $1)
    },
  ]
}

/// Throws at this number.
func throwing(_ number: Int) -> @Sendable (Int) throws -> Int {
  { value in
    if value == number { throw Thrown() }
    return value
  }
}
