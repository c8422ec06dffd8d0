import Weir
import WeirTesting

extension Catalogue {
  static let matching = Family("Matching") {
    Diagram("contains", ".contains(2)", in: "func contains(_") { try $0.numbers("-1-2-3-|").contains(2) }
    Diagram("contains(where:)", ".contains(where: { $0 > 5 })", in: "func contains(where") {
      try $0.numbers("-1-2-3-|").contains(where: { $0 > 5 })
    }
    Diagram("tryContains", ".tryContains(where: isEven)") { try $0.numbers("-1-0-3-|").tryContains(where: isEven) }
    Diagram("allSatisfy", ".allSatisfy { $0 < 3 }") { try $0.numbers("-1-2-3-4-|").allSatisfy { $0 < 3 } }
    Diagram("tryAllSatisfy", ".tryAllSatisfy(isEven)") { try $0.numbers("-2-4-6-|").tryAllSatisfy(isEven) }
  }
}
