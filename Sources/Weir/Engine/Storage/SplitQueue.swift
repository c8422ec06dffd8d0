/// A queue that elements are also removed from inside.
///
/// It consists of two queues. To remove an element moves the border between them in front of it. So it takes constant
/// time to remove one element after another at places that are near each other, as for values that are dropped.
@usableFromInline
struct SplitQueue<Element> {
  @usableFromInline
  var front = CircularBuffer<Element>()

  @usableFromInline
  var back = CircularBuffer<Element>()

  @inlinable
  init() {}

  @inlinable
  var count: Int { front.count + back.count }

  @inlinable
  var isEmpty: Bool { back.count == 0 && front.count == 0 }

  /// Accesses the element at a position, counted from the oldest.
  @usableFromInline
  subscript(position: Int) -> Element {
    get { position < front.count ? front[position] : back[position - front.count] }
    set { if position < front.count { front[position] = newValue } else { back[position - front.count] = newValue } }
  }

  /// The elements, the oldest first.
  @usableFromInline
  var elements: [Element] { front.elements + back.elements }

  @inlinable
  mutating func append(_ element: Element) {
    back.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    front.count > 0 ? front.popFirst() : back.popFirst()
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
    while front.count < position, let next = back.popFirst() { front.append(next) }
    while front.count > position, let last = front.popLast() { back.prepend(last) }
    return back.popFirst()
  }
}
