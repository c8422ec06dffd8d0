/// A queue in a ring that grows: amortised constant time at both ends.
@usableFromInline
package struct Fifo<Element> {
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

  /// The element in this place, the oldest in the first.
  @inlinable
  package subscript(position: Int) -> Element {
    get {
      guard let element = storage[(head + position) & (storage.count - 1)] else {
        fatalError("A queue of \(count) elements has none at \(position).")
      }
      return element
    }
    set { storage[(head + position) & (storage.count - 1)] = newValue }
  }

  /// The elements, the first one first.
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

  /// Removes the element in this place; the time grows with the number of elements before it or after it, whichever is less.
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
    self = Fifo()
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
