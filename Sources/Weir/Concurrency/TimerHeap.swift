/// The pending timers of a scheduler: a binary heap with the earliest date at the top.
///
/// Timers with equal dates keep the order in which they were added. Adding, taking or removing a timer takes O(log n)
/// comparisons and moves, and copies no other timer. (`TimerHeapTests`)
///
/// Invariant: `timers[i].index == i`, and no timer precedes its parent.
struct TimerHeap<Date: Comparable> {
  /// A pending action.
  ///
  /// Invariant: the lock around the heap also guards the properties of its timers.
  final class Timer {
    let date: Date

    /// The number of timers that were added before and including this one.
    let number: Int

    var action: (() -> Void)?

    /// The position in the heap; `nil` after the timer was removed.
    fileprivate(set) var index: Int?

    var isPending: Bool { index != nil }

    fileprivate init(_ date: Date, _ number: Int, _ action: @escaping () -> Void) {
      self.date = date
      self.number = number
      self.action = action
    }

    fileprivate func precedes(_ date: Date, _ number: Int) -> Bool {
      self.date == date ? self.number < number : self.date < date
    }
  }

  private var timers: [Timer] = []
  private var lastNumber = 0

  var count: Int { timers.count }

  /// The date of the first timer.
  var nextDate: Date? { timers.first?.date }

  /// Adds a timer behind those with the same date.
  mutating func add(_ date: Date, _ action: @escaping () -> Void) -> Timer {
    lastNumber += 1
    let timer = Timer(date, lastNumber, action)
    timers.append(timer)
    moveUp(from: timers.count - 1)
    return timer
  }

  /// Removes all timers up to and including a date.
  ///
  /// The caller releases them outside the lock.
  mutating func takeAll(through date: Date) -> [Timer] {
    var due: [Timer] = []
    while let first = timers.first, first.date <= date { due.append(remove(at: 0)) }
    return due
  }

  /// Removes a timer, unless it was taken or removed before.
  mutating func remove(_ timer: Timer) {
    if let index = timer.index { _ = remove(at: index) }
  }

  private mutating func remove(at index: Int) -> Timer {
    timers.swapAt(index, timers.count - 1)
    let removed = timers.removeLast()
    removed.index = nil
    if index < timers.count {
      moveDown(from: index)
      moveUp(from: index)
    }
    return removed
  }

  private mutating func moveUp(from start: Int) {
    var index = start
    while index > 0, precedes(index, (index - 1) / 2) {
      let parent = (index - 1) / 2
      timers.swapAt(index, parent)
      timers[index].index = index
      index = parent
    }
    timers[index].index = index
  }

  private mutating func moveDown(from start: Int) {
    var index = start
    while true {
      var earliest = index
      for child in 2 * index + 1...2 * index + 2 where child < timers.count && precedes(child, earliest) {
        earliest = child
      }
      if earliest == index { break }
      timers.swapAt(index, earliest)
      timers[index].index = index
      index = earliest
    }
    timers[index].index = index
  }

  private func precedes(_ index: Int, _ other: Int) -> Bool {
    timers[index].precedes(timers[other].date, timers[other].number)
  }
}
