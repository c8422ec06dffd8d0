import Synchronization
import Testing

@testable import TestSupport
@testable import Weir

/// Tracing affects the whole program, so each test has its own process.
@Suite struct TracingTests {
  private static func at(_ line: Int) -> String { "at Debugging/TracingTests.swift:\(line)" }

  private static var live: [String] {
    Subscriptions.live().map { $0.description.withoutRecorderPlace }
  }

  // MARK: Live objects

  @Test("records no pipeline while it is off")
  func remembersNothingWhenOff() async {
    await #expect(processExitsWith: .success) {
      #expect(Weir.tracing == .off)
      let source = ManualPublisher<Int, Never>()
      let recorder = source.map { (value: Int) in value + 1 }.record(demanding: .max(1))
      #expect(Subscriptions.live().isEmpty)
      Weir.tracing = .assembly
      #expect(Subscriptions.live().isEmpty)
      recorder.cancel()
    }
  }

  @Test("a path leads from the source to the subscriber, with locations, demand and pending values")
  func pathWithPlaces() async {
    await #expect(processExitsWith: .success) { TracingTests.checkPathWithPlaces() }
  }

  // Not in the macro, whose expansion is a separate file.
  private static func checkPathWithPlaces() {
    Weir.tracing = .assembly
    let first = #line + 1
    let subject = PassthroughSubject<Int, Never>()
    let recorder =
      subject
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value > 1 }
      .removeDuplicates()
      .record(demanding: .max(2))
    subject.send(0)
    subject.send(1)
    #expect(
      TracingTests.live == [
        """
        PassthroughSubject \(TracingTests.at(first)): requested 3, received 2, waits for a value
        map \(TracingTests.at(first + 3)): requested 3, received 2, waits for a value
        filter \(TracingTests.at(first + 4)): requested 2, received 1, waits for a value
        removeDuplicates \(TracingTests.at(first + 5)): requested 2, received 1, waits for a value
        Recorder: requested 2, received 1, waits for a value
        """
      ])
    subject.send(2)
    let live = Subscriptions.live()
    #expect(live.map(\.state) == [.waitsForDemand])
    #expect(live.map(\.requested) == [.max(2)])
    #expect(live.map(\.received) == [2])
    #expect(live.first?.path.map(\.state) == Array(repeating: .waitsForDemand, count: 5))
    recorder.request(.unlimited)
    #expect(Subscriptions.live().first?.path.map(\.requested) == Array(repeating: .unlimited, count: 5))
    #expect(Subscriptions.live().first?.state == .waitsForValue)
    recorder.cancel()
    #expect(Subscriptions.live().isEmpty)
  }

  @Test("lists operators by name without locations")
  func pathWithoutPlaces() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .subscriptions
      let source = ManualPublisher<Int, Never>(subscribing: false)
      let recorder = source.map { (value: Int) in value + 1 }
        .checkpoint("here", file: "Some/File.swift", line: 7).eraseToAnyPublisher().record()
      #expect(
        TracingTests.live == [
          """
          ManualPublisher: requested 0, received 0, waits for its subscription
          map: requested 0, received 0, waits for its subscription
          checkpoint "here" at Some/File.swift:7: requested 0, received 0, waits for its subscription
          AnyPublisher: requested 0, received 0, waits for its subscription
          Recorder: requested 0, received 0, waits for its subscription
          """
        ])
      #expect(Subscriptions.live().first?.path.map(\.checkpoint) == [nil, nil, "here", nil, nil])
      withExtendedLifetime((source, recorder)) {}
    }
  }

  @Test("operators with several publishers list each, and remove completed ones")
  func branches() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .subscriptions
      let (outer, inner, other) = (
        PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()
      )
      let recorder = outer.flatMap { (value: Int) in inner.map { (more: Int) in value + more } }
        .merge(with: other).record(demanding: .unlimited)
      outer.send(1)
      inner.send(1)
      func names() -> [String] {
        Subscriptions.live().flatMap(\.path).map { String(repeating: "| ", count: $0.depth) + $0.name }
      }
      #expect(
        names() == [
          "| | PassthroughSubject", "| | PassthroughSubject", "| | map", "| flatMap", "| PassthroughSubject", "merge",
          "Recorder",
        ])
      inner.send(completion: .finished)
      other.send(completion: .finished)
      #expect(names() == ["PassthroughSubject", "flatMap", "merge", "Recorder"])
      outer.send(completion: .finished)
      #expect(names().isEmpty)
      #expect(recorder.events == [.subscription, .value(2), .finished])
    }
  }

  @Test("removes deallocated upstreams when their list has doubled")
  func sweeps() async {
    await #expect(processExitsWith: .success) {
      let subscriber = AnySubscriber<Int, Never>()
      let last = TraceNode(Empty<Int, Never>(), subscriber: subscriber, downstream: nil)
      func attach() -> TraceNode { TraceNode(Empty<Int, Never>(), subscriber: subscriber, downstream: last) }
      func listed() -> Int { last.state.withLock { $0.upstreams.elements.count } }
      func sweepCount() -> Int { last.state.withLock { $0.upstreams.sweepCount } }
      var sweepCounts: Set = [sweepCount()]
      var upstreams: [TraceNode] = []
      for _ in 1...1000 {
        upstreams.append(attach())
        sweepCounts.insert(sweepCount())
      }
      #expect(listed() == 1000)
      #expect(sweepCounts == [16, 32, 64, 128, 256, 512, 1024])
      for _ in 1...5000 { _ = attach() }
      #expect((1000...2048).contains(listed()))
      upstreams = []
      for _ in 1...5000 { _ = attach() }
      #expect(listed() <= 16)
    }
  }

  @Test("the upstream of a share is in the path of each subscriber")
  func throughShare() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .assembly
      let source = ManualPublisher<Int, Never>()
      let shared = source.map { (value: Int) in value + 1 }.share()
      let first = shared.record(demanding: .max(1))
      let second = shared.filter { (value: Int) in value > 0 }.record(demanding: .max(2))
      #expect(
        Subscriptions.live().map { $0.path.map(\.name) } == [
          ["ManualPublisher", "map", "share", "Recorder"], ["ManualPublisher", "map", "share", "filter", "Recorder"],
        ])
      first.cancel()
      #expect(
        Subscriptions.live().map { $0.path.map(\.name) } == [["ManualPublisher", "map", "share", "filter", "Recorder"]])
      second.cancel()
      #expect(Subscriptions.live().isEmpty)
    }
  }

  @Test("each publisher in front of autoconnect is a step")
  func connectables() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .assembly
      let source = ManualPublisher<Int, Never>()
      let connected = source.map { (value: Int) in value + 1 }.makeConnectable().autoconnect().record()
      let multicast = source.multicast { PassthroughSubject<Int, Never>() }.autoconnect().record()
      #expect(
        Subscriptions.live().map { $0.path.map(\.name) } == [
          ["ManualPublisher", "map", "PassthroughSubject", "multicast", "makeConnectable", "autoconnect", "Recorder"],
          ["ManualPublisher", "PassthroughSubject", "multicast", "autoconnect", "Recorder"],
        ])
      connected.cancel()
      multicast.cancel()
      #expect(Subscriptions.live().isEmpty)
    }
  }

  @Test("a subject without subscribers is listed as the end of its pipeline")
  func feedsSubject() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .subscriptions
      let subject = PassthroughSubject<Int, Never>()
      let source = ManualPublisher<Int, Never>()
      let feeding = source.subscribe(subject)
      #expect(Subscriptions.live().map { $0.path.map(\.name) } == [["ManualPublisher", "PassthroughSubject"]])
      let recorder = subject.record()
      #expect(
        Subscriptions.live().map { $0.path.map(\.name) } == [["ManualPublisher", "PassthroughSubject", "Recorder"]])
      feeding.cancel()
      #expect(Subscriptions.live().map { $0.path.map(\.name) } == [["PassthroughSubject", "Recorder"]])
      recorder.cancel()
      withExtendedLifetime(source) {}
    }
  }

  @Test("a later subscription, on a scheduler or after a completion, belongs to the operator")
  func laterSubscriptions() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .subscriptions
      let scheduler = VirtualTimeScheduler()
      let source = ManualPublisher<Int, TestError>()
      let other = PassthroughSubject<Int, TestError>()
      let recorder = source.retry(1).catch { (_: TestError) in other.subscribe(on: scheduler) }
        .receive(on: scheduler).record(demanding: .unlimited)
      func names() -> [[String]] { Subscriptions.live().map { $0.path.map(\.name) } }
      #expect(names() == [["ManualPublisher", "retry", "catch", "receiveOn", "Recorder"]])
      source.send(completion: .failure(.oops))
      #expect(names() == [["ManualPublisher", "retry", "catch", "receiveOn", "Recorder"]])
      source.send(completion: .failure(.oops), to: 1)
      #expect(names() == [["subscribeOn", "catch", "receiveOn", "Recorder"]])
      scheduler.runDue()
      #expect(names() == [["PassthroughSubject", "subscribeOn", "catch", "receiveOn", "Recorder"]])
      recorder.cancel()
    }
  }

  @Test("a pipeline that a closure starts is separate")
  func pipelineInClosure() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .subscriptions
      let (subject, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      var begun: [AnyCancellable] = []
      let outer = subject.map { (value: Int) in begun.append(other.sink { (_: Int) in }) }.sink { (_: Void) in }
      subject.send(1)
      #expect(
        Subscriptions.live().map { $0.path.map(\.name) } == [
          ["PassthroughSubject", "map", "Sink"], ["PassthroughSubject", "Sink"],
        ])
      withExtendedLifetime((outer, begun)) {}
    }
  }

  @Test("retains no object, and removes released ones")
  func keepsNothing() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .assembly
      let isGone = isReleased { (token: Token) in
        let source = ManualPublisher<Int, Never>()
        let recorder = source.map { (value: Int) in withExtendedLifetime(token) { value } }
          .removeDuplicates().eraseToAnyPublisher().record(demanding: .unlimited)
        source.send(1)
        #expect(Subscriptions.live().count == 1)
        source.releaseSubscribers()
        withExtendedLifetime(recorder) {}
      }
      #expect(isGone)
      #expect(Subscriptions.live().isEmpty)
    }
  }

  @Test("threads may subscribe, send, cancel and query concurrently")
  func threads() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .assembly
      Tracing.onReport = { (_: Tracing.Report) in }
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.map { (value: Int) in value + 1 }.share()
      func use() {
        let sink = shared.flatMap { (value: Int) in Just(value) }.sink { (_: Int) in }
        subject.send(1)
        sink.cancel()
      }
      race(rounds: 100, use, use, { _ = Subscriptions.live().map(\.description) })
      #expect(Subscriptions.live().isEmpty)
    }
  }

  @Test("locations don't affect equality")
  func equality() async {
    await #expect(processExitsWith: .success) {
      Weir.tracing = .assembly
      #expect(Just(1).eraseToAnyPublisher().assemblySite.number > 0)
      let subject = [1].publisher
      #expect(subject.setFailureType(to: TestError.self) == subject.setFailureType(to: TestError.self))
    }
  }
}
