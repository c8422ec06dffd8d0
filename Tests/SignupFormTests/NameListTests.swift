import Foundation
import Testing
import Weir

@testable import SignupForm
@testable import TestSupport

@Suite("A list of taken names")
struct NameListTests {
  private func isTaken(_ name: String, in list: NameList) -> [Bool] {
    list.isTaken(name).record(demanding: .unlimited).values
  }

  @Test("is read from a file")
  func file() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(" ada\n\nbob\r\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let list = try NameList(readingFrom: file.path)
    #expect(isTaken("ada", in: list) == [true])
    #expect(isTaken("bob", in: list) == [true])
    #expect(isTaken("", in: list) == [false])
  }

  @Test("is read from a pipe")
  func pipe() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("ada\nbob".utf8))
    try pipe.fileHandleForWriting.close()
    let list = try NameList(readingFrom: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(isTaken("bob", in: list) == [true])
    #expect(isTaken("eve", in: list) == [false])
  }

  @Test("is empty if it is read from /dev/null")
  func null() throws {
    #expect(isTaken("root", in: try NameList(readingFrom: "/dev/null")) == [false])
  }

  @Test("can't be read from a directory or a file that doesn't exist", arguments: ["/", "/there/is/no/such/file"])
  func unreadable(path: String) {
    #expect(throws: (any Error).self) { try NameList(readingFrom: path) }
  }
}
