public import Synchronization

/// The places in a program's code where operators were assembled while tracing was on.
///
/// A place is the call stack at the assembly, which is stored once. So the number of places is bounded by the size of
/// the program's code. The line is looked up in the debug information when it is needed.
@usableFromInline
enum AssemblySites {
  /// Whether places are recorded.
  ///
  /// Performance: the only check at an operator's assembly if they are not.
  @usableFromInline
  static let isRecording = Atomic<Bool>(false)

  /// Returns the number of the caller's place, or 0 if it is unknown.
  @usableFromInline
  @inline(never)
  static func here() -> UInt32 {
    let stack = Stack.here()
    if stack.isEmpty { return 0 }
    return table.withLock { table in
      if let number = table.numbers[stack] { return number }
      guard table.stacks.count < mostPlaces else { return 0 }
      table.stacks.append(stack)
      let number = UInt32(table.stacks.count)
      table.numbers[stack] = number
      return number
    }
  }

  /// Returns the line of code of a place.
  static func location(of assemblySite: AssemblySite) -> Tracing.Location? {
    guard assemblySite.number > 0 else { return nil }
    let (known, stack) = table.withLock { ($0.locations[assemblySite.number], $0.stacks[Int(assemblySite.number) - 1]) }
    if let known { return known }
    let found = stack.location
    table.withLock { $0.locations[assemblySite.number] = .some(found) }
    return found
  }

  /// The maximum number of places; further ones are not recorded.
  ///
  /// Only a program with generated code has that many.
  private static let mostPlaces = 1 << 16

  private struct Table {
    var numbers: [Stack: UInt32] = [:]
    var stacks: [Stack] = []
    var locations: [UInt32: Tracing.Location?] = [:]
  }

  // Safety: the lock protects every access to its content. (`TracingTests`)
  private nonisolated(unsafe) static let table = Locked(Table())

  /// The folders of Weir's own files, derived from the debug information of this function.
  private static let ownFolders: [String] = {
    let ownFile = "/Weir/Debugging/AssemblySites.swift"
    let code = LoadedCode()
    let paths = Stack.here(depth: 4).addresses.lazy.flatMap(code.lines(beforeReturnTo:)).map(\.path)
    guard let path = paths.first(where: { $0.hasSuffix(ownFile) }) else { return [] }
    return modules.map { "\(path.dropLast(ownFile.count))/\($0)/" }
  }()

  private static let modules = [
    "Weir", "WeirLocks", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting",
  ]

  /// The call stack at a place, as return addresses; empty if it is unknown.
  struct Stack: Hashable {
    fileprivate let addresses: [UInt]

    var isEmpty: Bool { addresses.isEmpty }

    /// Returns the innermost calls of the current stack.
    static func here(depth: Int = 64) -> Stack {
      Stack(addresses: returnAddresses(depth: depth))
    }

    /// The innermost line outside of Weir's own files.
    var location: Tracing.Location? {
      let code = LoadedCode()
      for address in addresses {
        for line in code.lines(beforeReturnTo: address) where !ownFolders.contains(where: line.path.hasPrefix) {
          return Tracing.Location(file: line.path, line: line.line, column: line.column)
        }
      }
      return nil
    }
  }
}
