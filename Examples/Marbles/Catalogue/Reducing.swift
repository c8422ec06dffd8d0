import Weir
import WeirTesting

extension Catalogue {
  static let reducing = Family("Reducing") {
    Diagram("reduce", ".reduce(0, +)", demand: "--1") { try $0.numbers("-1-2-3-|").reduce(0, +) }
    Diagram("tryReduce", ".tryReduce(0) { $0 + (try half($1)) }") {
      try $0.numbers("-2-4-5-6-|").tryReduce(0) { $0 + (try half($1)) }
    }
    Diagram("collect", ".collect()") { try $0.numbers("-1-2-3-|").collect() }
    Diagram("collect(_:)", ".collect(2)", demand: "2", in: "func collect(_ count") {
      try $0.numbers("-1-2-3-4-5-6-|").collect(2)
    }
    Diagram("count", ".count()") { try $0.letters("-a-b-c-|").count() }
    Diagram("min", ".min()", in: "func min()") { try $0.numbers("-2-1-3-|").min() }
    Diagram("max", ".max()", in: "func max()") { try $0.numbers("-2-3-1-|").max() }
    Diagram("tryMin", ".tryMin(by: isOrdered)") { try $0.numbers("-2-1-3-|").tryMin(by: isOrdered) }
    Diagram("tryMax", ".tryMax(by: isOrdered)") { try $0.numbers("-2-3-0-1-|").tryMax(by: isOrdered) }
  }
}
