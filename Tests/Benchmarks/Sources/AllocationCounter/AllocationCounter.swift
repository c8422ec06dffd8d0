import Synchronization

/// What a piece of work asked of the allocator.
public struct Allocations: Sendable {
  /// How many blocks it was given.
  public var count: Int

  /// How many bytes more were in use at its end than at its beginning, the allocator's rounding included.
  public var bytes: Int
}

/// Counts what the whole process allocates while a closure runs.
///
/// The functions below take the place of the C library's, for every library in the process: the linker gives them those
/// names (see the manifest), and the dynamic linker looks for `malloc` in the program first. That is exact, where
/// `mallinfo2` only tells how many bytes are in use, and needs neither C nor a library to preload, so counting and
/// timing are one run. Outside of this function a call costs a load and a jump more, for every contender alike.
///
/// Everywhere but on Linux with the GNU C library it answers `nil`.
public func countingAllocations(_ body: () -> Void) -> Allocations? {
  #if canImport(Glibc)
  count.store(0, ordering: .relaxed)
  bytes.store(0, ordering: .relaxed)
  isCounting.store(true, ordering: .sequentiallyConsistent)
  body()
  isCounting.store(false, ordering: .sequentiallyConsistent)
  return Allocations(count: count.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed))
  #else
  body()
  return nil
  #endif
}

#if canImport(Glibc)
private let isCounting = Atomic<Bool>(false)
private let count = Atomic<Int>(0)
private let bytes = Atomic<Int>(0)

// The names under which the C library keeps its own functions. Nothing here may allocate.

@_silgen_name("__libc_malloc") private func libcMalloc(_ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_calloc") private func libcCalloc(_ number: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_realloc")
private func libcRealloc(_ block: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_memalign")
private func libcMemalign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_free") private func libcFree(_ block: UnsafeMutableRawPointer?)
@_silgen_name("malloc_usable_size") private func usableSize(_ block: UnsafeMutableRawPointer?) -> Int

private func noting(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if isCounting.load(ordering: .relaxed) {
    count.wrappingAdd(1, ordering: .relaxed)
    bytes.wrappingAdd(usableSize(block), ordering: .relaxed)
  }
  return block
}

/// Takes the place of `malloc`.
@_cdecl("counted_malloc")
public func countedMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
  noting(libcMalloc(size))
}

/// Takes the place of `calloc`.
@_cdecl("counted_calloc")
public func countedCalloc(_ number: Int, _ size: Int) -> UnsafeMutableRawPointer? {
  noting(libcCalloc(number, size))
}

/// Takes the place of `realloc`.
@_cdecl("counted_realloc")
public func countedRealloc(_ block: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
  if isCounting.load(ordering: .relaxed) { bytes.wrappingSubtract(usableSize(block), ordering: .relaxed) }
  return noting(libcRealloc(block, size))
}

/// Takes the place of `aligned_alloc`.
@_cdecl("counted_aligned_alloc")
public func countedAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
  noting(libcMemalign(alignment, size))
}

/// Takes the place of `posix_memalign`.
@_cdecl("counted_posix_memalign")
public func countedPosixMemalign(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ size: Int
) -> Int32 {
  let outOfMemory: Int32 = 12
  guard let block = noting(libcMemalign(alignment, size)) else { return outOfMemory }
  result.pointee = block
  return 0
}

/// Takes the place of `free`.
@_cdecl("counted_free")
public func countedFree(_ block: UnsafeMutableRawPointer?) {
  if isCounting.load(ordering: .relaxed) { bytes.wrappingSubtract(usableSize(block), ordering: .relaxed) }
  libcFree(block)
}
#endif
