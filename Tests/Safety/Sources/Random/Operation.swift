// The operators of random programs.

import Weir
import WeirRx

/// An operator between erased publishers, so that one build has all pipelines.
struct Operation: @unchecked Sendable {  // Its closures capture nothing that changes.
  let name: String
  /// Whether it takes a second source.
  let joins: Bool
  /// `nil` if it depends on more than the order of events.
  let model: Model?
  let attach: (_ up: Pipeline, _ other: Pipeline, Closures) -> Pipeline

  init(
    _ name: String, joins: Bool = false, _ model: Model? = nil,
    _ attach: @escaping (_ up: Pipeline, _ other: Pipeline, Closures) -> Pipeline
  ) {
    self.name = name
    self.joins = joins
    self.model = model
    self.attach = attach
  }

  var isList: Bool { if case .list = model { true } else { false } }

  var isEager: Bool {
    switch model {
    case .eager, .eagerJoining: true
    default: false
    }
  }

  /// Whether the order of values doesn't matter to it, and it keeps all of them.
  ///
  /// A buffer drops what one thread sends while another thread is in the subscriber.
  var isUnordered: Bool { Self.unorderedNames.contains(name) }

  private static let unorderedNames: Set = [
    "map", "mapError", "handleEvents", "materialize", "enumerated", "filter", "compactMap", "distinct", "reduce", "max",
    "min", "count", "replaceError", "share", "multicast", "shareReplay", "merge", "flatMap", "groupBy",
    "receiveImmediate",
  ]

  static let unordered = all.filter(\.isUnordered)

  var asksAhead: Bool { name == "drop" || name == "output" }
  var isShared: Bool { if case .shared = model { true } else { false } }
  var isFollowing: Bool { if case .following = model { true } else { false } }

  var isJoining: Bool {
    switch model {
    case .joining, .eagerJoining: true
    default: false
    }
  }

  static let all =
    mapping + filtering + reducing + selecting + ending + buffering + sharing + joining + flattening + timed

  /// Those that the models know.
  static let modeled = all.filter { $0.model != nil }
  /// Those that drop no value for want of demand.
  static let cold = all.filter(\.isList)
  /// Those that neither wait for an end nor bring one about.
  static let flowing = mapping + filtering + ending + buffering + sharing + joining + flattening
  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
