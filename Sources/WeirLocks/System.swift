#if WEIR_BARE && canImport(Glibc)
import Glibc
#elseif WEIR_BARE
// A platform with one thread, without Dispatch, and without a C library that is used here.
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#elseif canImport(Darwin)
public import Darwin
#elseif canImport(WinSDK)
public import WinSDK
#endif

// Everything that Weir needs of the system, in one file. A platform without a part of it has a fallback here, so that
// the other files need no condition.

// MARK: Threads

/// Returns the calling thread: an even number greater than 2, unique among living threads.
@inlinable
@inline(__always)
package func currentThread() -> UInt {
  #if WEIR_BARE
  return 4
  #elseif canImport(WinSDK)
  return UInt(GetCurrentThreadId()) << 2  // It isn't 0.
  #elseif canImport(Glibc) && os(Linux)
  return UInt(pthread_self())  // an address, so even
  #else
  return UInt(bitPattern: pthread_self())
  #endif
}

/// Lets other threads run first.
package func yieldThread() {
  #if WEIR_BARE
  // There is no other thread.
  #elseif canImport(WinSDK)
  SwitchToThread()
  #else
  sched_yield()
  #endif
}

/// Runs a closure on a new thread.
///
/// Returns `false` if the system has no more threads, or if the platform has no POSIX threads.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  #if WEIR_BARE || canImport(WinSDK)
  return false
  #else
  #if os(FreeBSD) || os(OpenBSD)
  var (thread, attributes): (pthread_t?, pthread_attr_t?)
  #elseif canImport(Darwin) || canImport(Musl)
  var (thread, attributes) = (pthread_t?.none, pthread_attr_t())
  #else
  var (thread, attributes) = (pthread_t(), pthread_attr_t())
  #endif
  guard pthread_attr_init(&attributes) == 0 else { return false }
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, numericCast(PTHREAD_CREATE_DETACHED))
  #if canImport(Musl)
  // The default stack size there is 128 KiB.
  pthread_attr_setstacksize(&attributes, 1 << 20)
  #endif
  // Safety: the new thread releases the closure, or this function does if there is no thread. (`FairnessTests`)
  let work = Unmanaged.passRetained(ThreadBody(run: body))
  let status = pthread_create(
    &thread, &attributes,
    { argument in
      if let argument = argument as UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      }
      return nil
    }, work.toOpaque())
  if status != 0 { work.release() }
  return status == 0
  #endif
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

/// A word that each thread stores for itself, 0 at first.
package struct ThreadLocalWord: Sendable {
  // On Linux, WEIR_BARE is for tests, and the library that runs them has threads.
  #if WEIR_BARE && !canImport(Glibc)
  private final class Storage {
    var value: UInt = 0
  }

  // Safety: there is only one thread. The manifest defines WEIR_BARE for Wasm, whose variant with threads is not
  // supported. (`TracingTests`)
  private nonisolated(unsafe) let storage = Storage()

  package init() {}

  package var value: UInt {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
  #elseif canImport(WinSDK)
  private let index = TlsAlloc()

  package init() {
    precondition(index != TLS_OUT_OF_INDEXES, "Weir requires thread-local storage, and none is left.")
  }

  package var value: UInt {
    get { UInt(bitPattern: TlsGetValue(index)) }
    // Safety: the pointer is a number that no code dereferences. (`LockedTests`)
    nonmutating set { _ = TlsSetValue(index, UnsafeMutableRawPointer(bitPattern: newValue)) }
  }
  #else
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "Weir requires thread-local storage, and none is left.")
    self.key = key
  }

  package var value: UInt {
    get { UInt(bitPattern: pthread_getspecific(key)) }
    // Safety: the pointer is a number that no code dereferences. (`LockedTests`)
    nonmutating set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
  #endif
}

// MARK: Messages

/// Writes text to standard error, the log of a program that has no other; to standard output where only that is known.
package func writeToStandardError(_ text: String) {
  #if WEIR_BARE || canImport(WinSDK)
  print(text, terminator: "")
  #else
  var text = text
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  #endif
}

/// Stops in the debugger; terminates the program if none is attached.
@usableFromInline
package func stopInDebugger() {
  #if WEIR_BARE
  fatalError("A breakpoint was reached, and this platform has no debugger to stop in.")
  #elseif canImport(WinSDK)
  DebugBreak()
  #else
  _ = raise(SIGTRAP)
  #endif
}

// MARK: The program's code

/// Returns the return addresses of the innermost calls; none where the C library has no such function.
package func returnAddresses(depth: Int) -> [UInt] {
  #if os(Linux) && !WEIR_BARE
  guard let backtrace else { return [] }
  var addresses = [UInt](repeating: 0, count: depth)
  // Safety: the function writes at most `depth` addresses, and returns how many it has written. (`TracingTests`)
  let count = backtrace(&addresses, Int32(depth))
  return Array(addresses.prefix(Int(count)))
  #else
  return []
  #endif
}

#if os(Linux) && !WEIR_BARE
// Looked up by name, because the C library's module does not declare it. A statically linked program has no names.
// Safety: this is the type of the function in the C library. (`TracingTests`)
private let backtrace: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32)? = dlsym(nil, "backtrace")
  .map { unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32).self) }
#endif

/// Returns the text of a file; an empty one if it can't be read.
package func textOfFile(at path: String) -> String {
  #if os(Linux) && !WEIR_BARE
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return "" }
  defer { close(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(file, &part, part.count), count > 0 { bytes += part.prefix(count) }
  return String(decoding: bytes, as: UTF8.self)
  #else
  return ""
  #endif
}

// Safety: the result is never unmapped. (`TracingTests`)
/// Maps a whole file into memory, where it stays until the program ends; `nil` if it can't be read.
package func mapFile(at path: String) -> UnsafeRawBufferPointer? {
  #if os(Linux) && !WEIR_BARE
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0, status.st_size > 0 else { return nil }
  let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0)
  guard let start, start != MAP_FAILED else { return nil }
  // Safety: the mapping has exactly this number of bytes. (`TracingTests`)
  return UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
  #else
  return nil
  #endif
}
