public import Synchronization

#if os(Linux) && canImport(Runtime)
import Runtime
#endif

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
    #if os(Linux) && canImport(Runtime)
    let stack = Stack.addresses()
    if !stack.isEmpty, let number = table.withLock({ $0.numbers[stack] }) { return number }
    guard let whole = try? Backtrace.capture(limit: Stack.depth, top: 0) else { return 0 }
    // To look up a line takes milliseconds, a name microseconds: most of what is our own is told by that.
    let names = whole.symbolicated(with: nil, options: [])?.frames.prefix {
      $0.isSwiftThunk || $0.symbol.map { MangledName($0.rawName).isOwn } ?? false
    }
    let trace = try? Backtrace.capture(limit: 4, offset: names?.count ?? 0, top: 0)
    let key = stack.isEmpty ? whole.frames.compactMap { UInt($0.originalProgramCounter) } : stack
    return table.withLock { table in
      if let number = table.numbers[key] { return number }
      guard table.traces.count < mostPlaces else { return 0 }
      table.traces.append(trace ?? whole)
      let number = UInt32(table.traces.count)
      table.numbers[key] = number
      return number
    }
    #else
    return 0
    #endif
  }

  /// The line of code that a place is.
  static func location(of place: Place) -> Tracing.Location? {
    #if os(Linux) && canImport(Runtime)
    guard place.number > 0 else { return nil }
    let (known, trace) = table.withLock { ($0.locations[place.number], $0.traces[Int(place.number) - 1]) }
    if let known { return known }
    let found = location(in: trace)
    table.withLock { $0.locations[place.number] = .some(found) }
    return found
    #else
    return nil
    #endif
  }

  #if os(Linux) && canImport(Runtime)
  /// A program with more places than that has code that makes code; what comes later has none.
  private static let mostPlaces = 1 << 16

  private struct Table {
    var numbers: [[UInt]: UInt32] = [:]
    var traces: [Backtrace] = []
    var locations: [UInt32: Tracing.Location?] = [:]
  }

  // Safety: the lock is the only way to its content. (`TracingTests`)
  private nonisolated(unsafe) static let table = Locked(Table())

  /// The innermost line that isn't this library's own.
  private static func location(in trace: Backtrace) -> Tracing.Location? {
    for source in lines(of: trace) where !ownFolders.contains(where: source.path.hasPrefix) {
      return Tracing.Location(file: source.path, line: source.line, column: source.column)
    }
    return nil
  }

  private static func lines(of trace: Backtrace) -> [SymbolicatedBacktrace.SourceLocation] {
    let options: Backtrace.SymbolicationOptions = [.showInlineFrames, .showSourceLocations, .useSymbolCache]
    return trace.symbolicated(with: nil, options: options)?.frames.compactMap(\.symbol?.sourceLocation)
      .filter { $0.line > 0 && !$0.path.hasPrefix("<") } ?? []
  }

  /// Where this library's files lie, by the debug information of this function.
  private static let ownFolders: [String] = {
    let ownFile = "/Weir/Debugging/CallSites.swift"
    guard
      let trace = try? Backtrace.capture(limit: 3, top: 0),
      let path = lines(of: trace).first(where: { $0.path.hasSuffix(ownFile) })?.path
    else { return [] }
    return modules.map { "\(path.dropLast(ownFile.count))/\($0)/" }
  }()

  static let modules = ["Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting"]

  /// The calls that led here, as addresses: what `Backtrace` finds in thirty times the time.
  private enum Stack {
    static let depth = 64

    // By its name, because the module of the C library has it not; in a program that is linked statically there are none.
    // Safety: this is the type of the function in the C library. (`TracingTests`)
    private static let backtrace: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32)? = dlsym(
      nil, "backtrace"
    )
    .map { unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32).self) }

    static func addresses() -> [UInt] {
      guard let backtrace else { return [] }
      // Safety: the function writes at most `depth` addresses, and returns how many it has written. (`TracingTests`)
      return [UInt](unsafeUninitializedCapacity: depth) { buffer, count in
        count = buffer.baseAddress.map { Int(backtrace($0, Int32(depth))) } ?? 0
      }
    }
  }
  #endif
}
