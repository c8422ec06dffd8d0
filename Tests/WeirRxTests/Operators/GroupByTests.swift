import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("groupBy")
struct GroupByTests {
  typealias Group = GroupedPublisher<Int, Int, TestError>

  let source = ManualPublisher<Int, TestError>()

  /// Collects groups, without subscribing to them.
  final class Groups {
    var groups: [Group] = []
    var subscription: (any Subscription)?
    var completion: Subscribers.Completion<TestError>?

    var keys: [Int] { groups.map(\.key) }

    init<P: Publisher>(of publisher: P, demanding demand: Subscribers.Demand)
    where P.Output == Group, P.Failure == TestError {
      publisher.subscribe(
        AnySubscriber<Group, TestError>(
          receiveSubscription: { [unowned self] in
            subscription = $0
            $0.request(demand)
          },
          receiveValue: { [unowned self] in
            groups.append($0)
            return .none
          },
          receiveCompletion: { [unowned self] in completion = $0 }))
    }
  }

  func groups(demanding demand: Subscribers.Demand = .unlimited) -> Groups {
    Groups(of: source.groupBy { (value: Int) -> Int in value / 10 }, demanding: demand)
  }

  @Test("values from another thread follow the subscription of a group's subscriber")
  func handsOver() throws {
    let subject = PassthroughSubject<Int, TestError>()
    let groups = Groups(of: subject.groupBy { (value: Int) -> Int in value / 10 }, demanding: .unlimited)
    subject.send(10)
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      log.append("enter")
      subscription.request(.unlimited)
      onAnotherThread { subject.send(11) }
      log.append("leave")
    }
    recorder.onValue = { (value: Int) in
      log.append("value \(value)")
      return .none
    }
    try #require(groups.groups.first).subscribe(recorder)
    #expect(log == ["enter", "leave", "value 10", "value 11"])
    recorder.cancel()
  }

  @Test("values that the closure sends follow the value that it was called with")
  func reenters() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.groupBy { (value: Int) -> Int in
      if value == 10 { subject.send(20) }
      return value / 10
    }.map(\.key).record(demanding: .unlimited)
    subject.send(10)
    #expect(recorder.values == [1, 2])
  }

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "GroupBy") { source, token in
      source.distinct().groupBy { (value: Int) -> Int in withExtendedLifetime(token) { value } }.map(\.key)
    }
  }

  @Test("releases the subscribers of groups at completion and at cancellation", arguments: Ending.allCases)
  func releases(_ ending: Ending) {
    let subject = PassthroughSubject<Int, TestError>()
    let kept = Box<(any Subscription)?>(nil)
    let isReleased = isReleased { token in
      let recorder = subject.groupBy { (value: Int) -> Int in value }.flatMap { (group: Group) in group }
        .map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.record(demanding: .unlimited)
      kept.value = recorder.subscription
      ending.happen(to: subject, recorder)
      #expect(recorder.values == [1])
    }
    #expect(isReleased)
    withExtendedLifetime((subject, kept)) {}
  }

  @Test("sends a group with its first value, and each value to its group")
  func values() {
    let groups = groups()
    #expect(source.events == [.requested(.unlimited)])
    source.send(11)
    source.send(21)
    #expect(groups.keys == [1, 2])
    let first = groups.groups[0].record(demanding: .unlimited)
    let second = groups.groups[1].record(demanding: .unlimited)
    source.send(12)
    source.send(22)
    source.send(13)
    source.send(completion: .finished)
    #expect(first.events == [.subscription, .value(11), .value(12), .value(13), .finished])
    #expect(second.events == [.subscription, .value(21), .value(22), .finished])
    #expect(groups.completion == .finished)
    #expect(String(describing: first.subscription ?? Subscriptions.empty) == "GroupBy")
  }

  @Test("a failure reaches all groups, after their buffered values")
  func failure() {
    let groups = groups()
    source.send(11)
    source.send(21)
    let slow = groups.groups[0].record()
    source.send(completion: .failure(.oops))
    #expect(groups.completion == .failure(.oops))
    #expect(slow.events == [.subscription])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(11), .failed(.oops)])
    #expect(groups.groups[1].record(demanding: .unlimited).events == [.subscription, .value(21), .failed(.oops)])
  }

  @Test("a group without demand buffers its values and doesn't delay others")
  func withoutDemand() {
    let groups = groups()
    source.send(10)
    source.send(20)
    let stalled = groups.groups[0].record()
    let eager = groups.groups[1].record(demanding: .unlimited)
    for value in 1...9 {
      source.send(10 + value)
      source.send(20 + value)
    }
    #expect(eager.values == Array(20...29))
    #expect(stalled.values == [])
    stalled.request(.max(2))
    #expect(stalled.values == [10, 11])
    stalled.request(.unlimited)
    #expect(stalled.values == Array(10...19))
  }

  @Test("a group's buffer is bounded by the strategy")
  func bounded() {
    let publisher = source.groupBy(
      { (value: Int) -> Int in value / 10 }, buffering: .buffer(size: 2, whenFull: .dropOldest))
    let groups = Groups(of: publisher, demanding: .unlimited)
    for value in 10..<15 { source.send(value) }
    #expect(groups.groups[0].record(demanding: .unlimited).values == [13, 14])
    let strict = source.groupBy(
      { (value: Int) -> Int in value / 10 }, buffering: .buffer(size: 1, whenFull: .customError { .other }))
    let failing = Groups(of: strict, demanding: .unlimited)
    for value in 10..<13 { source.send(value, to: 1) }
    #expect(failing.groups[0].record(demanding: .unlimited).events == [.subscription, .value(10), .failed(.other)])
    // The group has terminated, so a later value with its key starts a new group.
    #expect(failing.keys == [1, 1])
  }

  @Test("a subscriber that attaches when it receives a group receives its first value")
  func firstValue() {
    let unbuffered: [BackpressureStrategy<TestError>] = [
      .drop, .buffer(size: 0, whenFull: .dropOldest), .buffer(size: 0, whenFull: .customError { .other }),
    ]
    for strategy in unbuffered {
      let source = ManualPublisher<Int, TestError>()
      let recorder = source.groupBy({ (value: Int) -> Int in value / 10 }, buffering: strategy)
        .flatMap { (group: Group) in group.map { (value: Int) in [group.key, value] } }.record(demanding: .unlimited)
      for value in [10, 11, 20, 12, 21] { source.send(value) }
      #expect(recorder.values == [[1, 10], [1, 11], [2, 20], [1, 12], [2, 21]])
    }
  }

  @Test("a group that waits for demand drops its first value like later ones")
  func droppedFirstValue() {
    let publisher = source.groupBy({ (value: Int) -> Int in value / 10 }, buffering: .drop)
    let groups = Groups(of: publisher, demanding: .none)
    groups.subscription?.request(.max(1))
    source.send(10)
    source.send(20)
    groups.subscription?.request(.max(1))
    #expect(groups.keys == [1, 2])
    let recorders = groups.groups.map { $0.record(demanding: .unlimited) }
    source.send(11)
    source.send(21)
    #expect(recorders.map(\.values) == [[11], [21]])
  }

  @Test("groups are buffered until there is demand, with their values")
  func groupDemand() {
    let groups = groups(demanding: .max(1))
    for value in [11, 21, 22, 31] { source.send(value) }
    #expect(groups.keys == [1])
    groups.subscription?.request(.max(1))
    #expect(groups.keys == [1, 2])
    #expect(groups.groups[1].record(demanding: .unlimited).values == [21, 22])
    source.send(completion: .finished)
    #expect(groups.completion == nil)
    groups.subscription?.request(.max(1))
    #expect(groups.keys == [1, 2, 3])
    #expect(groups.completion == .finished)
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("cancellation stops new groups, and the last existing group cancels the source")
  func cancels() {
    let groups = groups()
    source.send(11)
    source.send(21)
    let recorders = groups.groups.map { $0.record(demanding: .unlimited) }
    groups.subscription?.cancel()
    source.send(12)
    source.send(31)
    #expect(groups.keys == [1, 2])
    #expect(recorders[0].values == [11, 12])
    recorders[0].cancel()
    #expect(!source.isCancelledOnce)
    recorders[1].cancel()
    #expect(source.isCancelledOnce)
    #expect(groups.completion == nil)
  }

  @Test("existing groups receive the completion after a cancellation")
  func endsAfterCancel() {
    let groups = groups()
    source.send(11)
    let recorder = groups.groups[0].record(demanding: .unlimited)
    groups.subscription?.cancel()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(11), .failed(.oops)])
    #expect(groups.completion == nil)
    #expect(!source.isCancelledOnce)
  }

  @Test("the key of a cancelled or released group starts a new group")
  func again() {
    let groups = groups()
    source.send(11)
    groups.groups[0].record(demanding: .unlimited).cancel()
    source.send(12)
    #expect(groups.keys == [1, 1])
    #expect(groups.groups[1].record(demanding: .unlimited).values == [12])
    let dropped = source.groupBy { (value: Int) -> Int in value }.map(\.key).record(demanding: .unlimited)
    source.send(1, to: 1)
    source.send(1, to: 1)
    #expect(dropped.values == [1, 1])
  }

  @Test("a second subscriber of a group stops the program")
  func secondSubscriber() async {
    await #expect(processExitsWith: .failure) {
      var kept: [AnyCancellable] = []
      Just(1).groupBy { (value: Int) -> Int in value }.sink { group in
        for _ in 0..<2 { group.sink { _ in }.store(in: &kept) }
      }.store(in: &kept)
    }
  }

  @Test("terminated groups are discarded")
  func forgets() {
    var alive = 0
    let recorder = (0..<1000).lazy.publisher.groupBy { (value: Int) -> LastWords in
      alive += 1
      return LastWords(value) { alive -= 1 }
    }.map { _ in alive }.record(demanding: .unlimited)
    #expect(recorder.values.count == 1000)
    #expect((recorder.values.max() ?? .max) < 10)
    #expect(alive == 0)
  }

  @Test("loses no value when groups are read and fed on different threads")
  func races() {
    let subject = PassthroughSubject<Int, Never>()
    let total = LiveCount()
    var kept: [AnyCancellable] = []
    var slow: [Recorder<Int, Never>] = []
    subject.groupBy { (value: Int) -> Int in value % 2 }.sink { (group: GroupedPublisher<Int, Int, Never>) in
      if group.key == 0 { slow.append(group.record()) } else { group.sink { _ in total.add(1) }.store(in: &kept) }
    }.store(in: &kept)
    subject.send(0)
    let patient = slow[0]
    race(
      { for value in 1..<4000 { subject.send(value) } },
      { for _ in 0..<2000 { patient.request(.max(1)) } })
    #expect(total.value == 2000)
    #expect(patient.values == (0..<2000).map { $0 * 2 })
  }
}

extension LastWords: Hashable {
  static func == (lhs: LastWords, rhs: LastWords) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
