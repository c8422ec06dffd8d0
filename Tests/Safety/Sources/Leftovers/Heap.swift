// The measurement: the memory that repeated rounds leave on the heap.

import CHeap
import Cases

/// Runs a round many times, and describes the objects that each leaves behind; `tokens` counts the live ones.
func measure(_ name: String, rounds count: Int = 48, tokens: () -> Int, _ round: () -> Void) -> String? {
  // The first rounds fill caches: metadata, the allocator's free lists, permanent collections.
  for _ in 0..<12 { round() }
  var (bytes, left) = (0, 0)
  // A cache can still grow, but not in each of four measurements.
  for _ in 0..<4 {
    let (bytesBefore, tokensBefore) = (allocated_bytes(), tokens())
    for _ in 0..<count { round() }
    (bytes, left) = (Int(allocated_bytes()) - Int(bytesBefore), tokens() - tokensBefore)
    // The smallest object takes 32 bytes. Half of that in each round is more than caches take.
    if bytes < 16 * count, left == 0 { return nil }
  }
  func each(_ total: Int) -> String { total % count == 0 ? "\(total / count)" : "\(Double(total * 10 / count) / 10)" }
  return "\(name) leaves \(each(bytes)) bytes and \(each(left)) tokens behind each time"
}

/// An object that retains itself.
private final class Planted {
  var other: Planted?

  // Not inlined, so that the object is not optimized away.
  @inline(never)
  func leak() { other = self }
}

/// Checks that the measurement detects a leaked object, if the allocator reports its bytes.
var planted: Case {
  Case("a-planted-leak") {
    let leftover = measure("a round", tokens: { 0 }) {
      Planted().leak()
    }
    let isSeen = leftover?.hasPrefix("a round leaves 32") ?? false
    return isSeen == tells_allocated_bytes() ? nil : "measured: \(leftover ?? "nothing")"
  }
}
