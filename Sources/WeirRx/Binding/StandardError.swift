#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes a line to standard error, the log of a program that has no other.
func writeToStandardError(_ message: String) {
  #if canImport(WinSDK)
  print(message)
  #else
  var line = message + "\n"
  line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  #endif
}
