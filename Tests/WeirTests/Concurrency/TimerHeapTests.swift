import Testing

@testable import TestSupport
@testable import Weir

@Suite("TimerHeap")
struct TimerHeapTests {
  /// Counts the comparisons of dates.
  final class Comparisons {
    var count = 0
  }

  struct Date: Comparable {
    let offset: Int
    let comparisons: Comparisons

    static func < (lhs: Date, rhs: Date) -> Bool {
      lhs.comparisons.count += 1
      return lhs.offset < rhs.offset
    }

    static func == (lhs: Date, rhs: Date) -> Bool {
      lhs.comparisons.count += 1
      return lhs.offset == rhs.offset
    }
  }

  enum Order: CaseIterable {
    case ascending, descending, shuffled, equal

    func dates(_ count: Int) -> [Int] {
      switch self {
      case .ascending: Array(0..<count)
      case .descending: (0..<count).reversed()
      case .shuffled: (0..<count).map { $0 * 7919 % count }
      case .equal: Array(repeating: 0, count: count)
      }
    }
  }

  typealias Heap = TimerHeap<Date>

  let comparisons = Comparisons()

  func date(_ offset: Int) -> Date { Date(offset: offset, comparisons: comparisons) }

  /// The address of the timers' storage.
  ///
  /// It changes when all timers are copied.
  func storage(of heap: Heap) -> UnsafeRawPointer? {
    let timers = Mirror(reflecting: heap).children.first { $0.label == "timers" }?.value as? [Heap.Timer]
    return timers?.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }

  func add(_ offset: Int, to heap: inout Heap, _ log: Box<[Int]>, as name: Int) -> Heap.Timer {
    heap.add(date(offset)) { log.value.append(name) }
  }

  @Test("takes timers by date, and those of equal dates in the order of their addition", arguments: Order.allCases)
  func order(_ order: Order) {
    var heap = Heap()
    let log = Box<[Int]>([])
    let dates = order.dates(1000)
    for (name, offset) in dates.enumerated() { _ = add(offset, to: &heap, log, as: name) }
    for offset in stride(from: 9, to: 1000, by: 10) {
      for timer in heap.takeAll(through: date(offset)) { timer.action?() }
    }
    #expect(log.value == dates.indices.sorted { (dates[$0], $0) < (dates[$1], $1) })
    #expect(heap.count == 0)
  }

  @Test("keeps timers of later dates, and knows the first one")
  func later() {
    var heap = Heap()
    let log = Box<[Int]>([])
    let timers = [5, 6, 5].enumerated().map { add($1, to: &heap, log, as: $0) }
    #expect(heap.nextDate == date(5))
    for timer in heap.takeAll(through: date(5)) { timer.action?() }
    #expect(log.value == [0, 2])
    #expect(timers.map(\.isPending) == [false, true, false])
    #expect(heap.nextDate == date(6))
  }

  @Test("removes any timer once, and keeps the order of the others", arguments: Order.allCases)
  func remove(_ order: Order) {
    var heap = Heap()
    let log = Box<[Int]>([])
    let dates = order.dates(1000)
    let timers = dates.enumerated().map { add($1, to: &heap, log, as: $0) }
    for name in dates.indices where name % 3 != 0 {
      heap.remove(timers[name])
      heap.remove(timers[name])
    }
    #expect(heap.count == 334)
    for timer in heap.takeAll(through: date(1000)) { timer.action?() }
    for timer in timers { heap.remove(timer) }
    #expect(log.value == dates.indices.filter { $0 % 3 == 0 }.sorted { (dates[$0], $0) < (dates[$1], $1) })
  }

  @Test("agrees with a sorted array for any sequence of additions, removals and takes", arguments: 1...20)
  func model(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var heap = Heap()
    var model: [Heap.Timer] = []
    for _ in 0..<2000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...4:
        let new = heap.add(date(.random(in: 0..<50, using: &generator))) {}
        let assemblySite = model.firstIndex { $0.date.offset > new.date.offset } ?? model.endIndex
        model.insert(new, at: assemblySite)
      case 5...7:
        guard let timer = model.randomElement(using: &generator) else { continue }
        heap.remove(timer)
        model.removeAll { $0 === timer }
      default:
        let limit = Int.random(in: 0..<30, using: &generator)
        let due = model.prefix { $0.date.offset <= limit }
        let taken = heap.takeAll(through: date(limit))
        #expect(taken.map(\.number) == due.map(\.number))
        model.removeFirst(due.count)
      }
      #expect(heap.count == model.count)
    }
    let rest = heap.takeAll(through: date(50))
    #expect(rest.map(\.number) == model.map(\.number))
  }

  @Test("compares O(log n) dates for each timer that is added, taken or removed", arguments: Order.allCases)
  func comparisonsPerTimer(_ order: Order) {
    let count = 4096
    let limit = 4 * 12  // Two children on each of 12 levels, and two comparisons for each.
    var heap = Heap()
    var largest = 0
    func step(_ change: () -> Void) {
      let before = comparisons.count
      change()
      largest = max(largest, comparisons.count - before)
    }
    var timers: [Heap.Timer] = []
    for offset in order.dates(count) { step { timers.append(heap.add(date(offset)) {}) } }
    for timer in timers where timer.number % 2 == 0 { step { heap.remove(timer) } }
    for timer in timers where timer.number % 2 == 1 {
      step { _ = heap.takeAll(through: timer.date) }
    }
    #expect(heap.count == 0)
    // Taking several timers together is several operations, so only the sum is bounded then.
    #expect(order != .ascending || largest <= limit, "\(largest)")
    #expect(comparisons.count <= 2 * count * limit, "\(comparisons.count)")
  }

  @Test("copies no pending timers when one is taken or removed")
  func copies() {
    let count = 1000
    var heap = Heap()
    let timers = (0..<count).map { heap.add(date($0)) {} }
    let start = storage(of: heap)
    #expect(start != nil)
    var moves = 0
    for timer in timers {
      if timer.number % 2 == 0 {
        heap.remove(timer)
      } else {
        _ = heap.takeAll(through: timer.date)
      }
      if storage(of: heap) != start { moves += 1 }
    }
    #expect(moves == 0)
  }
}
