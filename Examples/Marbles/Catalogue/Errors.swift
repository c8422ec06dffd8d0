import Weir
import WeirTesting

extension Catalogue {
  static let errors = Family("Errors") {
    Diagram("mapError", ".mapError { _ in URLMissing() }") { try $0.failing("-1-2-#").mapError { _ in URLMissing() } }
    Diagram("catch", ".catch { _ in other }", in: "func `catch`<P: Publisher>") {
      let other = try $0.numbers("-8-9-|", as: "other")
      return try $0.failing("-1-2-#").catch { _ in other }
    }
    Diagram("tryCatch", ".tryCatch(handle)") {
      let other = try $0.failing("-8-9-|", as: "other")
      func handle(_ error: Oops) throws -> AnyPublisher<Int, Oops> { other }
      return try $0.failing("-1-2-#").tryCatch(handle)
    }
    Diagram("replaceError", ".replaceError(with: 0)") { try $0.failing("-1-2-#").replaceError(with: 0) }
    Diagram("retry", ".retry(1)", in: "func retry(_ retries: Int) -> Publishers") { try $0.failing("-1-2-#").retry(1) }
    Diagram("assertNoFailure", ".assertNoFailure()") { try $0.failing("-1-2-3-|").assertNoFailure() }
  }
}
