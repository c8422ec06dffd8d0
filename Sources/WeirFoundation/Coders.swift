public import Foundation
public import Weir

/// Encodes for `encode(encoder:)`.
extension JSONEncoder: TopLevelEncoder {
  /// It encodes to data.
  public typealias Output = Data
}

/// Decodes for `decode(type:decoder:)`.
extension JSONDecoder: TopLevelDecoder {
  /// It decodes data.
  public typealias Input = Data
}

/// Encodes for `encode(encoder:)`.
extension PropertyListEncoder: TopLevelEncoder {
  /// It encodes to data.
  public typealias Output = Data
}

/// Decodes for `decode(type:decoder:)`.
extension PropertyListDecoder: TopLevelDecoder {
  /// It decodes data.
  public typealias Input = Data
}
