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
    guard let element = storage[(head + position) & (storage.count - 1)] else {
      fatalError("A queue of \(count) elements has none at \(position).")
    }
    return element
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

  /// Removes the first elements, `count` at most.
  @usableFromInline
  mutating func takeFirst(_ count: Int) -> Fifo {
    var taken = Fifo()
    if count >= self.count {
      swap(&taken, &self)
    } else {
      while taken.count < count, let element = popFirst() { taken.append(element) }
    }
    return taken
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
