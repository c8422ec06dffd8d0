import Testing
import Weir

@Suite("rules that stop the program")
struct RequireTests {
  @Test("name the rule and the fix")
  func message() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(-1)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("Demand can't be negative: ask for 0 values or more, or for .unlimited."))
  }
}
