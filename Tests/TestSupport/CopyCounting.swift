/// An iterator that owns a buffer with copy-on-write semantics, as an iterator over an array of its own does.
///
/// The elements are 0, 1, 2, and so on. Taking one writes to the buffer. Another reference to the buffer is a copy of the
/// iterator, so the buffer has to be copied first, and that is counted.
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

/// A sequence that makes such an iterator.
struct CopyCounting: Sequence {
  let end: Int
  let copies = LiveCount()

  func makeIterator() -> CopyCountingIterator {
    CopyCountingIterator(end: end, copies: copies)
  }
}
