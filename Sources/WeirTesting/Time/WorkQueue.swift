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
  private var lastID = 0
  private var lastOrder = 0

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
    lastID += 1
    works[lastID] = work
    push(id: lastID, at: due, turn)
    return lastID
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
  mutating func repeatWork(at place: Place, after interval: VirtualTime.Stride) {
    if works[place.id] != nil { push(id: place.id, at: place.due.advanced(by: interval)) }
  }

  private mutating func dropRemoved() {
    while let first = heap.first, works[first.id] == nil { pop() }
  }

  private mutating func push(id: Int, at due: VirtualTime, _ turn: Turn = .inOrder) {
    lastOrder += 1
    let order =
      switch turn {
      case .first: Int.min + lastOrder
      case .inOrder: lastOrder
      case .last: Int.max / 2 + lastOrder
      }
    heap.append(Place(due: due, order: order, id: id))
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
