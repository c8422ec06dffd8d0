// The resident memory of this process, and whether it is stable.

import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// The current resident memory in megabytes.
func residentMemory() -> Double? {
  #if canImport(Darwin)
  // Not `task_info`, whose task is a global variable, which Swift 6 rejects.
  var usage = rusage_info_v0()
  // Safety: the kernel writes the structure for the given version, which is this one.
  let result = withUnsafeMutablePointer(to: &usage) { pointer in
    pointer.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
      proc_pid_rusage(getpid(), RUSAGE_INFO_V0, $0)
    }
  }
  return result == 0 ? Double(usage.ri_resident_size) / 1_000_000 : nil
  #else
  // The second number is the resident memory in pages.
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = text.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return Double(pages * sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
  #endif
}

/// A sample for each second.
struct Memory {
  /// Seconds until the caches of the allocator and of the runtime have reached their size.
  let warmUp: Int
  private(set) var samples: [Double] = []

  init(seconds: Int) {
    warmUp = seconds >= 600 ? 60 : seconds / 10
    samples.reserveCapacity(seconds)
  }

  mutating func add(_ sample: Double) { samples.append(sample) }

  /// The averages of the first and last sixth after the warm-up.
  ///
  /// Single values are too noisy.
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
