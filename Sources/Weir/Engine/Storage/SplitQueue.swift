/// A queue that elements are also removed from inside.
///
/// It consists of two queues. To remove an element moves the border between them in front of it. So it takes constant
/// time to remove one element after another at places that are near each other, as for values that are dropped.
@usableFromInline
struct SplitQueue<Element> {
  // Performance: the two numbers are stored. In a debug build, a getter copies the queue.

  @usableFromInline
  var count = 0

  /// The number of elements in front of the border.
  @usableFromInline
  var frontCount = 0

  /// The queue in front of the border, if an element has been removed from inside.
  ///
  /// Performance: in an array of one, because most queues have none. Unspecialized code would look its type up to access
  /// what follows it.
  private var front: ContiguousArray<CircularBuffer<Element>>?

  @usableFromInline
  var back = CircularBuffer<Element>()

  @inlinable
  init() {}

  /// Accesses the element at a position, counted from the oldest.
  @usableFromInline
  subscript(position: Int) -> Element {
    get {
      if position < frontCount, let front { return front[0][position] }
      return back[position - frontCount]
    }
    set { if position < frontCount { front?[0][position] = newValue } else { back[position - frontCount] = newValue } }
  }

  /// The elements, the oldest first.
  @usableFromInline
  var elements: [Element] { (front?[0].elements ?? []) + back.elements }

  @inlinable
  mutating func append(_ element: Element) {
    count += 1
    back.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if count == 0 { return nil }
    count -= 1
    return frontCount > 0 ? popFront() : back.popFirst()
  }

  @usableFromInline
  @inline(never)
  mutating func popFront() -> Element? {
    frontCount -= 1
    return front?[0].popFirst()
  }

  /// Removes the elements that match, and returns them.
  mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for _ in 0..<count {
      guard let next = popFirst() else { break }
      if isRemoved(next) { removed.append(next) } else { append(next) }
    }
    return removed
  }

  /// Removes the element at a position.
  @usableFromInline
  mutating func remove(at position: Int) -> Element? {
    if position == 0 { return popFirst() }
    guard position < count else { return nil }
    count -= 1
    if frontCount != position { moveBorder(to: position) }
    return back.popFirst()
  }

  private mutating func moveBorder(to position: Int) {
    var front = self.front ?? [CircularBuffer()]
    self.front = nil
    while front[0].count < position, let next = back.popFirst() { front[0].append(next) }
    while front[0].count > position, let last = front[0].popLast() { back.prepend(last) }
    frontCount = front[0].count
    self.front = front
  }
}
