// The memory through which a process that runs programs reports to its parent, also after a crash.

import Foundation

/// A number that a campaign reports.
enum Tally: Int, CaseIterable {
  /// The seed of the current program.
  case seed
  case programs, delivered, reentered, crossed, overflowed, cancelled, compared

  /// The figure's name.
  var label: String {
    switch self {
    case .seed: "seed"
    case .programs: "programs"
    case .delivered: "delivered values"
    case .reentered: "re-entered"
    case .crossed: "crossed threads"
    case .overflowed: "overflowed a buffer"
    case .cancelled: "cancelled"
    case .compared: "compared with the models"
    }
  }
}

/// Numbers in a file that two processes map.
struct Board {
  private static let size = Tally.allCases.count * MemoryLayout<Int>.stride
  private let numbers: UnsafeMutablePointer<Int>

  /// Maps a file, and creates it if necessary.
  init?(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard ftruncate(file, off_t(Self.size)) == 0 else { return nil }
    guard let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
      return nil
    }
    numbers = memory.bindMemory(to: Int.self, capacity: Tally.allCases.count)
  }

  func unmap() { munmap(numbers, Self.size) }

  subscript(tally: Tally) -> Int {
    get { numbers[tally.rawValue] }
    nonmutating set { numbers[tally.rawValue] = newValue }
  }

  func count(_ outcome: Outcome) {
    self[.programs] += 1
    let happened: [(Tally, Bool)] = [
      (.delivered, outcome.hasDelivered), (.reentered, outcome.hasReentered), (.crossed, outcome.hasCrossed),
      (.overflowed, outcome.hasOverflowed), (.cancelled, outcome.hasCancelled), (.compared, outcome.isCompared),
    ]
    for (tally, isTrue) in happened where isTrue { self[tally] += 1 }
  }
}
