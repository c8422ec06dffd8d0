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

  @Test("removes an element from the middle, for every start of the ring")
  func removes() {
    for start in 0..<8 {
      var fifo = CircularBuffer<Int>()
      for value in 0..<start {
        fifo.append(value)
        _ = fifo.popFirst()
      }
      for value in 1...6 { fifo.append(value) }
      #expect(fifo.remove(at: 3) == 4)
      #expect(fifo.remove(at: 0) == 1)
      #expect(fifo.remove(at: 1) == 3)
      #expect(fifo.remove(at: 3) == nil)
      #expect(fifo.remove(at: 2) == 6)
      fifo.append(7)
      #expect(fifo.elements == [2, 5, 7])
    }
  }
}
