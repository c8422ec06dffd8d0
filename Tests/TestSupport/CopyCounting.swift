/// An iterator with a copy-on-write buffer, like an iterator over its own array.
///
/// The elements are 0, 1, 2, and so on. `next()` writes to the buffer. If the iterator has been copied, the buffer has
/// another reference and must be copied first. These copies are counted.
struct CopyCountingIterator: IteratorProtocol {
  private final class Buffer {
    var next: Int

    init(next: Int) { self.next = next }
  }

  private var buffer = Buffer(next: 0)
  private let end: Int
  private let copies: LiveCount

  init(end: Int, copies: LiveCount) {
    self.end = end
    self.copies = copies
  }

  mutating func next() -> Int? {
    if !isKnownUniquelyReferenced(&buffer) {
      copies.add(1)
      buffer = Buffer(next: buffer.next)
    }
    if buffer.next == end { return nil }
    defer { buffer.next += 1 }
    return buffer.next
  }
}

/// A sequence of such an iterator.
struct CopyCounting: Sequence {
  let end: Int
  let copies = LiveCount()

  func makeIterator() -> CopyCountingIterator {
    CopyCountingIterator(end: end, copies: copies)
  }
}
