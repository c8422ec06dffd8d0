import Foundation

/// The number of scripts for each model, and the first seed.
///
/// `WEIR_CAMPAIGN=100000` runs this many, or `WEIR_SCRIPTS` if that is set too. `WEIR_SEED=7` runs only the script of
/// this seed.
enum Campaign {
  static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["WEIR_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<((environment["WEIR_SCRIPTS"] ?? environment["WEIR_CAMPAIGN"]).flatMap(UInt64.init) ?? 50)
  }()

  /// The number of multithreaded rounds for each row and each rule that only concurrent calls can break: 5, or a
  /// two-hundredth of `WEIR_CAMPAIGN`.
  static let rounds = (ProcessInfo.processInfo.environment["WEIR_CAMPAIGN"].flatMap(Int.init) ?? 1000) / 200

  /// The number of steps in the scripts of rules: 3, or 4 with `WEIR_CAMPAIGN`, which takes five times as long.
  static let length = ProcessInfo.processInfo.environment["WEIR_CAMPAIGN"] == nil ? 3 : 4
}

/// Removes unnecessary steps of a failing script, one after the other.
func shrink<Step>(_ script: [Step], while fails: ([Step]) -> Bool) -> [Step] {
  var script = script
  var index = 0
  while index < script.count {
    var shorter = script
    shorter.remove(at: index)
    if fails(shorter) {
      script = shorter
      index = 0
    } else {
      index += 1
    }
  }
  return script
}
