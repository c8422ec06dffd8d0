/// A growing queue in a ring buffer, with amortized constant time at both ends.
@usableFromInline
package struct CircularBuffer<Element> {
  @usableFromInline
  var storage: ContiguousArray<Element?> = []

  @usableFromInline
  var head = 0

  @usableFromInline
  package var count = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// Accesses the element at a position, counted from the oldest.
  @inlinable
  package subscript(position: Int) -> Element {
    get {
      guard let element = storage[(head + position) & (storage.count - 1)] else {
        fatalError("A buffer of \(count) elements has no element at position \(position).")
      }
      return element
    }
    set { storage[(head + position) & (storage.count - 1)] = newValue }
  }

  /// The elements, the oldest first.
  @usableFromInline
  package var elements: [Element] {
    (0..<count).compactMap { storage[(head + $0) & (storage.count - 1)] }
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head].take()
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return element
  }

  /// Removes the element at a position.
  ///
  /// The time is proportional to the number of elements before or behind it, whichever is smaller.
  @usableFromInline
  mutating func remove(at position: Int) -> Element? {
    if position == 0 { return popFirst() }
    guard position < count else { return nil }
    let mask = storage.count - 1
    let removed = storage[(head + position) & mask].take()
    if position < count / 2 {
      for moved in stride(from: position, to: 0, by: -1) {
        storage[(head + moved) & mask] = storage[(head + moved - 1) & mask].take()
      }
      head = (head + 1) & mask
    } else {
      for moved in position..<count - 1 {
        storage[(head + moved) & mask] = storage[(head + moved + 1) & mask].take()
      }
    }
    count -= 1
    return removed
  }

  @inlinable
  package mutating func removeAll() {
    self = CircularBuffer()
  }

  /// Doubles the ring, whose size is always a power of two.
  @inlinable
  mutating func grow() {
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(max(8, storage.count * 2))
    while let element = popFirst() { larger.append(element) }
    count = larger.count
    head = 0
    while larger.count < max(8, storage.count * 2) { larger.append(nil) }
    storage = larger
  }
}
