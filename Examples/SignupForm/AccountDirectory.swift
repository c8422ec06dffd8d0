import Dispatch
import Foundation
import Weir
import WeirDispatch

/// A directory of taken names.
protocol AccountDirectory {
  /// Sends whether the name is taken, on any thread.
  func isTaken(_ name: String) -> AnyPublisher<Bool, Never>
}

/// The accounts of this computer.
struct SystemAccounts: AccountDirectory {
  /// Serial, because `getpwnam` returns memory that all its callers share.
  private let queue = DispatchQueue(label: "accounts")

  func isTaken(_ name: String) -> AnyPublisher<Bool, Never> {
    Deferred { Just(Self.lookUp(name)) }
      .subscribe(on: queue)
      .eraseToAnyPublisher()
  }

  private static func lookUp(_ name: String) -> Bool {
    errno = 0
    if getpwnam(name) != nil { return true }
    switch errno {
    case 0, ENOENT, ESRCH, EBADF, EPERM:
      return false
    case let code:
      // A name whose lookup failed is not given away.
      report("can't look up \(name): \(String(cString: strerror(code)))")
      return true
    }
  }
}

/// The names in a file, one in each line.
struct NameList: AccountDirectory {
  private let names: Set<String>

  init(contentsOf path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    names = Set(
      text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
  }

  func isTaken(_ name: String) -> AnyPublisher<Bool, Never> {
    Just(names.contains(name)).eraseToAnyPublisher()
  }
}

/// Writes a line to standard error, with the name of the program.
func report(_ message: String) {
  FileHandle.standardError.write(Data("\(ProcessInfo.processInfo.processName): \(message)\n".utf8))
}
