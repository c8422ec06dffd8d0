// The table of the operators that encode and decode. Values and coders are user code.

import Weir

extension Token: Encodable {
  package func encode(to encoder: any Encoder) throws { reach(.coding) }
}

/// The decoded form of a token.
private struct Decoded: Decodable {
  let token: Token

  init(from decoder: any Decoder) throws {
    guard let box = decoder as? Box else { throw Oops() }
    box.token.reach(.coding)
    token = box.token
  }
}

/// Encodes a value to itself, and decodes it from itself.
private struct Coder: TopLevelEncoder, TopLevelDecoder {
  let hook: Hook

  func encode<T: Encodable>(_ value: T) throws -> String {
    hook.reach(.closure)
    if let token = value as? Token { try value.encode(to: Box(token: token)) }
    return String(describing: value)
  }

  func decode<T: Decodable>(_ type: T.Type, from token: Token) throws -> T {
    hook.reach(.closure)
    if token.number == 4 { throw hook.error() }
    return try T(from: Box(token: token))
  }
}

/// Passes the coder's token to a value's initializer.
private struct Box: Encoder, Decoder {
  let token: Token

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { fatalError("no container") }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { fatalError("no container") }
  func singleValueContainer() -> any SingleValueEncodingContainer { fatalError("no container") }
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Oops() }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Oops() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Oops() }
}

package var coders: [Entry] {
  [
    Entry("encode", [.closure, .coding]) { source, hook in
      source.encode(encoder: Coder(hook: hook)).eraseToAnyPublisher()
    },
    Entry("decode", [.closure, .coding, .release]) { source, hook in
      source.decode(type: Decoded.self, decoder: Coder(hook: hook)).map(\.token).eraseToAnyPublisher()
    },
  ]
}
