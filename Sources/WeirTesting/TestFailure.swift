/// The failure of a check; an error, so that XCTest and Swift Testing show it alike.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected result and the actual result.
  public let message: String

  /// The module and file of the call that failed.
  public let fileID: String

  /// The line of the call that failed.
  public let line: UInt

  /// Creates a failure with the source location of a call.
  public init(_ message: String, fileID: StaticString = #fileID, line: UInt = #line) {
    self.message = message
    self.fileID = "\(fileID)"
    self.line = line
  }

  /// The source location, then the message.
  public var description: String { "\(fileID):\(line): \(message)" }
}
