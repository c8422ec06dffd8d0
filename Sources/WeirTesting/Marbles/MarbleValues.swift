/// Which value a token of a ``MarbleDiagram`` stands for, and how a value is written.
///
///     ["a": User(name: "Ada"), "b": User(name: "Bob")]
public struct MarbleValues<Value> {
  let value: (String) -> Value?
  let token: (Value) -> String

  /// Makes a notation of two functions.
  ///
  /// - Parameters:
  ///   - value: what a token stands for, `nil` if for nothing.
  ///   - token: how a value is written.
  public init(value: @escaping (String) -> Value?, token: @escaping (Value) -> String) {
    self.value = value
    self.token = token
  }

  /// Values that are written as they describe themselves: numbers, characters, text, and whatever else is
  /// `LosslessStringConvertible`; other values can be written, and not read.
  public static var described: MarbleValues {
    MarbleValues(
      value: { token in (Value.self as? any LosslessStringConvertible.Type).flatMap { $0.init(token) as? Value } },
      token: { String(describing: $0) })
  }
}

extension MarbleValues: ExpressibleByDictionaryLiteral where Value: Equatable {
  /// Makes a notation of tokens and what they stand for; a value without a token is written as it describes itself.
  public init(_ values: [String: Value]) {
    // Sorted, so that of two tokens for one value always the same is written.
    let tokens = values.keys.sorted()
    self.init(
      value: { values[$0] },
      token: { value in tokens.first { values[$0] == value } ?? String(describing: value) })
  }

  /// Makes a notation of tokens and what they stand for.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(Dictionary(elements) { _, last in last })
  }
}
