import Testing

@testable import TestSupport
@testable import Weir

/// An object and the two parts that lie behind it.
@Suite("Tailed")
struct TailedTests {
  /// A core whose size is no multiple of a word.
  struct Core: ~Copyable {
    let head: Int
    let token: Token?
    let small: UInt8
  }

  /// A content that needs more alignment than a word.
  struct Wide {
    let lanes: SIMD4<UInt64>
    let token: Token?
  }

  final class Pair: Tailed {
    deinit {
      content(as: Wide.self, behind: Core.self).deinitialize(count: 1)
      core(as: Core.self).deinitialize(count: 1)
    }
  }

  @Test("keeps a core and a content, each aligned, and the core begins with its first property")
  func keeps() {
    for round in 0..<100 {
      let pair = Pair.make(
        Core(head: round, token: nil, small: 7), content: Wide(lanes: SIMD4(1, 2, 3, UInt64(round)), token: nil))
      let content = pair.content(as: Wide.self, behind: Core.self)
      #expect(Int(bitPattern: content) % MemoryLayout<Wide>.alignment == 0)
      #expect(content.pointee.lanes == SIMD4(1, 2, 3, UInt64(round)))
      #expect(pair.core(as: Core.self).pointee.small == 7)
      #expect(pair.core(as: Int.self).pointee == round)
    }
  }

  @Test("keeps what both parts refer to until it is released")
  func releases() {
    var pair: Pair?
    let isReleased = isReleased { token in
      pair = Pair.make(Core(head: 0, token: token, small: 0), content: Wide(lanes: .zero, token: token))
      #expect(pair?.core(as: Core.self).pointee.token === token)
      #expect(pair?.content(as: Wide.self, behind: Core.self).pointee.token === token)
      pair = nil
    }
    #expect(isReleased)
  }
}
