import Testing
import Weir

@testable import TestSupport

@Suite("CombineIdentifier")
struct CombineIdentifierTests {
  @Test("is unique on all threads")
  func unique() {
    var first: [CombineIdentifier] = []
    var second: [CombineIdentifier] = []
    race(
      { first = (0..<500).map { _ in CombineIdentifier() } }, { second = (0..<500).map { _ in CombineIdentifier() } })
    #expect(Set(first + second).count == 1000)
  }

  @Test("of an object is constant during the object's lifetime")
  func objects() {
    let (first, second) = (Token(), Token())
    #expect(CombineIdentifier(first) == CombineIdentifier(first))
    #expect(CombineIdentifier(first) != CombineIdentifier(second))
    withExtendedLifetime((first, second)) {}
  }

  @Test("describes itself as a hexadecimal number")
  func description() {
    let identifier = CombineIdentifier(Token())
    #expect(identifier.description.hasPrefix("0x"))
    #expect(UInt64(identifier.description.dropFirst(2), radix: 16) != nil)
  }

  @Test("identifies a subscriber that is an object")
  func convertible() {
    let recorder = Recorder<Int, Never>()
    #expect(recorder.combineIdentifier == CombineIdentifier(recorder))
  }
}
