/// Work that waits for its time: a heap, so that a hundred thousand pieces of work don't take quadratic time.
///
/// Work that is removed leaves its place in the heap behind, which is dropped when its time comes or when such places
/// are the greater part.
struct WorkQueue {
  /// What runs, and what becomes of it afterwards.
  struct Work {
    let action: () -> Void
    /// `nil` for work that runs once.
    let interval: VirtualTime.Stride?
  }

  struct Place {
    let due: VirtualTime
    /// Decides between equal times.
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

  /// How many pieces of work wait.
  var count: Int { works.count }

  /// When the next work is due.
  var nextDue: VirtualTime? {
    mutating get {
      dropRemoved()
      return heap.first?.due
    }
  }

  mutating func insert(_ work: Work, at due: VirtualTime) -> Int {
    lastID += 1
    works[lastID] = work
    push(id: lastID, at: due)
    return lastID
  }

  /// Takes out work that hasn't run, for the caller to let go of.
  mutating func remove(_ id: Int) -> Work? {
    let removed = works.removeValue(forKey: id)
    if heap.count > 64, heap.count > 2 * works.count {
      // What is sorted is a heap.
      heap = heap.filter { works[$0.id] != nil }.sorted { $0.isEarlier(than: $1) }
    }
    return removed
  }

  /// The next work that is due by this time; work that repeats stays, without a place until ``repeatWork(at:after:)``.
  mutating func takeNext(until end: VirtualTime) -> (place: Place, work: Work)? {
    dropRemoved()
    guard let place = heap.first, place.due <= end, let work = works[place.id] else { return nil }
    pop()
    if work.interval == nil { works[place.id] = nil }
    return (place, work)
  }

  /// Gives work that repeats its next place, unless it was removed.
  mutating func repeatWork(at place: Place, after interval: VirtualTime.Stride) {
    if works[place.id] != nil { push(id: place.id, at: place.due.advanced(by: interval)) }
  }

  private mutating func dropRemoved() {
    while let first = heap.first, works[first.id] == nil { pop() }
  }

  private mutating func push(id: Int, at due: VirtualTime) {
    lastOrder += 1
    heap.append(Place(due: due, order: lastOrder, id: id))
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
