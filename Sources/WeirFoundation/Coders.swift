public import Foundation
public import Weir

/// Encodes for `encode(encoder:)`.
extension JSONEncoder: TopLevelEncoder {
  /// The encoded data.
  public typealias Output = Data
}

/// Decodes for `decode(type:decoder:)`.
extension JSONDecoder: TopLevelDecoder {
  /// The data to decode.
  public typealias Input = Data
}

/// Encodes for `encode(encoder:)`.
extension PropertyListEncoder: TopLevelEncoder {
  /// The encoded data.
  public typealias Output = Data
}

/// Decodes for `decode(type:decoder:)`.
extension PropertyListDecoder: TopLevelDecoder {
  /// The data to decode.
  public typealias Input = Data
}
