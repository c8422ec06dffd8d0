#if os(Linux)
import Testing

@testable import Weir

@Suite("LoadedCode")
struct LoadedCodeTests {
  @Test("an address without code has no line", arguments: [0, 1, UInt.max])
  func addressWithoutCode(_ address: UInt) {
    #expect(LoadedCode().lines(beforeReturnTo: address) == [])
  }

  @Test("a file that is not a program is not read", arguments: [#filePath, "/proc/self/maps", "/dev/null", "/nowhere"])
  func noProgram(_ path: String) {
    #expect(ObjectFile(path: path) == nil)
  }
}
#endif
