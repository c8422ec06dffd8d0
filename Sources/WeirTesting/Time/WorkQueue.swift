/// Pending work by date.
///
/// It is a heap, so that a hundred thousand actions don't take quadratic time.
///
/// Removed work leaves its heap entry behind. The entry is dropped at its time, or when such entries are the majority.
struct WorkQueue {
  /// An action and its repetition.
  struct Work {
    let action: () -> Void
    /// `nil` for work that runs once.
    let interval: VirtualTime.Stride?
  }

  /// Where work stands among the work that is due at the same time.
  enum Turn {
    case first
    /// Behind what was scheduled before.
    case inOrder
    case last
  }

  struct Place {
    let due: VirtualTime
    /// The order of equal times.
    let order: Int
    let id: Int

    func isEarlier(than other: Place) -> Bool {
      (due, order) < (other.due, other.order)
    }
  }

  private var heap: [Place] = []
  private var works: [Int: Work] = [:]
  private var lastNumber = 0

  /// The number of pending actions.
  var count: Int { works.count }

  /// The time of the next action.
  var nextDue: VirtualTime? {
    mutating get {
      dropRemoved()
      return heap.first?.due
    }
  }

  mutating func insert(_ work: Work, at due: VirtualTime, _ turn: Turn = .inOrder) -> Int {
    lastNumber += 1
    let order =
      switch turn {
      case .first: Int.min + lastNumber
      case .inOrder: lastNumber
      case .last: Int.max / 2 + lastNumber
      }
    works[lastNumber] = work
    push(Place(due: due, order: order, id: lastNumber))
    return lastNumber
  }

  /// Removes work that hasn't run; the caller releases it.
  mutating func remove(_ id: Int) -> Work? {
    let removed = works.removeValue(forKey: id)
    if heap.count > 64, heap.count > 2 * works.count {
      // A sorted array is a heap.
      heap = heap.filter { works[$0.id] != nil }.sorted { $0.isEarlier(than: $1) }
    }
    return removed
  }

  /// Removes the next work that is due by this time; repeating work keeps its action, until ``repeatWork(at:after:)``.
  mutating func takeNext(until end: VirtualTime) -> (place: Place, work: Work)? {
    dropRemoved()
    guard let place = heap.first, place.due <= end, let work = works[place.id] else { return nil }
    pop()
    if work.interval == nil { works[place.id] = nil }
    return (place, work)
  }

  /// Enters repeating work again, unless it was removed.
  ///
  /// It was scheduled once, so it keeps its place among equal times. But without an interval it follows other work that
  /// is due, which may remove it.
  mutating func repeatWork(at place: Place, after interval: VirtualTime.Stride) {
    if works[place.id] == nil { return }
    lastNumber += 1
    let order = interval == 0 ? lastNumber : place.order
    push(Place(due: place.due.advanced(by: interval), order: order, id: place.id))
  }

  private mutating func dropRemoved() {
    while let first = heap.first, works[first.id] == nil { pop() }
  }

  private mutating func push(_ place: Place) {
    heap.append(place)
    var child = heap.count - 1
    while child > 0, heap[child].isEarlier(than: heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var earliest = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
        if heap[child].isEarlier(than: heap[earliest]) { earliest = child }
      }
      if earliest == parent { return }
      heap.swapAt(parent, earliest)
      parent = earliest
    }
  }
}
