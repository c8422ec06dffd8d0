import Weir

@testable import TestSupport

/// The upstreams of an operator, which answer requests at random, and act at random while others deliver.
///
/// They follow the publisher contract. So does the subscriber, which also requests, and makes upstreams act, inside its
/// deliveries.
final class RandomUpstreams {
  /// The subscription of one of the operator's upstreams.
  private final class Upstream {
    let source: Rig.Source
    let index: Int
    var demand = Subscribers.Demand.none
    var isTerminated = false
    var isDelivering = false
    var isRequesting = false

    init(_ source: Rig.Source, _ index: Int) {
      (self.source, self.index) = (source, index)
    }
  }

  private let rig: Rig
  private let recorder = Recorder<Int, TestError>()
  private var random: SplitMix
  private var upstreams: [Upstream] = []
  private var credit = Subscribers.Demand.none
  private var actsLeft = 60
  private var faults: Set<String> = []

  init(_ rig: Rig, seed: Int) {
    self.rig = rig
    random = SplitMix(seed: UInt64(seed))
  }

  /// Runs the program; returns the rules that were broken.
  func play() -> Set<String> {
    for source in rig.sources {
      source.onSubscribing = { [unowned self, unowned source] in attach($0, Upstream(source, $1)) }
    }
    recorder.onSubscription = { [unowned self] _ in act(60) }
    recorder.onValue = { [unowned self] _ in
      if credit == .none { faults.insert("a value without demand") } else { credit -= 1 }
      act(50)
      act(30)
      let more = Subscribers.Demand.max(isTrue(30) ? 2 : 0)
      credit += more
      return more
    }
    rig.publisher.subscribe(recorder)
    for _ in 0..<25 {
      act(100)
      rig.run()
    }
    recorder.cancel()
    rig.run()
    for source in rig.sources { source.onSubscribing = { _, _ in } }
    return faults
  }

  private func attach(_ subscription: ManualSubscription, _ upstream: Upstream) {
    upstreams.append(upstream)
    subscription.onCancel = { upstream.isTerminated = true }
    subscription.onRequest = { [unowned self] in request($0, from: upstream) }
  }

  private func request(_ demand: Subscribers.Demand, from upstream: Upstream) {
    if upstream.isTerminated { faults.insert("a request after the end") }
    if upstream.isRequesting { faults.insert("a request inside another") }
    upstream.demand += demand
    upstream.isRequesting = true
    for _ in 0..<Int.random(in: 0...3, using: &random) { send(from: upstream) }
    act(40)
    if isTrue(20) { finish(upstream) }
    upstream.isRequesting = false
  }

  private func act(_ chance: Int) {
    guard actsLeft > 0, isTrue(chance) else { return }
    actsLeft -= 1
    switch Int.random(in: 0...9, using: &random) {
    case 0...2:
      guard recorder.subscription != nil else { return }
      let demand = Subscribers.Demand.max(.random(in: 1...3, using: &random))
      credit += demand
      recorder.request(demand)
    case 3...7: if let upstream = upstreams.randomElement(using: &random) { send(from: upstream) }
    case 8: if let upstream = upstreams.randomElement(using: &random) { finish(upstream) }
    default: if isTrue(10) { recorder.cancel() }
    }
  }

  private func send(from upstream: Upstream) {
    guard actsLeft > 0, upstream.demand > .none, !upstream.isTerminated, !upstream.isDelivering else { return }
    actsLeft -= 1
    upstream.demand -= 1
    upstream.isDelivering = true
    upstream.demand += upstream.source.send(.random(in: 0...1, using: &random), to: upstream.index)
    upstream.isDelivering = false
  }

  private func finish(_ upstream: Upstream) {
    guard !upstream.isTerminated, !upstream.isDelivering else { return }
    upstream.isTerminated = true
    upstream.source.send(completion: .finished, to: upstream.index)
  }

  private func isTrue(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}
