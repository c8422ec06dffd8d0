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
    #expect(message.contains("Subscribers.Demand requires 0 or more values. Use .unlimited for all of them."))
  }
}
