import Weir
import WeirRx
import WeirTesting

extension Table {
  /// The operators with several upstreams; the scripted one takes each position.
  static let several: [Row] = merging + joining + flattening

  private static var none: Empty<Value, UpstreamFailure> { Empty() }
  private static var seven: Publishers.SetFailureType<Publishers.Sequence<[Value], Never>, UpstreamFailure> {
    Publishers.Sequence<[Value], Never>(sequence: [7]).setFailureType(to: UpstreamFailure.self)
  }
  private static var sevens: AnyPublisher<Value, UpstreamFailure> {
    repeatElement(Value(7), count: 1000).lazy.map { $0 }.publisher.setFailureType(to: UpstreamFailure.self)
      .eraseToAnyPublisher()
  }

  private static let merging: [Row] = [
    .op("Merge", "first", .holdsValues) { $0.merge(with: none) },
    .op("Merge", "second", .holdsValues) { none.merge(with: $0) },
    .op("Merge3", "", .holdsValues) { none.merge(with: $0, none) },
    .op("Merge4", "", .holdsValues) { none.merge(with: $0, none, none) },
    .op("Merge5", "", .holdsValues) { none.merge(with: $0, none, none, none) },
    .op("Merge6", "", .holdsValues) { none.merge(with: $0, none, none, none, none) },
    .op("Merge7", "", .holdsValues) { none.merge(with: $0, none, none, none, none, none) },
    .op("Merge8", "", .holdsValues) { none.merge(with: none, none, none, none, none, none, $0) },
    .op("MergeMany", "Collection.merge", .holdsValues) { [$0].merge() },
    .op("Concatenate", "append", .holdsValues) { $0.append(7) },
    .op("Concatenate", "prepend", .holdsValues) { $0.prepend(7) },
    .op("Concatenate", "append, a publisher", .holdsValues) { $0.append(SuccessorPublisher([7, 8])) },
    .op("Concatenate", "prepend, a publisher", .holdsValues) { $0.prepend(SuccessorPublisher([7, 8])) },
    .op("DropUntilOutput", "", [.holdsValues, .passesEarlyEvents]) { $0.drop(untilOutputFrom: seven) },
    .op("PrefixUntilOutput", "prefix(untilOutputFrom:)") {
      $0.prefix(untilOutputFrom: Empty<Value, Never>(completeImmediately: false))
    },
  ]

  private static let joining: [Row] = [
    .op("Zip", "first", .endsEarly) { $0.zip(sevens) },
    .op("Zip", "second", .endsEarly) { sevens.zip($0) },
    .op("Zip3", "", .endsEarly) { sevens.zip($0, sevens) },
    .op("Zip4", "", .endsEarly) { sevens.zip(sevens, sevens, $0) },
    .op("CombineLatest", "first", [.holdsValues, .dropsValues]) { $0.combineLatest(seven) },
    .op("CombineLatest", "second", .holdsValues) { seven.combineLatest($0) },
    .op("CombineLatest3", "", [.holdsValues, .dropsValues]) { seven.combineLatest($0, seven) },
    .op("CombineLatest4", "", .holdsValues) { seven.combineLatest(seven, seven, $0) },
  ]

  private static let flattening: [Row] = [
    .op("FlatMap", "outer", [.holdsValues, .dependsOnTiming]) { $0.flatMap { [$0, $0 * 10].lazy.publisher } },
    .op("FlatMap", "one at a time", .holdsValues) {
      $0.flatMap(maxPublishers: .max(1)) { [$0, $0 * 10].lazy.publisher }
    },
    .op("FlatMap", "one at a time, on threads", .holdsValues) {
      $0.flatMap(maxPublishers: .max(1)) { SuccessorPublisher([$0, $0 * 10]) }
    },
    .op("FlatMap", "on threads", [.holdsValues, .dependsOnTiming]) { $0.flatMap { SuccessorPublisher([$0]) } },
    .op("FlatMap", "single values", [.holdsValues, .dependsOnTiming]) {
      $0.flatMap { value in Deferred { Just(value) }.dropFirst(0).first() }
    },
    .op("FlatMap", "single values, one at a time", .holdsValues) {
      $0.flatMap(maxPublishers: .max(1)) { value in Deferred { Just(value) }.dropFirst(0).first() }
    },
    .op("FlatMap", "inner", .holdsValues) { upstream in
      Just(0).setFailureType(to: UpstreamFailure.self).flatMap { _ in upstream }
    },
    .op("SwitchToLatest", "outer", [.dropsValues, .holdsValues]) { $0.map { Just($0) }.switchToLatest() },
    .op("SwitchToLatest", "on threads", [.dropsValues, .holdsValues]) {
      $0.map { SuccessorPublisher([$0]) }.switchToLatest()
    },
    .op("SwitchToLatest", "single values", [.dropsValues, .holdsValues]) {
      $0.map { value in Deferred { Just(value) }.dropFirst(0).first() }.switchToLatest()
    },
    .op("SwitchToLatest", "inner") { upstream in
      Just(upstream).setFailureType(to: UpstreamFailure.self).switchToLatest()
    },
  ]
}
