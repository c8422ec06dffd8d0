#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How much is tried: few by default, as many as `WEIR_CAMPAIGN` says when it is set.
enum Effort {
  static let asked: Int? = getenv("WEIR_CAMPAIGN").flatMap { Int(String(cString: $0)) }

  /// How many times two threads race.
  static func rounds(_ few: Int) -> Int { asked ?? few }

  /// How many steps a test of the stack takes, a million at the most: one of 512 KiB overflows after some thousands.
  static var steps: Int { min(max(rounds(0), 50_000), 1_000_000) }
}
