import Weir
import WeirTesting

@testable import TestSupport

/// A step of a random script.
enum ModelStep: Hashable, CustomStringConvertible {
  /// The upstream with this number sends a value.
  case value(Int, Int)
  case finish(Int)
  case fail(Int)
  case request(Int)
  case requestUnlimited
  case cancel
  /// This many milliseconds pass.
  case wait(Int)

  var description: String {
    switch self {
    case .value(let source, let value): "\(source): \(value)"
    case .finish(let source): "\(source): finish"
    case .fail(let source): "\(source): fail"
    case .request(let count): "request(\(count))"
    case .requestUnlimited: "request(unlimited)"
    case .cancel: "cancel"
    case .wait(let time): "wait \(time)"
    }
  }

  /// A random script of requests, values and completions.
  static func demandScript(_ random: inout SplitMix, sources: Int) -> [ModelStep] {
    let count = Int.random(in: 1...14 + 4 * (sources - 1), using: &random)
    return (0..<count).map { _ in
      let source = Int.random(in: 0..<sources, using: &random)
      return switch Int.random(in: 0..<20, using: &random) {
      case 0..<9: .value(source, Int.random(in: 0..<5, using: &random))
      case 9..<15: .request(Int.random(in: 1...3, using: &random))
      case 15: .requestUnlimited
      case 16, 17: .finish(source)
      case 18: .fail(source)
      default: .cancel
      }
    }
  }

  /// A random script of several upstreams with unlimited demand, and time.
  static func timedScript(_ random: inout SplitMix, sources: Int, isTimed: Bool) -> [ModelStep] {
    let count = Int.random(in: 1...16, using: &random)
    return (0..<count).map { _ in
      let source = Int.random(in: 0..<sources, using: &random)
      switch Int.random(in: 0..<(isTimed ? 30 : 20), using: &random) {
      case 0..<15: return .value(source, Int.random(in: 0..<5, using: &random))
      case 15..<18: return .finish(source)
      case 18: return .fail(source)
      case 19: return .cancel
      default: return .wait(Int.random(in: 1...25, using: &random))
      }
    }
  }
}

extension ModelStep {
  /// Performs the step, except the passage of time.
  func play(_ sources: [TestPublisher<Int, UpstreamFailure>], _ subscriber: any ModelSubscriber) {
    switch self {
    case .value(let source, let value): sources[source].send(value)
    case .finish(let source): sources[source].send(completion: .finished)
    case .fail(let source): sources[source].send(completion: .failure(UpstreamFailure()))
    case .request(let count): subscriber.request(.max(count))
    case .requestUnlimited: subscriber.request(.unlimited)
    case .cancel: subscriber.cancel()
    case .wait: break
    }
  }
}

/// The completion of a list.
enum End: String {
  case finished
  case failed = "failure(upstream)"
  case thrown = "failure(thrown)"
}
