#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The amount of testing: little by default, or the amount in `WEIR_CAMPAIGN`.
enum Effort {
  static let asked: Int? = getenv("WEIR_CAMPAIGN").flatMap { Int(String(cString: $0)) }

  /// The number of rounds in which two threads race.
  static func rounds(_ few: Int) -> Int { asked ?? few }

  /// The number of steps in a test of the stack, at most a million.
  ///
  /// A stack of 512 KiB overflows after some thousands.
  static var steps: Int { min(max(rounds(0), 50_000), 1_000_000) }
}
