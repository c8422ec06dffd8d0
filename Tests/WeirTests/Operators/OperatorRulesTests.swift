import Testing
import Weir

@testable import TestSupport

/// The rules for every operator with several upstreams or a scheduler.
@Suite("the rules of every operator with several upstreams or a scheduler")
struct OperatorRulesTests {
  @Test("passes one subscription before all other events, and no value without demand", arguments: RigCase.all)
  func subscription(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record()
    #expect(recorder.events == [.subscription])
    rig.emit()
    #expect(recorder.events == [.subscription])
  }

  @Test("respects demand, including returned demand", arguments: RigCase.all)
  func demand(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .max(2))
    for _ in 0..<4 { rig.emit() }
    #expect(recorder.values == [1, 1])
    recorder.onValue = { _ in recorder.values.count < 5 ? .max(1) : .none }
    recorder.request(.max(1))
    rig.run()
    for _ in 0..<6 { rig.emit() }
    #expect(recorder.values.count == 5)
  }

  @Test(
    "delivers all values to unlimited demand, and nests no delivery in another",
    arguments: RigCase.all.filter { !$0.passesThrough })
  func unlimited(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    var depth = 0
    recorder.onValue = { _ in
      depth += 1
      #expect(depth == 1)
      if recorder.values.count < 3 { rig.sources.last?.send(1) }
      recorder.request(.max(1))
      depth -= 1
      return .none
    }
    for _ in 0..<3 { rig.emit() }
    #expect(recorder.values.count >= 3)
  }

  @Test("forwards a cancellation to every upstream, once", arguments: RigCase.all)
  func cancels(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    rig.emit()
    recorder.cancel()
    recorder.cancel()
    rig.run()
    #expect(rig.cancels == rig.sources.map { _ in 1 })
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test(
    "requests nothing from a completed upstream, or while it answers a request",
    arguments: RigCase.all.filter { !$0.passesThrough })
  func requests(_ operation: RigCase) {
    for seed in 0..<Effort.rounds(500) {
      #expect(RandomUpstreams(operation.rig(), seed: seed).play() == [], "seed \(seed)")
    }
  }

  @Test("after a cancellation, ignores and sends no events", arguments: RigCase.all)
  func cancelled(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .max(1))
    recorder.cancel()
    rig.run()
    let before = rig.upstreamEvents
    recorder.request(.unlimited)
    rig.emit()
    rig.sources.last?.send(completion: .failure(.oops))
    for source in rig.sources { source.send(completion: .finished) }
    rig.run()
    #expect(recorder.events == [.subscription])
    #expect(rig.upstreamEvents == before)
  }

  @Test("a cancellation during a delivery takes effect immediately", arguments: RigCase.all)
  func cancelInside(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      return .max(5)
    }
    rig.emit()
    rig.emit()
    rig.run()
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(rig.cancels == rig.sources.map { _ in 1 })
  }

  @Test("a cancellation during the subscription cancels every upstream", arguments: RigCase.all)
  func cancelAtOnce(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    rig.publisher.subscribe(recorder)
    rig.run()
    #expect(recorder.events == [.subscription])
    for source in rig.sources where !source.subscriptions.isEmpty {
      #expect(source.events.filter { $0 == .cancelled }.count == 1)
    }
  }

  @Test("cancels a subscription that arrives after the cancellation", arguments: RigCase.all)
  func cancelBeforeAllHaveArrived(_ operation: RigCase) throws {
    let rig = operation.silentRig()
    let recorder = rig.record(demanding: .unlimited)
    // If the downstream's subscription requires the last upstream, a cancellation isn't possible before.
    let silent = rig.sources.filter { $0.subscriptions.isEmpty && !$0.subscribers.isEmpty }
    let last = try #require(silent.last)
    for source in silent.dropLast() { source.sendSubscription() }
    recorder.cancel()
    recorder.onSubscription = { $0.cancel() }
    let subscription = last.sendSubscription()
    rig.run()
    #expect(subscription.events.filter { $0 == .cancelled }.count == 1)
    #expect(recorder.events == [.subscription])
  }

  @Test("keeps the first subscription and cancels a second", arguments: RigCase.all)
  func secondSubscription(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    for source in rig.sources {
      let second = source.sendSubscription()
      rig.run()
      #expect(second.events == [.cancelled])
    }
    #expect(rig.cancels == rig.sources.map { _ in 0 })
    rig.emit()
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("forwards a failure, and cancels the other upstreams but not that one", arguments: RigCase.all)
  func fails(_ operation: RigCase) {
    let count = operation.rig().sources.count
    for failing in 0..<count {
      let rig = operation.rig()
      let recorder = rig.record()
      rig.sources[failing].send(completion: .failure(.oops))
      rig.run()
      #expect(recorder.events == [.subscription, .failed(.oops)])
      #expect(rig.cancels == (0..<count).map { $0 == failing ? 0 : 1 })
      recorder.cancel()
      rig.emit()
      rig.sources[0].send(completion: .finished)
      rig.run()
      #expect(recorder.events == [.subscription, .failed(.oops)])
      #expect(rig.cancels == (0..<count).map { $0 == failing ? 0 : 1 })
    }
  }

  @Test("finishes when all upstreams have, without demand, and cancels none of them", arguments: RigCase.all)
  func finishes(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record()
    for source in rig.sources { source.send(completion: .finished) }
    rig.run()
    #expect(recorder.events == [.subscription, .finished])
    // A zip finishes after one side has.
    let finishesEarly = operation.testDescription.hasPrefix("zip")
    #expect(rig.cancels.reduce(0, +) == (finishesEarly ? rig.sources.count - 1 : 0))
    let before = rig.upstreamEvents
    recorder.request(.max(1))
    recorder.cancel()
    rig.emit()
    rig.sources[0].send(completion: .failure(.oops))
    rig.run()
    #expect(recorder.events == [.subscription, .finished])
    #expect(rig.upstreamEvents == before)
  }

  @Test("ignores a completion before any subscription, and a value if Combine does", arguments: RigCase.all)
  func beforeTheSubscription(_ operation: RigCase) throws {
    let rig = operation.silentRig()
    let recorder = rig.record(demanding: .unlimited)
    let before = recorder.events
    let source = try #require(rig.sources.last)
    if before == [] { source.send(completion: .failure(.oops)) }
    rig.run()
    #expect(recorder.events == before)
    source.send(1)
    rig.run()
    let passesOn = ["merge", "flatMap", "switchToLatest"].contains { operation.testDescription.hasPrefix($0) }
    #expect(recorder.events == before + (passesOn ? [.value(1)] : []))
  }

  @Test("serves each subscriber independently", arguments: RigCase.all)
  func secondSubscriber(_ operation: RigCase) {
    let rig = operation.rig()
    let first = rig.record(demanding: .unlimited)
    let second = rig.publisher.record(demanding: .unlimited)
    rig.run()
    #expect(second.events == [.subscription])
    second.cancel()
    rig.run()
    rig.emit()
    #expect(first.events == [.subscription, .value(1)])
    #expect(second.events == [.subscription])
    #expect(rig.sources[0].subscriptions.map { $0.isCancelled } == [false, true])
  }

  /// The terminations in the leak test.
  enum End: CaseIterable {
    case finish, failure, cancel, cancelInside, dropCancellable
  }

  @Test(
    "releases everything at termination of any kind, while the upstreams are alive", arguments: RigCase.all,
    End.allCases)
  func releases(_ operation: RigCase, end: End) {
    let rig = operation.rig()
    #expect(
      isReleased { token in
        let cancellable = Box<AnyCancellable?>(nil)
        cancellable.value = rig.publisher.sink(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in
            withExtendedLifetime(token) { if case .cancelInside = end { cancellable.value?.cancel() } }
          })
        rig.run()
        rig.open()
        rig.emit()
        switch end {
        case .finish: for source in rig.sources { source.send(completion: .finished) }
        case .failure: rig.sources.last?.send(completion: .failure(.oops))
        case .cancel: cancellable.value?.cancel()
        case .cancelInside: break
        case .dropCancellable: cancellable.value = nil
        }
        rig.run()
        if operation.passesThrough, rig.sources[0].events.last == .cancelled { rig.sources[0].releaseSubscribers() }
        cancellable.value = nil
      })
    // The sources' remaining objects, except where events are only forwarded, must not retain the downstream.
    #expect(operation.passesThrough || !rig.sources[0].subscribers.isEmpty)
  }

  @Test("releases everything at a cancellation before its upstreams' subscriptions", arguments: RigCase.all)
  func releasesEarly(_ operation: RigCase) {
    let rig = operation.silentRig()
    #expect(
      isReleased { token in
        rig.publisher.sink(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in withExtendedLifetime(token) {} }
        ).cancel()
        for source in rig.sources where source.subscriptions.isEmpty && !source.subscribers.isEmpty {
          source.sendSubscription()
        }
        rig.run()
        if operation.passesThrough { rig.sources[0].releaseSubscribers() }
      })
  }

  @Test(
    "a cancellation that races with values stops them, and reaches every upstream once",
    arguments: RigCase.all.filter { !$0.isTimed })
  func cancelRacesValues(_ operation: RigCase) {
    for _ in 0..<Effort.rounds(100) {
      let rig = operation.rig()
      let recorder = rig.record(demanding: .unlimited)
      race({ for _ in 0..<5 { rig.sources.last?.send(1) } }, { recorder.cancel() })
      let delivered = recorder.events.count
      rig.run()
      rig.emit()
      #expect(recorder.events.count == delivered)
      #expect(rig.cancels == rig.sources.map { _ in 1 })
    }
  }
}
