/// The mapping between the tokens of a ``MarbleDiagram`` and values.
///
///     ["a": User(name: "Ada"), "b": User(name: "Bob")]
public struct MarbleValues<Value> {
  let value: (String) -> Value?
  let token: (Value) -> String

  /// Creates a mapping from two functions.
  ///
  /// - Parameters:
  ///   - value: Returns the value of a token, or `nil` for an unknown token.
  ///   - token: Returns the token of a value.
  public init(value: @escaping (String) -> Value?, token: @escaping (Value) -> String) {
    self.value = value
    self.token = token
  }

  /// A mapping of values to their descriptions.
  ///
  /// Values that are `LosslessStringConvertible`, such as numbers, characters and text, can be parsed and written.
  /// Other values can only be written.
  public static var described: MarbleValues {
    MarbleValues(
      value: { token in (Value.self as? any LosslessStringConvertible.Type).flatMap { $0.init(token) as? Value } },
      token: { String(describing: $0) })
  }
}

extension MarbleValues: ExpressibleByDictionaryLiteral where Value: Equatable {
  /// Creates a mapping from tokens to values; a value without a token is written as its description.
  public init(_ values: [String: Value]) {
    // Sorted, so that a value with two tokens is always written as the same one.
    let tokens = values.keys.sorted()
    self.init(
      value: { values[$0] },
      token: { value in tokens.first { values[$0] == value } ?? String(describing: value) })
  }

  /// Creates a mapping from tokens to values.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(Dictionary(elements) { _, last in last })
  }
}
