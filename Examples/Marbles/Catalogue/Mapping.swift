import Weir
import WeirTesting

extension Catalogue {
  static let mapping = Family("Mapping") {
    Diagram("map", ".map { $0 * 10 }") { try $0.numbers("-1-2-3-|").map { $0 * 10 } }
    Diagram("map(_:_:)", ".map(\\.name, \\.age)", in: "func map<T0, T1>(") {
      try $0.upstream("-a-b-|", as: "source", values: Person.values, error: Never?.none).map(\.name, \.age)
    }
    Diagram("tryMap", ".tryMap(half)") { try $0.numbers("-2-4-5-6-|").tryMap(half) }
    Diagram("replaceNil", ".replaceNil(with: 0)") {
      try $0.upstream("-1-x-3-|", as: "source", values: numberOrNil, error: Never?.none).replaceNil(with: 0)
    }
    Diagram("compactMap", ".compactMap { Int($0) }") { try $0.letters("-1-x-3-|").compactMap { Int($0) } }
    Diagram("tryCompactMap", ".tryCompactMap(digit)") { try $0.letters("-1-x-0-4-|").tryCompactMap(digit) }
    Diagram("scan", ".scan(0, +)") { try $0.numbers("-1-2-3-|").scan(0, +) }
    Diagram("tryScan", ".tryScan(0) { $0 + (try half($1)) }") {
      try $0.numbers("-2-4-5-6-|").tryScan(0) { $0 + (try half($1)) }
    }
    Diagram("setFailureType", ".setFailureType(to: Oops.self)") {
      try $0.numbers("-1-2-3-|").setFailureType(to: Oops.self)
    }
    Diagram("eraseToAnyPublisher", ".eraseToAnyPublisher()") { try $0.numbers("-1-2-3-|").eraseToAnyPublisher() }
    Diagram("encode", ".encode(encoder: Roman())", in: "func encode<") {
      try $0.numbers("-1-2-3-9-|").encode(encoder: Roman())
    }
    Diagram("decode", ".decode(type: Int.self, decoder: Roman())") {
      try $0.letters("-'I'-'II'-'X'-|").decode(type: Int.self, decoder: Roman())
    }
  }
}
