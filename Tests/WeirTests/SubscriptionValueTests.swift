import Testing
import Weir

@testable import TestSupport

/// Operators store a subscription as an object, and nothing shows that a value is stored in another one.
@Suite("A subscription without identity")
struct SubscriptionValueTests {
  final class Calls {
    var demands: [Subscribers.Demand] = []
    var cancels = 0
  }

  struct Value: Subscription, CustomStringConvertible {
    let calls = Calls()
    let combineIdentifier = CombineIdentifier()

    var description: String { "Value" }

    func request(_ demand: Subscribers.Demand) { calls.demands.append(demand) }

    func cancel() { calls.cancels += 1 }
  }

  struct Source: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let subscription: Value

    func receive<S: Subscriber<Int, Never>>(subscriber: S) {
      subscriber.receive(subscription: subscription)
    }
  }

  let value = Value()
  var source: Source { Source(subscription: value) }

  @Test("receives the requests and the cancellation of each kind of operator and subscriber")
  func calls() {
    let pipelines: [(String, Subscribers.Demand, AnyCancellable)] = [
      ("sink", .unlimited, source.sink { (_: Int) in }),
      ("map", .unlimited, source.map { (value: Int) in value }.sink { (_: Int) in }),
      ("filter", .unlimited, source.filter { (_: Int) in true }.sink { (_: Int) in }),
      ("collect", .unlimited, source.collect(2).sink { (_: [Int]) in }),
      ("merge", .unlimited, source.merge(with: Empty(completeImmediately: false)).sink { (_: Int) in }),
      ("zip", .unlimited, source.zip(Empty<Int, Never>(completeImmediately: false)).sink { (_: (Int, Int)) in }),
      ("flatMap", .unlimited, source.flatMap { (value: Int) in Just(value) }.sink { (_: Int) in }),
      ("switchToLatest", .unlimited, source.map { (value: Int) in Just(value) }.switchToLatest().sink { (_: Int) in }),
      ("buffer", .max(3), source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest).sink { (_: Int) in }),
      ("share", .unlimited, source.share().sink { (_: Int) in }),
      (
        "prefix", .unlimited,
        source.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).sink { _ in }
      ),
    ]
    var demands: [Subscribers.Demand] = []
    for (name, demand, cancellable) in pipelines {
      demands.append(demand)
      cancellable.cancel()
      #expect(value.calls.cancels == demands.count, "\(name)")
    }
    #expect(value.calls.demands == demands)
  }

  @Test("stands in the mirror of an operator")
  func mirror() throws {
    var received: (any Subscription)?
    source.collect(2).subscribe(
      AnySubscriber(receiveSubscription: { received = $0 }, receiveValue: { _ in .none }, receiveCompletion: { _ in }))
    let mirror = Mirror(reflecting: try #require(received))
    let upstream = try #require(mirror.children.first { $0.label == "upstreamSubscription" }?.value as? Value)
    #expect(upstream.combineIdentifier == value.combineIdentifier)
  }

  @Test("keeps its identifier, by which a cancelled upstream's requests are dropped")
  func identifier() {
    let first = value._object
    #expect(first.combineIdentifier == value.combineIdentifier)
    #expect(Subscriptions.empty._object === Subscriptions.empty._object)
    let object = ManualSubscription()
    #expect(object._object === object)
  }

  final class ManualSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}

    func cancel() {}
  }
}
