import Foundation
import Weir
import WeirFoundation
import WeirTesting

@testable import TestSupport

extension Table {
  /// The operators with one upstream and no scheduler.
  static let one: [Row] = mapping + filtering + reducing + selecting + errors + others

  private static let mapping: [Row] = [
    .op("AnyPublisher", "eraseToAnyPublisher", .passesSubscriptionOn) { $0.eraseToAnyPublisher() },
    .op("Map", "", .passesSubscriptionOn) { $0.map { $0 + 1 } }.nesting("C15", "C16"),
    .op("Map", "replaceNil(with:)", .passesSubscriptionOn) {
      $0.map { $0 == 1 ? nil : $0 }.replaceNil(with: 7)
    }.nesting("C15", "C16"),
    .op("MapKeyPath", "", .passesSubscriptionOn) { $0.map(\.description) },
    .op("MapKeyPath2", "", .passesSubscriptionOn) { $0.map(\.description, \.number) },
    .op("MapKeyPath3", "", .passesSubscriptionOn) { $0.map(\.description, \.number, \.number.bitWidth) },
    .op("TryMap", "", [.failsByItself, .passesEarlyEvents]) { $0.tryMap(notTwo) },
    .op("CompactMap", "", .passesSubscriptionOn) { $0.compactMap { $0 == 1 ? nil : $0 } }.nesting("C15"),
    .op("TryCompactMap", "", .failsByItself) { $0.tryCompactMap { try notTwo($0) == 1 ? nil : $0 } },
    .op("Scan", "", .passesSubscriptionOn) { $0.scan(0, +) },
    .op("TryScan", "", [.failsByItself, .passesEarlyEvents]) { $0.tryScan(0) { try $0 + notTwo($1) } },
    .op("SetFailureType", "", [.recovers, .holdsValues]) {
      $0.replaceError(with: 0).setFailureType(to: UpstreamFailure.self)
    },
    .op("Encode", "", [.failsByItself, .passesEarlyEvents]) { $0.map { [$0] }.encode(encoder: JSONEncoder()) },
    .op("Decode", "", [.failsByItself, .passesEarlyEvents]) {
      $0.map { Data("[\($0)]".utf8) }.decode(type: [Value].self, decoder: JSONDecoder())
    },
  ]

  private static let filtering: [Row] = [
    .op("Filter", "", .passesSubscriptionOn) { $0.filter { $0 != 1 } }.nesting("C15"),
    .op("TryFilter", "", .failsByItself) { $0.tryFilter { try notTwo($0) != 1 } },
    .op("RemoveDuplicates") { $0.removeDuplicates() },
    .op("RemoveDuplicates", "removeDuplicates(by:)") { $0.removeDuplicates { $0 / 2 == $1 / 2 } },
    .op("TryRemoveDuplicates", "", .failsByItself) { $0.tryRemoveDuplicates { try notTwo($0) == $1 } },
    .op("IgnoreOutput", "", .passesSubscriptionOn) { $0.ignoreOutput() },
    .op("ReplaceEmpty", "", .holdsValues) { $0.replaceEmpty(with: 7) },
  ]

  private static let reducing: [Row] = [
    .op("Reduce", "", .holdsValues) { $0.reduce(0, +) },
    .op("TryReduce", "", [.holdsValues, .failsByItself]) { $0.tryReduce(0) { try $0 + notTwo($1) } },
    .op("Collect", "", .holdsValues) { $0.collect() },
    .op("CollectByCount", "", [.holdsValues, .passesEarlyEvents]) { $0.collect(2) },
    .op("Count", "", .holdsValues) { $0.count() },
    .op("Comparison", "max", .holdsValues) { $0.max() },
    .op("Comparison", "max(by:)", .holdsValues) { $0.max { $0 > $1 } },
    .op("Comparison", "min", .holdsValues) { $0.min() },
    .op("Comparison", "min(by:)", .holdsValues) { $0.min { $0 < $1 } },
    .op("TryComparison", "tryMax(by:)", [.holdsValues, .failsByItself]) { $0.tryMax { try notTwo($0) < $1 } },
    .op("TryComparison", "tryMin(by:)", [.holdsValues, .failsByItself]) { $0.tryMin { try notTwo($0) < $1 } },
    .op("Contains", "", [.endsEarly, .holdsValues]) { $0.contains(2) },
    .op("ContainsWhere", "", [.endsEarly, .holdsValues]) { $0.contains { $0 == 2 } },
    .op("TryContainsWhere", "", [.endsEarly, .holdsValues, .failsByItself]) {
      $0.tryContains { try notTwo($0) == 3 }
    },
    .op("AllSatisfy", "", [.endsEarly, .holdsValues]) { $0.allSatisfy { $0 < 2 } },
    .op("TryAllSatisfy", "", [.endsEarly, .holdsValues, .failsByItself]) {
      $0.tryAllSatisfy { try notTwo($0) < 3 }
    },
  ]

  private static let selecting: [Row] = [
    .op("First", "", .endsEarly) { $0.first() },
    .op("FirstWhere", "", .endsEarly) { $0.first { $0 == 2 } },
    .op("TryFirstWhere", "", [.endsEarly, .failsByItself]) { $0.tryFirst { try notTwo($0) == 3 } },
    .op("Last", "", .holdsValues) { $0.last() },
    .op("LastWhere", "", .holdsValues) { $0.last { $0 < 3 } },
    .op("TryLastWhere", "", [.holdsValues, .failsByItself]) { $0.tryLast { try notTwo($0) < 3 } },
    .op("Drop", "", .passesEarlyEvents) { $0.dropFirst() },
    .op("DropWhile") { $0.drop { $0 < 2 } },
    .op("TryDropWhile", "", .failsByItself) { $0.tryDrop { try notTwo($0) < 3 } },
    .op("PrefixWhile", "", .endsEarly) { $0.prefix { $0 < 3 } },
    .op("TryPrefixWhile", "", [.endsEarly, .failsByItself]) { $0.tryPrefix { try notTwo($0) < 3 } },
    .op("Output", "prefix(2)", [.endsEarly, .passesEarlyEvents]) { $0.prefix(2) },
    .op("Output", "prefix(0)", [.endsEarly, .passesEarlyEvents]) { $0.prefix(0) },
    .op("Output", "output(at:)", [.endsEarly, .passesEarlyEvents]) { $0.output(at: 1) },
    .op("Output", "output(in:)", [.endsEarly, .passesEarlyEvents]) { $0.output(in: 1...2) },
  ]

  private static let errors: [Row] = [
    .op("MapError", "", .passesSubscriptionOn) { $0.mapError { _ in Thrown() } },
    .op("ReplaceError", "", [.recovers, .holdsValues]) { $0.replaceError(with: 7) },
    .op("AssertNoFailure", "", [.recovers, .holdsValues]) { $0.replaceError(with: 7).assertNoFailure() },
    .op("Catch", "", .recovers) { $0.catch { _ in [8, 9].lazy.publisher } },
    .op("Catch", "on threads", .recovers) { $0.catch { _ in SuccessorPublisher([8, 9]) } },
    .op("TryCatch", "", [.recovers, .failsByItself]) {
      $0.tryCatch { _ in [8, 9].lazy.publisher.setFailureType(to: UpstreamFailure.self) }
    },
    .op("TryCatch", "on threads", [.recovers, .failsByItself]) { $0.tryCatch { _ in SuccessorPublisher([8, 9]) } },
    .op("Retry", "", [.recovers, .passesEarlyEvents]) { $0.retry(1) },
  ]

  private static let others: [Row] = [
    .op("HandleEvents", "", .passesEarlyEvents) { $0.handleEvents(receiveOutput: { _ in }) },
    .op("Print", "", .passesEarlyEvents) { $0.print("", to: Nowhere()) },
    .op("Checkpoint", "", .passesSubscriptionOn) { $0.checkpoint("here") },
    .op("Breakpoint", "", .passesSubscriptionOn) { $0.breakpoint(receiveOutput: { _ in false }) },
    .op("Breakpoint", "breakpointOnError", [.passesSubscriptionOn, .recovers, .holdsValues]) {
      $0.replaceError(with: 7).breakpointOnError()
    },
    .op("Buffer", "all", [.holdsValues]) { $0.buffer(size: 100, prefetch: .keepFull, whenFull: .dropOldest) },
    .op("Buffer", "by request", [.holdsValues, .dropsValues, .holdsAtMost(2)]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
    },
    .op("Buffer", "dropping the oldest", [.holdsValues, .dropsValues, .holdsAtMost(2)]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    },
    .op("Buffer", "failing when full", [.holdsValues, .failsByItself, .dropsValues, .holdsAtMost(2)]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .customError(user { UpstreamFailure() }))
    },
    .op("MakeConnectable", "", [.recovers, .holdsValues, .dropsValues, .isShared]) {
      AtOnce($0.replaceError(with: 7).makeConnectable())
    },
    .op("Autoconnect", "", [.isShared, .dropsValues]) { $0.multicast { PassthroughSubject() }.autoconnect() },
    .op("Multicast", "", [.isShared, .dropsValues]) { AtOnce($0.multicast { PassthroughSubject() }) },
    .op("Multicast", "multicast(subject:)", [.isShared, .dropsValues]) {
      AtOnce($0.multicast(subject: PassthroughSubject()))
    },
    .op("Share", "", [.isShared, .dropsValues]) { $0.share() },
  ]
}

/// A connectable publisher that each subscriber connects when it has received its subscription.
struct AtOnce<Upstream: ConnectablePublisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  private let connection = Connection()

  /// A connection, which the subscriber can cancel on another thread than that of the completion.
  final class Connection {
    private let lock = NSLock()
    private var cancellable: (any Cancellable)?

    func keep(_ cancellable: any Cancellable) { lock.withLock { self.cancellable = cancellable } }

    func take() -> (any Cancellable)? {
      lock.withLock {
        defer { cancellable = nil }
        return cancellable
      }
    }
  }

  init(_ upstream: Upstream) {
    self.upstream = upstream
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.handleEvents(
      receiveCompletion: { [connection] _ in _ = connection.take() },
      receiveCancel: { [connection] in connection.take()?.cancel() }
    ).receive(subscriber: subscriber)
    connection.keep(upstream.connect())
  }
}
