import Testing
import Weir

@testable import TestSupport

@Suite("CombineIdentifier")
struct CombineIdentifierTests {
  @Test("is another each time, from any thread")
  func unique() {
    var first: [CombineIdentifier] = []
    var second: [CombineIdentifier] = []
    race(
      { first = (0..<500).map { _ in CombineIdentifier() } }, { second = (0..<500).map { _ in CombineIdentifier() } })
    #expect(Set(first + second).count == 1000)
  }

  @Test("of an object is the same as long as the object lives")
  func objects() {
    let (first, second) = (Token(), Token())
    #expect(CombineIdentifier(first) == CombineIdentifier(first))
    #expect(CombineIdentifier(first) != CombineIdentifier(second))
    withExtendedLifetime((first, second)) {}
  }

  @Test("shows as a hexadecimal number")
  func description() {
    let identifier = CombineIdentifier(Token())
    #expect(identifier.description.hasPrefix("0x"))
    #expect(UInt64(identifier.description.dropFirst(2), radix: 16) != nil)
  }

  @Test("comes with a subscriber that is an object")
  func convertible() {
    let recorder = Recorder<Int, Never>()
    #expect(recorder.combineIdentifier == CombineIdentifier(recorder))
  }
}
