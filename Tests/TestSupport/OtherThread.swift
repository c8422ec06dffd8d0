#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs a body on another thread, with a stack of this size, and waits for it.
///
/// Called during a delivery, it shows the effect of a call by another thread, deterministically.
func onAnotherThread(stack: Int = 512 * 1024, _ body: () -> Void) {
  withoutActuallyEscaping(body) { body in
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stack)
    let work = Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, &attributes, runWork, work.toOpaque())
    precondition(status == 0, "A thread could not be started.")
    #if canImport(Darwin)
    if let thread { pthread_join(thread, nil) }
    #else
    pthread_join(thread, nil)
    #endif
    pthread_attr_destroy(&attributes)
  }
}

#if canImport(Darwin)
private func runWork(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Box<() -> Void>>.fromOpaque(work).takeRetainedValue().value()
  return nil
}
#else
private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work { Unmanaged<Box<() -> Void>>.fromOpaque(work).takeRetainedValue().value() }
  return nil
}
#endif
