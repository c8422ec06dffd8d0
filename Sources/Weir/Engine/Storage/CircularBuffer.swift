/// A growing queue in a ring buffer, with amortized constant time at both ends.
///
/// A large ring is released with the last element, so a pipeline doesn't keep the memory of its largest burst.
///
/// Performance: the ring is allocated for the second element. Most queues never have more than one, and an allocation
/// takes 500 instructions.
@usableFromInline
package struct CircularBuffer<Element> {
  @usableFromInline
  var storage: ContiguousArray<Element?> = []

  /// The size of the ring, a power of two, or 0 without a ring.
  ///
  /// Performance: stored, because in a debug build the array's own count looks up metadata.
  @usableFromInline
  var capacity = 0

  @usableFromInline
  var head = 0

  @usableFromInline
  package var count = 0

  /// The only element, while there is no ring.
  ///
  /// Performance: it is last. Unspecialized code would look up the type of the buffer to access what follows it.
  @usableFromInline
  var only: Element?

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// Accesses the element at a position, counted from the oldest.
  @inlinable
  package subscript(position: Int) -> Element {
    get {
      guard let element = capacity == 0 ? only : storage[(head + position) & (capacity - 1)] else {
        fatalError("A buffer of \(count) elements has no element at position \(position).")
      }
      return element
    }
    set { if capacity == 0 { only = newValue } else { storage[(head + position) & (capacity - 1)] = newValue } }
  }

  /// The elements, the oldest first.
  @usableFromInline
  package var elements: [Element] {
    (0..<count).map { self[$0] }
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == 0, capacity == 0 {
      only = element
      count = 1
      return
    }
    if count >= capacity { grow() }
    storage[(head + count) & (capacity - 1)] = element
    count += 1
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    if capacity == 0 {
      count = 0
      return only.take()
    }
    let element = storage[head].take()
    head = (head + 1) & (capacity - 1)
    count -= 1
    if count == 0, capacity > 4_096 { removeAll() }
    return element
  }

  @usableFromInline
  mutating func popLast() -> Element? {
    if count < 2 { return popFirst() }
    count -= 1
    return storage[(head + count) & (capacity - 1)].take()
  }

  /// Adds an element in front of the oldest one.
  @usableFromInline
  mutating func prepend(_ element: Element) {
    if count == 0 { return append(element) }
    if count >= capacity { grow() }
    head = (head - 1) & (capacity - 1)
    storage[head] = element
    count += 1
  }

  @inlinable
  package mutating func removeAll() {
    self = CircularBuffer()
  }

  /// Doubles the ring.
  @inlinable
  mutating func grow() {
    let doubled = max(8, capacity * 2)
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(doubled)
    while let element = popFirst() { larger.append(element) }
    count = larger.count
    head = 0
    while larger.count < doubled { larger.append(nil) }
    storage = larger
    capacity = doubled
  }
}
