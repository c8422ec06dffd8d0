import Testing

@testable import TestSupport
@testable import Weir

@Suite("CircularBuffer")
struct CircularBufferTests {
  @Test("returns elements in the order of their addition, across growth and around the ring")
  func order() {
    var fifo = CircularBuffer<Int>()
    var expected: [Int] = []
    var taken: [Int] = []
    var next = 0
    for round in 1..<40 {
      for _ in 0..<round {
        fifo.append(next)
        expected.append(next)
        next += 1
      }
      for _ in 0..<round / 2 { if let element = fifo.popFirst() { taken.append(element) } }
      #expect(fifo.count == expected.count - taken.count)
    }
    while let element = fifo.popFirst() { taken.append(element) }
    #expect(taken == expected)
    #expect(fifo.isEmpty)
  }

  @Test("is empty initially, after the last element, and after removing all")
  func empties() {
    var fifo = CircularBuffer<Int>()
    #expect(fifo.isEmpty && fifo.popFirst() == nil)
    fifo.append(1)
    #expect(!fifo.isEmpty && fifo.count == 1)
    #expect(fifo.popFirst() == 1)
    #expect(fifo.popFirst() == nil)
    for element in 0..<20 { fifo.append(element) }
    fifo.removeAll()
    #expect(fifo.isEmpty && fifo.popFirst() == nil)
    fifo.append(2)
    #expect(fifo.popFirst() == 2)
  }

  @Test("stores optionals that are nil")
  func optionals() {
    var fifo = CircularBuffer<Int?>()
    fifo.append(nil)
    fifo.append(1)
    #expect(fifo.popFirst() == .some(nil))
    #expect(fifo.popFirst() == .some(1))
    #expect(fifo.popFirst() == .none)
  }

  @Test("releases an element when it is taken or removed")
  func releases() {
    var fifo = CircularBuffer<Token>()
    #expect(
      isReleased { token in
        fifo.append(token)
        fifo.append(Token())
        _ = fifo.popFirst()
      })
    #expect(
      isReleased { token in
        fifo.append(token)
        fifo.removeAll()
      })
  }

  @Test("is a stack at both ends, for every start of the ring")
  func ends() {
    for start in 0..<9 {
      var buffer = CircularBuffer<Int>()
      #expect(buffer.popLast() == nil)
      for value in 0..<start {
        buffer.append(value)
        _ = buffer.popFirst()
      }
      for value in 1...6 { buffer.prepend(-value) }
      for value in 0...6 { buffer.append(value) }
      #expect(buffer.elements == Array(-6...6))
      #expect(buffer.popLast() == 6)
      #expect(buffer.popFirst() == -6)
      for value in stride(from: 5, through: -5, by: -1) { #expect(buffer.popLast() == value) }
      #expect(buffer.isEmpty && buffer.popLast() == nil)
    }
  }

  @Test("releases a large ring with the last element")
  func shrinks() {
    var buffer = CircularBuffer<Int>()
    for _ in 0..<2 {
      for value in 0..<5_000 { buffer.append(value) }
      #expect(buffer.storage.count == 8_192)
      for value in 0..<5_000 { #expect(buffer.popFirst() == value) }
      #expect(buffer.storage.isEmpty)
    }
  }
}

@Suite("SplitQueue")
struct SplitQueueTests {
  @Test("removes elements at any place, and keeps the order of the others")
  func removes() {
    for place in 0..<12 {
      var queue = SplitQueue<Int>()
      var expected: [Int] = []
      #expect(queue.remove(at: 0) == nil)
      for value in 0..<60 {
        queue.append(value)
        expected.append(value)
        if value % 7 == 0 { #expect(queue.popFirst() == expected.removeFirst()) }
        // The place jumps to the front now and then.
        let position = value % 5 == 0 ? 0 : place
        if position < expected.count, value % 2 == 0 {
          #expect(queue.remove(at: position) == expected.remove(at: position))
        }
        #expect(queue.elements == expected)
        #expect(queue.count == expected.count)
        #expect(expected.indices.allSatisfy { queue[$0] == expected[$0] })
      }
      #expect(queue.remove(at: expected.count) == nil)
      if expected.count > 1 { queue[1] = -1 }
      if expected.count > 1 { expected[1] = -1 }
      while let first = queue.popFirst() { #expect(first == expected.removeFirst()) }
      #expect(expected.isEmpty)
    }
  }

  @Test("moves no element to remove one after another at the same place")
  func border() {
    var queue = SplitQueue<Int>()
    for value in 0..<100 { queue.append(value) }
    for value in 100..<120 {
      #expect(queue.remove(at: 50) == value - 50)
      queue.append(value)
      #expect(queue.frontCount == 50)
    }
  }
}
