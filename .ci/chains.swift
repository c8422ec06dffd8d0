// Writes random pipelines of publishers as programs. A pipeline is a chain of 2 to 12 operators with inferred types, with
// publishers inside `flatMap` and `switchToLatest`, and with mapped errors. Each pipeline prints its events.
//
//     chains FOLDER COUNT SEED         COUNT pipelines, 25 a file, of all operators that Weir has in common with Combine
//     chains --one NUMBER SEED         only the pipeline with this number
//     chains --common COUNT SEED       COUNT pipelines in one file, of operators that OpenCombine has, too
//
// The number and the seed alone determine a pipeline.

import Foundation

/// SplitMix64: a seed gives the same numbers on each machine.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

/// The type of a pipeline's values.
enum Value: String, CaseIterable {
  case int = "Int"
  case text = "String"
  case list = "[Int]"
  case maybe = "Int?"
}

/// The type of a pipeline's failure.
enum Failure: String, CaseIterable {
  case never = "Never"
  case odd = "Odd"
  case any = "any Error"

  /// The type's source code before `.self`.
  var type: String { self == .any ? "(any Error)" : rawValue }
}

/// A pipeline under construction: an expression, and the types of its values and failure.
struct Chain {
  var text: String
  var value: Value
  var failure: Failure

  /// The number of operators in the expression with several overloads that take any closure.
  ///
  /// The type checker tries all combinations of their overloads. More than two such operators are slow to check in every
  /// library of this kind.
  var weight = 0
}

struct Writer {
  var dice: Dice
  /// Whether the pipelines have only operators that OpenCombine has, too.
  let isCommon: Bool
  private var names = 0

  init(seed: UInt64, isCommon: Bool) {
    dice = Dice(state: seed)
    self.isCommon = isCommon
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &dice)]
  }

  private mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }

  private mutating func chance(_ part: Int, of whole: Int) -> Bool { roll(1...whole) <= part }

  private mutating func newName() -> String {
    names += 1
    return "p\(names)"
  }

  // MARK: Expressions of values

  /// The body of a closure that converts the value `x`.
  private mutating func made(_ to: Value, of from: Value, _ x: String) -> String {
    let number = roll(1...9)
    let int =
      switch from {
      case .int: pick(["\(x) &+ \(number)", "\(x) &* \(number)", "\(x)"])
      case .text: "\(x).utf8.count"
      case .list: pick(["\(x).count", "\(x).reduce(0) { $0 &+ $1 }"])
      case .maybe: "(\(x) ?? \(number))"
      }
    return switch to {
    case .int: int
    case .text: from == .text ? "\(x) + \"\(number)\"" : "\"\\(\(int))\""
    case .list: from == .list ? "\(x) + [\(number)]" : "[\(int), \(number)]"
    case .maybe: from == .maybe ? x : "even(\(int))"
    }
  }

  private mutating func constant(_ value: Value) -> String {
    let number = roll(0...9)
    return switch value {
    case .int: "\(number)"
    case .text: "\"t\(number)\""
    case .list: "[\(number)]"
    case .maybe: number < 3 ? "nil" : "\(number)"
    }
  }

  private mutating func test(_ value: Value, _ x: String) -> String {
    switch value {
    case .int: "\(x) & 3 != \(roll(0...3))"
    case .text: "\(x) != \"t\(roll(0...9))\""
    case .list: "\(x).count != \(roll(0...3))"
    case .maybe: "\(x) != \(roll(0...9))"
    }
  }

  // MARK: Sources

  /// A publisher of constants, or of values that are computed from `x`.
  private mutating func source(_ x: String?) -> Chain {
    let one = x ?? "\(roll(0...9))"
    let optionalOne = x.map { "Optional(\($0))" } ?? "Optional(\(roll(0...9)))"
    let many = "[\(one), \(roll(0...9)), \(roll(0...9)), \(one)]"
    switch roll(0...(isCommon ? 10 : 11)) {
    case 0: return Chain(text: "Just(\(one))", value: .int, failure: .never)
    case 1: return Chain(text: "\(many).publisher", value: .int, failure: .never)
    case 2: return Chain(text: "(0..<\(roll(1...6))).publisher", value: .int, failure: .never)
    case 3: return Chain(text: "Deferred { Just(\(one)) }", value: .int, failure: .never)
    case 4: return Chain(text: "Deferred { \(many).publisher.map { $0 &+ 1 } }", value: .int, failure: .never)
    case 5: return Chain(text: "Result<Int, Odd>.success(\(one)).publisher", value: .int, failure: .odd)
    case 6:
      let failing = chance(1, of: 4)
      return Chain(
        text: failing ? "Fail<Int, Odd>(error: Odd(number: \(roll(0...9))))" : "Empty<Int, Odd>()", value: .int,
        failure: .odd)
    case 7:
      return Chain(text: "Future<Int, any Error> { $0(.success(\(one))) }", value: .int, failure: .any)
    case 8: return Chain(text: "\(optionalOne).publisher", value: .int, failure: .never)
    case 9: return Chain(text: "Just(\"\\(\(one))\")", value: .text, failure: .never)
    case 10: return Chain(text: "CurrentValueSubject<Int, any Error>(\(one))", value: .int, failure: .any)
    default:
      return Chain(
        text: "Record<Int, Odd>(output: \(many), completion: .finished)", value: .int, failure: .odd)
    }
  }

  /// A publisher for a closure to return, with up to three operators and with this failure type.
  private mutating func inner(_ x: String?, depth: Int, failure: Failure) -> Chain {
    var chain = source(x)
    var before: [String] = []
    for _ in 0..<roll(0...(depth == 0 ? 3 : 2)) {
      apply(&chain, depth: depth + 1, before: &before)
      if chain.weight > 1 || chance(1, of: 6) { name(&chain, before: &before) }
    }
    if chain.failure != failure { becomes(&chain, failure) }
    if chance(1, of: 6) { chain.text += ".eraseToAnyPublisher()" }
    if chain.weight > 0 { name(&chain, before: &before) }
    // A closure of several statements needs `return`; a closure of a single expression doesn't.
    if !before.isEmpty {
      chain.text = "\(before.joined(separator: "; ")); return \(chain.text)"
      chain.weight = 0
    }
    return chain
  }

  /// Stores the pipeline so far in a constant, in its own statement.
  private mutating func name(_ chain: inout Chain, before: inout [String]) {
    let name = newName()
    before.append("let \(name) = \(chain.text)")
    chain.text = name
    chain.weight = 0
  }

  // MARK: Errors

  private mutating func becomes(_ chain: inout Chain, _ failure: Failure) {
    switch (chain.failure, failure) {
    case (.never, _): chain.text += ".setFailureType(to: \(failure.type).self)"
    case (_, .never):
      let value = constant(chain.value)
      chain.text +=
        chance(1, of: 2)
        ? ".replaceError(with: \(value))"
        : ".catch { (_: \(chain.failure.rawValue)) in Just<\(chain.value.rawValue)>(\(value)) }"
    case (_, .odd): chain.text += ".mapError { (error: \(chain.failure.rawValue)) -> Odd in Odd(error) }"
    case (_, .any):
      chain.text +=
        chance(1, of: 2) ? ".mapError { $0 as any Error }" : ".mapError { (error: Odd) -> any Error in error }"
    }
    chain.failure = failure
  }

  // MARK: Operators

  private mutating func apply(_ chain: inout Chain, depth: Int, before: inout [String]) {
    let type = chain.value.rawValue
    let isInner = depth > 0
    func say(_ text: String) { chain.text += text }
    func become(_ value: Value, _ text: String) {
      chain.text += text
      chain.value = value
    }
    switch roll(0...(isCommon ? 31 : 39)) {
    case 0, 1, 2:
      let to = pick(Value.allCases)
      become(to, ".map { (x: \(type)) -> \(to.rawValue) in \(made(to, of: chain.value, "x")) }")
    case 3: say(".eraseToAnyPublisher().map { $0 }")
    case 4, 5: say(".filter { (x: \(type)) in \(test(chain.value, "x")) }")
    case 6: say(".removeDuplicates()")
    case 7:
      let to = pick(Value.allCases)
      let seed = constant(to)
      // The closure reads its second parameter, so that it uses both.
      become(
        to,
        ".scan(\(seed) as \(to.rawValue)) { (a: \(to.rawValue), x: \(type)) -> \(to.rawValue) in \(test(chain.value, "x")) ? \(made(to, of: to, "a")) : a }"
      )
    case 8: say(".prefix(\(roll(1...4)))")
    case 9: say(".dropFirst(\(roll(0...2)))")
    case 10: say(".prefix { (x: \(type)) in \(test(chain.value, "x")) }")
    case 11: say(".drop { (x: \(type)) in \(test(chain.value, "x")) }")
    case 12:
      let to = pick([Value.int, .text, .list])
      become(
        to,
        ".compactMap { (x: \(type)) -> \(to.rawValue)? in \(test(chain.value, "x")) ? (\(made(to, of: chain.value, "x"))) : nil }"
      )
    case 13: if chain.value == .int { become(.list, ".collect()") } else { become(.int, ".count()") }
    case 14: if chain.value == .int { become(.list, ".collect(\(roll(1...3)))") } else { say(".first()") }
    case 15:
      become(
        .text, ".reduce(\"\") { (a: String, x: \(type)) -> String in a + \"\\(\(made(.int, of: chain.value, "x")))\" }")
    case 16: say(chance(1, of: 2) ? ".last()" : ".first { (x: \(type)) in \(test(chain.value, "x")) }")
    case 17:
      chain.weight += 1
      say(".append(\(constant(chain.value)), \(constant(chain.value)))")
    case 18:
      chain.weight += 1
      say(".prepend(\(constant(chain.value)))")
    case 19: say(".replaceEmpty(with: \(constant(chain.value)))")
    case 20:
      if chain.value == .maybe { become(.int, ".replaceNil(with: \(roll(0...9)))") } else { say(".output(at: 0)") }
    case 21: if !isInner { say(".share()") } else { say(".handleEvents(receiveOutput: { (_: \(type)) in })") }
    case 22:
      if isInner {
        say(".eraseToAnyPublisher()")
      } else {
        say(".handleEvents(receiveOutput: { (x: \(type)) in print(\"seen\", x) })")
      }
    case 23: becomes(&chain, pick(Failure.allCases.filter { $0 != chain.failure }))
    case 24:
      let to = pick(Value.allCases)
      become(
        to,
        ".tryMap { (x: \(type)) throws -> \(to.rawValue) in if !(\(test(chain.value, "x"))) { throw Odd(number: \(roll(0...9))) }; return \(made(to, of: chain.value, "x")) }"
      )
      chain.failure = .any
    case 25: if chain.failure == .never { becomes(&chain, .any) } else { say(".retry(1)") }
    case 26:
      let other = inner(nil, depth: 2, failure: chain.failure)
      let to = pick(Value.allCases)
      let otherName = newName()
      before.append("let \(otherName) = \(closed(other.text))")
      become(
        to,
        ".zip(\(otherName)).map { (x: \(type), y: \(other.value.rawValue)) -> \(to.rawValue) in \(test(other.value, "y")) ? (\(made(to, of: chain.value, "x"))) : (\(made(to, of: other.value, "y"))) }"
      )
    case 27...31 where depth == 0 || depth == 1 && chance(1, of: 2):
      let next = inner(chain.value == .int ? "x" : nil, depth: depth, failure: chain.failure)
      let closure = "{ (x: \(type)) in \(next.text) }"
      let isFlat = chance(3, of: 5)
      chain.weight += 1 + next.weight
      let most = chance(1, of: 3) ? "(maxPublishers: .max(\(roll(1...2))))" : ""
      become(next.value, isFlat ? ".flatMap\(most) \(closure)" : ".map \(closure).switchToLatest()")
    case 27...31: say(".eraseToAnyPublisher().map { $0 }")
    case 32:
      let other = inner(nil, depth: 2, failure: chain.failure)
      guard other.value == chain.value else { return say(".eraseToAnyPublisher()") }
      let otherName = newName()
      before.append("let \(otherName) = \(closed(other.text))")
      say(".merge(with: \(otherName))")
    case 33:
      let other = inner(nil, depth: 2, failure: chain.failure)
      let otherName = newName()
      before.append("let \(otherName) = \(closed(other.text))")
      let to = pick(Value.allCases)
      become(
        to,
        ".combineLatest(\(otherName)) { (x: \(type), y: \(other.value.rawValue)) -> \(to.rawValue) in \(test(other.value, "y")) ? (\(made(to, of: chain.value, "x"))) : (\(made(to, of: other.value, "y"))) }"
      )
    case 34: say(".receive(on: ImmediateScheduler.shared)")
    case 35: say(".buffer(size: \(roll(2...4)), prefetch: .byRequest, whenFull: .dropNewest)")
    case 36:
      become(chain.value, ".tryFilter { (x: \(type)) in \(test(chain.value, "x")) }")
      chain.failure = .any
    case 38,
      39 where !isInner:
      let name = newName()
      before.append(generic(name))
      chain.text = "\(name)(\(chain.text), \(constant(.int)))"
    default:
      if !isInner {
        say(".multicast { PassthroughSubject<\(type), \(chain.failure.type)>() }.autoconnect()")
      } else {
        become(.int, ".allSatisfy { (x: \(type)) in \(test(chain.value, "x")) }.map { (x: Bool) -> Int in x ? 1 : 0 }")
      }
    }
  }

  /// A generic function that tags values, and passes the pairs through operators.
  private mutating func generic(_ name: String) -> String {
    let operators = [
      ".eraseToAnyPublisher()", ".filter { _ in true }", ".removeDuplicates { _, _ in false }", ".share()",
      ".flatMap { Just($0).setFailureType(to: P.Failure.self).eraseToAnyPublisher() }",
      ".map { Optional($0).publisher.setFailureType(to: P.Failure.self).eraseToAnyPublisher() }.switchToLatest()",
      ".scan(nil as (P.Output, T)?) { $1 }.compactMap { $0 }",
      ".reduce(nil as (P.Output, T)?) { $1 }.compactMap { $0 }",
      ".collect(2).flatMap { $0.publisher.setFailureType(to: P.Failure.self) }", ".mapError { $0 }", ".retry(0)",
      ".buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)", ".prefix(\(roll(1...9)))", ".last()", ".first()",
      ".prefix { _ in true }", ".drop { _ in false }", ".handleEvents(receiveOutput: { _ in })", ".output(in: 0..<9)",
      ".receive(on: ImmediateScheduler.shared)", ".zip(upstream.map { $0 }).map { $0.0 }",
      ".merge(with: Empty<(P.Output, T), P.Failure>())", ".append(Empty<(P.Output, T), P.Failure>())",
      ".combineLatest(Just(1).setFailureType(to: P.Failure.self)) { pair, _ in pair }",
      ".catch { Fail<(P.Output, T), P.Failure>(error: $0) }", ".catch { _ in Empty<(P.Output, T), P.Failure>() }",
      ".multicast { PassthroughSubject<(P.Output, T), P.Failure>() }.autoconnect()",
      ".delay(for: .zero, scheduler: ImmediateScheduler.shared)",
    ]
    let some = (0..<roll(1...3)).map { _ in pick(operators) }.joined()
    return """
      func \(name)<P: Publisher, T>(_ upstream: P, _ tag: T) -> AnyPublisher<P.Output, P.Failure> {
          let pairs = upstream.map { ($0, tag) }
          let passed = pairs\(some).eraseToAnyPublisher()
          return passed.map { $0.0 }.eraseToAnyPublisher()
        }
      """
  }

  /// An expression of statements that end with `return`.
  private func closed(_ text: String) -> String {
    text.contains("; return ") ? "{ \(text) }()" : text
  }

  // MARK: Pipelines

  /// The statements of a pipeline that prints its events.
  mutating func pipeline() -> [String] {
    var before: [String] = []
    var chain: Chain
    // One pipeline in three begins with a subject that sends values.
    let subject = roll(0...2) == 0 ? pick(Failure.allCases) : nil
    if let subject {
      chain = Chain(text: "subject", value: .int, failure: subject)
      before.append("let subject = PassthroughSubject<Int, \(subject.rawValue)>()")
    } else {
      chain = source(nil)
    }
    for _ in 0..<roll(2...12) {
      apply(&chain, depth: 0, before: &before)
      if chain.weight > 1 || chance(1, of: 5) { name(&chain, before: &before) }
    }
    before.append(
      "let subscription = \(chain.text).sink(receiveCompletion: { print(\"end\", $0) }, receiveValue: { print(\"value\", $0 as Any) })"
    )
    if let subject {
      before.append("for value in [1, 2, 2, 3, 4] { subject.send(value) }")
      let failure = subject == .never || chance(2, of: 3) ? ".finished" : ".failure(Odd(number: 7))"
      before.append("subject.send(completion: \(failure))")
    }
    return before + ["withExtendedLifetime(subscription) {}"]
  }
}

/// Pipelines that once crashed a compiler; they have the first numbers.
let known = [
  // Swift 6.3.1: "too many/large bit fields allocated in function".
  """
    let subject = PassthroughSubject<Int, any Error>()
    let c = subject.flatMap { x in
      let p = Deferred { Just(x) }.map { $0 &+ 1 }
      return p.setFailureType(to: Odd.self).mapError { $0 as any Error }.map { $0 }
    }.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
    for value in 1...3 { subject.send(value) }
    c.cancel()
  """,
  // Swift 6.3.1 crashes if a closure that becomes a part of this function captures a tuple of type parameters.
  """
    func pair<A, B>(_ a: A, _ b: B) -> AnyPublisher<(A, B), Never> { Just((a, b)).eraseToAnyPublisher() }
    func pairs<A, B>(_ a: A, _ b: B) -> AnyPublisher<(A, B), Never> {
      AnyPublisher(Optional((a, b)).publisher.replaceEmpty(with: (a, b)))
    }
    let c = pair(1, "a").append(pairs(2, "b")).sink { print($0) }
    c.cancel()
  """,
]

let head = """
  struct Odd: Error {
    var number: Int

    init(number: Int) { self.number = number }

    init(_ error: some Error) { number = (error as? Odd)?.number ?? -1 }
  }

  func even(_ number: Int) -> Int? { number & 1 == 0 ? number : nil }


  """

let libraries = (
  weir: "import Weir\n\n", common: "#if OPENCOMBINE\nimport OpenCombine\n#else\nimport Weir\n#endif\n\n"
)

/// A function that runs the pipeline with a number.
func function(_ number: Int, seed: UInt64, isCommon: Bool) -> String {
  let body: String
  if number < known.count, !isCommon {
    body = known[number]
  } else {
    // The seeds are far apart, so that pipelines with successive numbers have nothing in common.
    var writer = Writer(seed: seed &* 0x1_0000_0001 &+ UInt64(number) &* 0x9e37_79b9, isCommon: isCommon)
    body = writer.pipeline().map { "  \($0)" }.joined(separator: "\n")
  }
  return "func chain\(number)() {\n  print(\"chain \(number)\")\n\(body)\n}\n\n"
}

func calls(_ numbers: some Sequence<Int>) -> String { numbers.map { "chain\($0)()\n" }.joined() }

func program(_ numbers: Range<Int>, seed: UInt64, isCommon: Bool) -> String {
  (isCommon ? libraries.common : libraries.weir) + head
    + numbers.map { function($0, seed: seed, isCommon: isCommon) }.joined() + calls(numbers)
}

let usage = "usage: chains FOLDER COUNT SEED | --one NUMBER SEED | --common COUNT SEED"
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, let count = Int(arguments[1]), let seed = UInt64(arguments[2]) else { fatalError(usage) }
switch arguments[0] {
case "--one": print(program(count..<count + 1, seed: seed, isCommon: false), terminator: "")
case "--common": print(program(0..<count, seed: seed, isCommon: true), terminator: "")
default:
  for first in stride(from: 0, to: count, by: 25) {
    let text = program(first..<min(first + 25, count), seed: seed, isCommon: false)
    let name = String(repeating: "0", count: max(0, 4 - "\(first)".count)) + "\(first)"
    try text.write(toFile: "\(arguments[0])/chains-\(name).swift", atomically: true, encoding: .utf8)
  }
}
