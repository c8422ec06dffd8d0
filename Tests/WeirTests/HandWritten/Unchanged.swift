import Weir

@testable import TestSupport

/// Encodes and decodes to the value itself.
struct Unchanged: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int { try cast(value) }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T { try cast(input) }

  private func cast<T>(_ value: Any) throws -> T {
    guard let value = value as? T else { throw TestError.oops }
    return value
  }
}
