/// What a check found: thrown, so that XCTest and Swift Testing show it alike.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was expected and what came instead.
  public let message: String

  /// The module and file of the call that failed.
  public let fileID: String

  /// The line of the call that failed.
  public let line: UInt

  /// Makes a failure that names the place of a call.
  public init(_ message: String, fileID: StaticString = #fileID, line: UInt = #line) {
    self.message = message
    self.fileID = "\(fileID)"
    self.line = line
  }

  /// The place, then the message.
  public var description: String { "\(fileID):\(line): \(message)" }
}
