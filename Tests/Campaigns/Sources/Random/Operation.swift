// The operators of random programs.

import Weir
import WeirRx

/// An operator on erased publishers, so that one build contains all pipelines.
struct Operation: @unchecked Sendable {  // Its closures capture no mutable state.
  let name: String
  /// Whether it takes a second source.
  let joins: Bool
  /// `nil` if the result depends on more than the order of events.
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

  /// Whether it ignores the order of values, and keeps all of them.
  ///
  /// A buffer drops values of one thread while another thread is in the subscriber.
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

  /// The operators with a model.
  static let modeled = all.filter { $0.model != nil }
  /// The operators that drop no value without demand.
  static let cold = all.filter(\.isList)
  /// The operators that neither wait for a completion nor cause one.
  static let flowing = mapping + filtering + ending + buffering + sharing + joining + flattening
  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
