import Testing
import Weir

@testable import TestSupport

/// An operator with its upstreams, for the rules that apply to every operator.
final class Rig {
  typealias Source = ManualPublisher<Int, TestError>

  /// All upstreams, in the order of their subscription.
  let sources: [Source]

  /// The operator, with integers as its output.
  let publisher: AnyPublisher<Int, TestError>

  /// Opens inner publishers, so that values can be sent.
  let open: () -> Void

  /// Sends values that make one output.
  let emit: () -> Void

  /// Runs scheduled work.
  let run: () -> Void

  init(
    _ sources: [Source], _ publisher: some Publisher<Int, TestError>, open: @escaping () -> Void = {},
    emit: @escaping () -> Void, run: @escaping () -> Void = {}
  ) {
    self.sources = sources
    self.publisher = AnyPublisher(publisher)
    self.open = open
    self.emit = {
      emit()
      run()
    }
    self.run = run
  }

  /// Attaches a recorder and opens the operator.
  func record(demanding demand: Subscribers.Demand = .none) -> Recorder<Int, TestError> {
    let recorder = publisher.record(demanding: demand)
    run()
    open()
    run()
    return recorder
  }

  /// The number of cancellations of each upstream.
  var cancels: [Int] {
    sources.map { $0.events.filter { $0 == .cancelled }.count }
  }

  /// The calls on all upstreams.
  var upstreamEvents: [[SubscriptionEvent]] {
    sources.map { $0.events }
  }
}

/// The operators with several upstreams or a scheduler.
struct RigCase: CustomTestStringConvertible, Sendable {
  let testDescription: String

  /// The upstream, which retains the downstream, delivers to it directly.
  let passesThrough: Bool

  /// It uses virtual time, on one thread.
  let isTimed: Bool

  let make: @Sendable (Bool) -> Rig

  init(
    _ name: String, passesThrough: Bool = false, isTimed: Bool = false, make: @escaping @Sendable (Bool) -> Rig
  ) {
    testDescription = name
    self.passesThrough = passesThrough
    self.isTimed = isTimed
    self.make = make
  }

  /// A rig whose sources pass their subscriptions by themselves.
  func rig() -> Rig { make(true) }

  /// A rig whose sources pass no subscription.
  func silentRig() -> Rig { make(false) }

  typealias Source = Rig.Source

  static let all = merging + joining + opening + keeping + timing

  static let merging: [RigCase] = [
    RigCase("merge of 2") { subscribing in
      let (a, b) = (Source(subscribing: subscribing), Source(subscribing: subscribing))
      return Rig([a, b], a.merge(with: b), emit: { b.send(1) })
    },
    RigCase("merge of 5") { subscribing in
      let s = (0..<5).map { _ in Source(subscribing: subscribing) }
      return Rig(s, Publishers.Merge5(s[0], s[1], s[2], s[3], s[4]), emit: { s[4].send(1) })
    },
    RigCase("merge of 8") { subscribing in
      let s = (0..<8).map { _ in Source(subscribing: subscribing) }
      return Rig(
        s, Publishers.Merge8(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]), emit: { s[7].send(1) })
    },
    RigCase("merge of many") { subscribing in
      let s = (0..<4).map { _ in Source(subscribing: subscribing) }
      return Rig(s, Publishers.MergeMany(s), emit: { s[2].send(1) })
    },
  ]

  static let joining: [RigCase] = [
    RigCase("combineLatest of 2") { subscribing in
      let (a, b) = (Source(subscribing: subscribing), Source(subscribing: subscribing))
      return Rig([a, b], a.combineLatest(b) { (a: Int, b: Int) -> Int in a }, emit: latest([a, b]))
    },
    RigCase("combineLatest of 3") { subscribing in
      let s = (0..<3).map { _ in Source(subscribing: subscribing) }
      let all = s[0].combineLatest(s[1], s[2]) { (a: Int, b: Int, c: Int) -> Int in a }
      return Rig(s, all, emit: latest(s))
    },
    RigCase("combineLatest of 4") { subscribing in
      let s = (0..<4).map { _ in Source(subscribing: subscribing) }
      let all = s[0].combineLatest(s[1], s[2], s[3]) { (a: Int, b: Int, c: Int, d: Int) -> Int in a }
      return Rig(s, all, emit: latest(s))
    },
    RigCase("zip of 2") { subscribing in
      let (a, b) = (Source(subscribing: subscribing), Source(subscribing: subscribing))
      return Rig([a, b], a.zip(b) { (a: Int, b: Int) -> Int in a }, emit: each([a, b]))
    },
    RigCase("zip of 3") { subscribing in
      let s = (0..<3).map { _ in Source(subscribing: subscribing) }
      let all = s[0].zip(s[1], s[2]) { (a: Int, b: Int, c: Int) -> Int in a }
      return Rig(s, all, emit: each(s))
    },
    RigCase("zip of 4") { subscribing in
      let s = (0..<4).map { _ in Source(subscribing: subscribing) }
      let all = s[0].zip(s[1], s[2], s[3]) { (a: Int, b: Int, c: Int, d: Int) -> Int in a }
      return Rig(s, all, emit: each(s))
    },
  ]

  static let opening: [RigCase] = [
    RigCase("flatMap") { subscribing in
      let (outer, a, b) = (Source(), Source(subscribing: subscribing), Source(subscribing: subscribing))
      return Rig(
        [outer, a, b], outer.flatMap { (index: Int) -> Source in [a, b][index] },
        open: { if outer.subscribers.count == 1 { for index in 0..<2 { outer.send(index) } } }, emit: { b.send(1) })
    },
    RigCase("flatMap, two at once") { subscribing in
      let (outer, a, b) = (Source(), Source(subscribing: subscribing), Source(subscribing: subscribing))
      return Rig(
        [outer, a, b], outer.flatMap(maxPublishers: .max(2)) { (index: Int) -> Source in [a, b][index] },
        open: { if outer.subscribers.count == 1 { for index in 0..<2 { outer.send(index) } } }, emit: { a.send(1) })
    },
    RigCase("switchToLatest") { subscribing in
      let (outer, inner) = (Source(), Source(subscribing: subscribing))
      return Rig(
        [outer, inner], outer.map { (_: Int) -> Source in inner }.switchToLatest(),
        open: { if outer.subscribers.count == 1 { outer.send(0) } }, emit: { inner.send(1) })
    },
  ]

  static let keeping: [RigCase] = [
    RigCase("buffer, by request") { subscribing in
      let source = Source(subscribing: subscribing)
      let buffered = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      return Rig([source], buffered, emit: { source.send(1) })
    },
    RigCase("buffer, kept full") { subscribing in
      let source = Source(subscribing: subscribing)
      let buffered = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest)
      return Rig([source], buffered, emit: { source.send(1) })
    },
  ]

  static let timing: [RigCase] = [
    timed("receive(on:)", obeying: true) { $0.receive(on: $1) },
    timed("delay", obeying: true) { $0.delay(for: 5, scheduler: $1) },
    timed("debounce") { $0.debounce(for: 5, scheduler: $1) },
    timed("throttle, latest") { $0.throttle(for: 5, scheduler: $1, latest: true) },
    timed("throttle, first") { $0.throttle(for: 5, scheduler: $1, latest: false) },
    timed("timeout", obeying: true) { $0.timeout(1_000, scheduler: $1) },
    timed("collect, by time") { $0.collect(.byTime($1, 5)).map { (values: [Int]) -> Int in values[0] } },
    timed("collect, by time or count") {
      $0.collect(.byTimeOrCount($1, 5, 2)).map { (values: [Int]) -> Int in values[0] }
    },
    timed("collect, by count before the time") {
      $0.collect(.byTimeOrCount($1, 1_000, 1)).map { (values: [Int]) -> Int in values[0] }
    },
    immediate("receive(on:), immediately", obeying: true) { $0.receive(on: ImmediateScheduler.shared) },
    immediate("delay, immediately", obeying: true) { $0.delay(for: 5, scheduler: ImmediateScheduler.shared) },
    immediate("debounce, immediately") { $0.debounce(for: 5, scheduler: ImmediateScheduler.shared) },
    immediate("collect, immediately") {
      $0.collect(.byTimeOrCount(ImmediateScheduler.shared, 5, 1)).map { (values: [Int]) -> Int in values[0] }
    },
    immediate("throttle, immediately") { $0.throttle(for: 5, scheduler: ImmediateScheduler.shared, latest: true) },
    RigCase("subscribe(on:)", passesThrough: true, isTimed: true) { subscribing in
      let (source, scheduler) = (Source(subscribing: subscribing), VirtualTimeScheduler())
      return Rig(
        [source], source.subscribe(on: scheduler), emit: obedient(source), run: { scheduler.advance(by: 5) })
    },
    RigCase("subscribe(on:), immediately", passesThrough: true) { subscribing in
      let source = Source(subscribing: subscribing)
      return Rig([source], source.subscribe(on: ImmediateScheduler.shared), emit: obedient(source))
    },
  ]

  /// `obeying` means that demand is forwarded unchanged to an upstream that respects it.
  private static func timed(
    _ name: String, obeying: Bool = false,
    _ make: @escaping @Sendable (Source, VirtualTimeScheduler) -> any Publisher<Int, TestError>
  ) -> RigCase {
    RigCase(name, isTimed: true) { subscribing in
      let (source, scheduler) = (Source(subscribing: subscribing), VirtualTimeScheduler())
      return Rig(
        [source], make(source, scheduler), emit: obeying ? obedient(source) : { source.send(1) },
        run: { scheduler.advance(by: 5) })
    }
  }

  private static func immediate(
    _ name: String, obeying: Bool = false, _ make: @escaping @Sendable (Source) -> any Publisher<Int, TestError>
  ) -> RigCase {
    RigCase(name) { subscribing in
      let source = Source(subscribing: subscribing)
      return Rig([source], make(source), emit: obeying ? obedient(source) : { source.send(1) })
    }
  }

  /// Sends only requested values.
  private static func obedient(_ source: Source) -> () -> Void {
    var sent = 0
    var returned = Subscribers.Demand.none
    return {
      let asked = source.events.reduce(returned) { (sum: Subscribers.Demand, event: SubscriptionEvent) in
        if case .requested(let demand) = event { sum + demand } else { sum }
      }
      guard asked > sent else { return }
      sent += 1
      returned += source.send(1)
    }
  }

  /// Sends from all at first, then only from the first: each value makes one combination.
  private static func latest(_ sources: [Source]) -> () -> Void {
    var isFirst = true
    return {
      for source in isFirst ? sources : [sources[0]] { source.send(1) }
      isFirst = false
    }
  }

  private static func each(_ sources: [Source]) -> () -> Void {
    { for source in sources { source.send(1) } }
  }
}
