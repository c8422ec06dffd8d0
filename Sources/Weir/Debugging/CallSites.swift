public import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The places in a program's code where operators were assembled while tracing was on.
///
/// A place is the stack of calls that led there, kept once however often the program comes by, so what is kept is bounded by
/// the program's code. Which line that is, is looked up in the debug information when somebody wants to know.
@usableFromInline
enum CallSites {
  /// Whether there is anything to do: all that assembling an operator looks at when there isn't.
  @usableFromInline
  static let areKept = Atomic<Bool>(false)

  /// The number of the caller's place; 0 where it can't be told.
  @usableFromInline
  @inline(never)
  static func here() -> UInt32 {
    #if os(Linux)
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
    #else
    return 0
    #endif
  }

  /// The line of code that a place is.
  static func location(of place: Place) -> Tracing.Location? {
    #if os(Linux)
    guard place.number > 0 else { return nil }
    let (known, stack) = table.withLock { ($0.locations[place.number], $0.stacks[Int(place.number) - 1]) }
    if let known { return known }
    let found = stack.location
    table.withLock { $0.locations[place.number] = .some(found) }
    return found
    #else
    return nil
    #endif
  }

  #if os(Linux)
  /// A program with more places than that has code that makes code; what comes later has none.
  private static let mostPlaces = 1 << 16

  private struct Table {
    var numbers: [Stack: UInt32] = [:]
    var stacks: [Stack] = []
    var locations: [UInt32: Tracing.Location?] = [:]
  }

  // Safety: the lock protects every access to its content. (`TracingTests`)
  private nonisolated(unsafe) static let table = Locked(Table())

  /// Where this library's files lie, by the debug information of this function.
  private static let ownFolders: [String] = {
    let ownFile = "/Weir/Debugging/CallSites.swift"
    let code = LoadedCode()
    let paths = Stack.here(depth: 3).addresses.lazy.flatMap(code.lines(beforeReturnTo:)).map(\.path)
    guard let path = paths.first(where: { $0.hasSuffix(ownFile) }) else { return [] }
    return modules.map { "\(path.dropLast(ownFile.count))/\($0)/" }
  }()

  private static let modules = [
    "Weir", "WeirLocks", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting",
  ]
  #endif

  /// The calls that led to a place, as the addresses to which they return; none where they can't be told.
  struct Stack: Hashable {
    fileprivate let addresses: [UInt]

    var isEmpty: Bool { addresses.isEmpty }

    /// The calls that led here, the innermost of them.
    static func here(depth: Int = 64) -> Stack {
      #if os(Linux)
      guard let backtrace else { return Stack(addresses: []) }
      // Safety: the function writes at most `depth` addresses, and returns how many it has written. (`TracingTests`)
      return Stack(
        addresses: [UInt](unsafeUninitializedCapacity: depth) { buffer, count in
          count = buffer.baseAddress.map { Int(backtrace($0, Int32(depth))) } ?? 0
        })
      #else
      return Stack(addresses: [])
      #endif
    }

    /// The innermost line that isn't this library's own.
    var location: Tracing.Location? {
      #if os(Linux)
      let code = LoadedCode()
      for address in addresses {
        for line in code.lines(beforeReturnTo: address) where !ownFolders.contains(where: line.path.hasPrefix) {
          return Tracing.Location(file: line.path, line: line.line, column: line.column)
        }
      }
      #endif
      return nil
    }

    #if os(Linux)
    // By its name, because the module of the C library has it not; in a program that is linked statically there are none.
    // Safety: this is the type of the function in the C library. (`TracingTests`)
    private static let backtrace: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32)? = dlsym(
      nil, "backtrace"
    )
    .map { unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32).self) }
    #endif
  }
}
