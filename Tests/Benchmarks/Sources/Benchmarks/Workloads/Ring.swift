/// A queue of at most 64 numbers, as one writes it by hand.
struct Ring {
  static let capacity = 64

  private var storage = [Int](repeating: 0, count: capacity)
  private var head = 0
  private(set) var count = 0

  var isFull: Bool { count == Ring.capacity }

  mutating func append(_ value: Int) {
    precondition(!isFull)
    storage[(head + count) & (Ring.capacity - 1)] = value
    count += 1
  }

  mutating func popFirst() -> Int? {
    if count == 0 { return nil }
    let value = storage[head]
    head = (head + 1) & (Ring.capacity - 1)
    count -= 1
    return value
  }
}
