import Weir
import WeirTesting

extension Catalogue {
  static let selecting = Family("Selecting") {
    Diagram("first", ".first()", in: "func first()") { try $0.numbers("-1-2-3-|").first() }
    Diagram("first(where:)", ".first(where: { $0 > 1 })", in: "func first(where") {
      try $0.numbers("-1-2-3-|").first(where: { $0 > 1 })
    }
    Diagram("tryFirst", ".tryFirst(where: isEven)") { try $0.numbers("-1-3-4-|").tryFirst(where: isEven) }
    Diagram("last", ".last()", in: "func last()") { try $0.numbers("-1-2-3-|").last() }
    Diagram("last(where:)", ".last(where: { $0 < 3 })", in: "func last(where") {
      try $0.numbers("-1-2-3-|").last(where: { $0 < 3 })
    }
    Diagram("tryLast", ".tryLast(where: isEven)") { try $0.numbers("-1-2-0-4-|").tryLast(where: isEven) }
    Diagram("dropFirst", ".dropFirst(2)", demand: "1", cancel: 6) { try $0.numbers("-1-2-3-4-|").dropFirst(2) }
    Diagram("drop(while:)", ".drop(while: { $0 < 3 })", in: "func drop(while") {
      try $0.numbers("-1-2-3-1-|").drop(while: { $0 < 3 })
    }
    Diagram("drop(untilOutputFrom:)", ".drop(untilOutputFrom: other)", in: "func drop<P: Publisher>(untilOutputFrom") {
      let other = try $0.letters("----a-|", as: "other")
      return try $0.numbers("-1-2-3-4-|").drop(untilOutputFrom: other)
    }
    Diagram("tryDrop", ".tryDrop(while: isEven)") { try $0.numbers("-2-4-1-6-|").tryDrop(while: isEven) }
    Diagram("prefix", ".prefix(2)", asking: true, in: "func prefix(_") { try $0.numbers("-1-2-3-|").prefix(2) }
    Diagram("prefix(while:)", ".prefix(while: { $0 < 3 })", in: "func prefix(while") {
      try $0.numbers("-1-2-3-1-|").prefix(while: { $0 < 3 })
    }
    Diagram(
      "prefix(untilOutputFrom:)", ".prefix(untilOutputFrom: other)", in: "func prefix<P: Publisher>(untilOutputFrom"
    ) {
      let other = try $0.letters("----a-|", as: "other")
      return try $0.numbers("-1-2-3-4-|").prefix(untilOutputFrom: other)
    }
    Diagram("tryPrefix", ".tryPrefix(while: isEven)") { try $0.numbers("-2-4-0-6-|").tryPrefix(while: isEven) }
    Diagram("output(at:)", ".output(at: 1)", in: "func output(at") { try $0.letters("-a-b-c-|").output(at: 1) }
    Diagram("output(in:)", ".output(in: 1...2)", in: "func output<R: RangeExpression>(in") {
      try $0.letters("-a-b-c-d-|").output(in: 1...2)
    }
  }
}
