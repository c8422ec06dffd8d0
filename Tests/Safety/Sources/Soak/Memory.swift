// Resident memory of this process, and whether it stays as it is.

import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// The resident memory at present, in megabytes.
func residentMemory() -> Double? {
  #if canImport(Darwin)
  // Not `task_info`, whose task is a global variable, and so not for Swift 6.
  var usage = rusage_info_v0()
  // Safety: the kernel writes the structure that its version names, which is this one.
  let result = withUnsafeMutablePointer(to: &usage) { pointer in
    pointer.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
      proc_pid_rusage(getpid(), RUSAGE_INFO_V0, $0)
    }
  }
  return result == 0 ? Double(usage.ri_resident_size) / 1_000_000 : nil
  #else
  // The second number: in pages.
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = text.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return Double(pages * sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
  #endif
}

/// A sample for each second.
struct Memory {
  /// Seconds until the caches of the allocator and of the runtime are as large as they get.
  let warmUp: Int
  private(set) var samples: [Double] = []

  init(seconds: Int) {
    warmUp = seconds >= 600 ? 60 : seconds / 10
    samples.reserveCapacity(seconds)
  }

  mutating func add(_ sample: Double) { samples.append(sample) }

  /// The averages of the first and of the last sixth after the warm-up: single values say nothing.
  var ends: (first: Double, last: Double)? {
    let samples = samples.dropFirst(warmUp)
    let sixth = samples.count / 6
    guard sixth > 0 else { return nil }
    return (samples.prefix(sixth).average, samples.suffix(sixth).average)
  }
}

extension Collection<Double> {
  fileprivate var average: Double { reduce(0, +) / Double(count) }
}
