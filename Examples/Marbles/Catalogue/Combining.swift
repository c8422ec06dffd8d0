import Weir
import WeirTesting

extension Catalogue {
  static let combining = Family("Combining") {
    Diagram("merge", ".merge(with: other)", in: "func merge<B: Publisher>(with") {
      let other = try $0.letters("--a---b-c|", as: "other")
      return try $0.letters("-1-2-3-|").merge(with: other)
    }
    Diagram("zip", ".zip(other)", demand: "1---∞", in: "func zip<P: Publisher>(_ other: P) -> Publishers.Zip<") {
      let other = try $0.letters("--a---b-c-|", as: "other")
      return try $0.numbers("-1-2---3-|").zip(other)
    }
    Diagram("combineLatest", ".combineLatest(other)", in: "func combineLatest<P: Publisher>(_ other: P) -> Publishers")
    {
      let other = try $0.letters("--a---b-|", as: "other")
      return try $0.numbers("-1-2---3-|").combineLatest(other)
    }
    Diagram("append", ".append(other)", demand: "3---∞", in: "func append<P: Publisher>") {
      let other = try $0.numbers("-3-4-|", as: "other")
      return try $0.numbers("-1-2-|").append(other)
    }
    Diagram("append(_:)", ".append(8, 9)", demand: "3----1", in: "func append(") {
      try $0.numbers("-1-2-|").append(8, 9)
    }
    Diagram("prepend", ".prepend(other)", in: "func prepend<P: Publisher>") {
      let other = try $0.numbers("-3-4-|", as: "other")
      return try $0.numbers("-1-2-|").prepend(other)
    }
    Diagram("prepend(_:)", ".prepend(8, 9)", demand: "1--∞", in: "func prepend(") {
      try $0.numbers("-1-2-|").prepend(8, 9)
    }
    Diagram("Just.append", "Just(1).append(2, 3)", demand: "2--∞") { _ in Just(1).append(2, 3) }
    Diagram("Just.prepend", "Just(1).prepend(2, 3)", demand: "2--∞") { _ in Just(1).prepend(2, 3) }
    Diagram("flatMap", ".flatMap { $0 == 1 ? a : b }", in: Declaration("func flatMap<T, P: Publisher>(")) {
      let a = try $0.letters("-x-x--x|", as: "a"), b = try $0.letters("-y-y|", as: "b")
      return try $0.numbers("-1--2-|").flatMap { $0 == 1 ? a : b }
    }
    Diagram("switchToLatest", ".map { $0 == 1 ? a : b }.switchToLatest()", in: "func switchToLatest()") {
      let a = try $0.letters("-x-x--x|", as: "a"), b = try $0.letters("-y-y|", as: "b")
      return try $0.numbers("-1--2-|").map { $0 == 1 ? a : b }.switchToLatest()
    }
  }
}
