import Testing

@testable import TestSupport
@testable import Weir

@Suite("WeakList")
struct WeakListTests {
  private final class Box {
    var object: LastWords?

    init(_ object: LastWords?) { self.object = object }
  }

  @Test("a removal releases neither elements nor objects during the access")
  func releases() {
    var log: [String] = []
    // The object that the list reads has no other reference then, as if another thread released the last one.
    var list = WeakList<Box> { box in box.object.take() }
    for number in 1...16 {
      _ = list.append(Box(LastWords { log.append("object \(number)") }))
    }
    do {
      let released = list.append(Box(nil))
      #expect(log == [])
      #expect(released.elements.isEmpty)
      #expect(list.elements.count == 17)
    }
    #expect(log == (1...16).map { "object \($0)" })
    #expect(list.remove().elements.count == 17)
    #expect(list.elements.isEmpty)
  }
}
