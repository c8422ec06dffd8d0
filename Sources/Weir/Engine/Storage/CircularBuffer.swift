/// A growing queue in a ring buffer, with amortized constant time at both ends.
///
/// Performance: the ring is allocated for the second element. Most queues never have more than one, and an allocation
/// takes 500 instructions.
@usableFromInline
package struct CircularBuffer<Element> {
  /// The only element, while there is no ring.
  @usableFromInline
  var only: Element?

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
      guard let element = storage.isEmpty ? only : storage[(head + position) & (storage.count - 1)] else {
        fatalError("A buffer of \(count) elements has no element at position \(position).")
      }
      return element
    }
    set { if storage.isEmpty { only = newValue } else { storage[(head + position) & (storage.count - 1)] = newValue } }
  }

  /// The elements, the oldest first.
  @usableFromInline
  package var elements: [Element] {
    (0..<count).map { self[$0] }
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == 0, storage.isEmpty {
      only = element
      count = 1
      return
    }
    if count >= storage.count { grow() }
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    if storage.isEmpty {
      count = 0
      return only.take()
    }
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
