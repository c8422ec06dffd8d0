import Testing

@testable import TestSupport
@testable import Weir

@Suite("JoinMachine")
struct CombiningMachineTests {
  typealias Zip = CombiningMachine<ZipStore2<Int, Int>, TestError>
  typealias Latest = CombiningMachine<LatestStore2<Int, Int>, TestError>

  func running<Store: CombiningStorage>(
    _ store: Store, demand: Subscribers.Demand = .none
  ) -> CombiningMachine<Store, TestError> {
    var machine = CombiningMachine<Store, TestError>(count: 2, store: store)
    _ = machine.afterSubscribed(0, "a")
    _ = machine.afterSubscribed(1, "b")
    if demand > .none { _ = machine.afterRequested(demand) }
    return machine
  }

  @Test("announces when all upstreams have subscribed, and then forwards demand to each")
  func subscribing() {
    var machine = Zip(count: 2, store: ZipStore2())
    #expect(machine.afterSubscribed(1, "b") == [])
    #expect(machine.after(.value(1, .b(1))) == [])
    #expect(machine.afterSubscribed(0, "a") == [.announce])
    #expect(machine.afterRequested(.max(2)) == [.request(0, .max(2)), .request(1, .max(2))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited), .request(1, .unlimited)])
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1)), .request(1, .max(1))])
  }

  @Test("counts a side's values after its subscription while others have none")
  func earlyValues() {
    var machine = Zip(count: 2, store: ZipStore2())
    _ = machine.afterSubscribed(0, "a")
    #expect(machine.after(.value(0, .a(1))) == [])
    #expect(machine.after(.value(0, .a(2))) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.value(0, .a(3))) == [])
    #expect(machine.afterSubscribed(1, "b") == [.announce])
    #expect(machine.afterRequested(.unlimited) == [.request(1, .unlimited)])
    #expect(machine.after(.value(1, .b(10))) == [.deliver("(1, 10)")])
    #expect(machine.after(.value(1, .b(20))) == [.deliver("(2, 20)"), .cancel("b"), .finish])
  }

  @Test("while subscribing, delays a completion until the announcement, and ignores one without a subscription")
  func completedWhileSubscribing() {
    var machine = Zip(count: 2, store: ZipStore2())
    #expect(machine.after(.completed(1, .failure(TestError.other))) == [])
    #expect(machine.afterSubscribed(0, "a") == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSubscribed(1, "b") == [.announce, .cancel("b"), .fail(.oops)])
  }

  @Test("while subscribing, a cancellation cancels present and later subscriptions")
  func cancelledWhileSubscribing() {
    var machine = Zip(count: 2, store: ZipStore2())
    _ = machine.afterSubscribed(0, "a")
    #expect(machine.afterCancelled() == [.cancel("a")])
    #expect(machine.afterSubscribed(1, "b") == [.cancel("b")])
  }

  @Test("zips values by position, for any demand")
  func zips() {
    var machine = running(ZipStore2<Int, Int>())
    #expect(machine.after(.value(0, .a(1))) == [])
    #expect(machine.after(.value(0, .a(2))) == [])
    #expect(machine.after(.value(1, .b(10))) == [])
    #expect(machine.afterRequested(.max(2)) == [.deliver("(1, 10)"), .request(0, .max(2)), .request(1, .max(2))])
    #expect(machine.after(.value(1, .b(20))) == [.deliver("(2, 20)")])
    #expect(machine.after(.value(0, .a(3))) == [])
    #expect(machine.after(.value(1, .b(30))) == [])
  }

  @Test("a zip finishes when a side has finished and all its values are paired")
  func zipFinishes() {
    var machine = running(ZipStore2<Int, Int>(), demand: .unlimited)
    _ = machine.after(.value(0, .a(1)))
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.value(1, .b(10))) == [.deliver("(1, 10)"), .cancel("b"), .finish])
  }

  @Test("a zip with a pair without demand delivers it before it finishes")
  func zipFinishesLate() {
    var machine = running(ZipStore2<Int, Int>())
    _ = machine.after(.value(0, .a(1)))
    _ = machine.after(.value(1, .b(10)))
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.completed(1, .finished)) == [])
    #expect(machine.afterRequested(.max(1)) == [.deliver("(1, 10)"), .finish])
  }

  @Test("combines the latest values; the next combination replaces one without demand")
  func latest() {
    var machine = running(LatestStore2<Int, Int>(), demand: .max(1))
    #expect(machine.after(.value(0, .a(1))) == [])
    #expect(machine.after(.value(1, .b(10))) == [.deliver("(1, 10)")])
    #expect(machine.after(.value(0, .a(2))) == [])
    #expect(machine.after(.value(0, .a(3))) == [])
    #expect(machine.afterRequested(.max(2)).first == .deliver("(3, 10)"))
    #expect(machine.after(.value(1, .b(20))) == [.deliver("(3, 20)")])
  }

  @Test("combining the latest continues until both have finished and the last combination is delivered")
  func latestFinishes() {
    var machine = running(LatestStore2<Int, Int>(), demand: .max(1))
    _ = machine.after(.value(0, .a(1)))
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.value(1, .b(10))) == [.deliver("(1, 10)")])
    #expect(machine.after(.value(1, .b(20))) == [])
    #expect(machine.after(.completed(1, .finished)) == [])
    #expect(machine.afterRequested(.max(1)) == [.deliver("(1, 20)"), .finish])
  }

  @Test("the first failure overtakes buffered values and cancels the other side")
  func fails() {
    var machine = running(ZipStore2<Int, Int>())
    _ = machine.after(.value(0, .a(1)))
    _ = machine.after(.value(1, .b(10)))
    #expect(machine.after(.completed(1, .failure(TestError.oops))) == [.cancel("a"), .fail(.oops)])
  }

  @Test("ignores events and requests of a finished side, and cancels a second subscription")
  func misbehaving() {
    var machine = running(LatestStore2<Int, Int>())
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
    _ = machine.after(.value(0, .a(1)))
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.value(0, .a(2))) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterRequested(.max(1)) == [.request(1, .max(1))])
    #expect(machine.after(.value(1, .b(10))) == [.deliver("(1, 10)")])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running(ZipStore2<Int, Int>(), demand: .unlimited)
    _ = machine.after(.value(0, .a(1)))
    #expect(machine.afterCancelled() == [.cancel("a"), .cancel("b")])
    #expect(machine.afterCancelled() == [])
    #expect(machine.after(.value(1, .b(10))) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }

  @Test("joins three and four sides")
  func wider() {
    var zip = CombiningMachine<ZipStore3<Int, Int, Int>, TestError>(count: 3, store: ZipStore3())
    for side in 0..<3 { _ = zip.afterSubscribed(side, "\(side)") }
    _ = zip.afterRequested(.unlimited)
    #expect(zip.after(.value(2, .c(3))) + zip.after(.value(0, .a(1))) == [])
    #expect(zip.after(.value(1, .b(2))) == [.deliver("(1, 2, 3)")])
    #expect(zip.after(.completed(1, .finished)) == [.cancel("0"), .cancel("2"), .finish])
    var latest = CombiningMachine<LatestStore4<Int, Int, Int, Int>, TestError>(count: 4, store: LatestStore4())
    for side in 0..<4 { _ = latest.afterSubscribed(side, "\(side)") }
    _ = latest.afterRequested(.unlimited)
    #expect(
      latest.after(.value(3, .d(4))) + latest.after(.value(2, .c(3))) + latest.after(.value(1, .b(2))) == [])
    #expect(latest.after(.value(0, .a(1))) == [.deliver("(1, 2, 3, 4)")])
    #expect(latest.after(.value(2, .c(30))) == [.deliver("(1, 2, 30, 4)")])
    for side in 0..<3 { #expect(latest.after(.completed(side, .finished)) == []) }
    #expect(latest.after(.completed(3, .finished)) == [.finish])
  }
}
