import Weir
import WeirRx
import WeirTesting

// The functions that the catalogue's pipelines call.

struct Person: Equatable, CustomStringConvertible {
  let name: String
  let age: Int

  var description: String { name.lowercased() }

  static var values: MarbleValues<Person> { ["a": Person(name: "A", age: 3), "b": Person(name: "B", age: 7)] }
}

var numberOrNil: MarbleValues<Int?> {
  MarbleValues<Int?>(value: { .some(Int($0)) }, token: { token(of: $0 as Any) })
}

/// Events as values: `x` is a failure.
var told: MarbleValues<Publishers.Event<Int, Oops>> {
  MarbleValues(value: { Int($0).map { .value($0) } ?? .failure(Oops()) }, token: { String(describing: $0) })
}

var flags: MarbleValues<Bool> { ["t": true, "f": false] }

/// Half of an even number.
func half(_ number: Int) throws -> Int {
  if number % 2 != 0 { throw Oops() }
  return number / 2
}

/// Whether a number is even; throws for zero.
func isEven(_ number: Int) throws -> Bool {
  if number == 0 { throw Oops() }
  return number % 2 == 0
}

/// Whether two numbers are equal; throws for zero.
func areSame(_ one: Int, _ other: Int) throws -> Bool {
  if other == 0 { throw Oops() }
  return one == other
}

/// Whether one number is less than the other; throws for zero.
func isOrdered(_ one: Int, _ other: Int) throws -> Bool {
  if one == 0 || other == 0 { throw Oops() }
  return one < other
}

/// The digit of a text, `nil` for a letter; throws for zero.
func digit(_ text: String) throws -> Int? {
  if text == "0" { throw Oops() }
  return Int(text)
}

/// A coder for numbers up to three.
struct Roman: TopLevelEncoder, TopLevelDecoder {
  private static let numerals = ["I", "II", "III"]

  func encode<T: Encodable>(_ value: T) throws -> String {
    guard let number = value as? Int, (1...3).contains(number) else { throw Oops() }
    return Roman.numerals[number - 1]
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let index = Roman.numerals.firstIndex(of: text), let number = index + 1 as? T else { throw Oops() }
    return number
  }
}

/// Another error.
struct URLMissing: Error {}

func log(_ value: String) {}

/// Discards printed lines.
struct NoLines: TextOutputStream {
  mutating func write(_ string: String) {}
}

extension String {
  /// The letter at a position.
  func letter(_ index: Int) -> String { String(dropFirst(index).prefix(1)) }
}
