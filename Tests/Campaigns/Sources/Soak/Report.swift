import CHeap
import Foundation

/// The result of a run.
struct Report {
  let server: Server
  let timers: Timers
  let memory: Memory
  /// The allocated memory.
  ///
  /// It is a small part of the resident memory, so a leak shows here first. It is only printed, because it takes a
  /// minute to stabilize, which a short run doesn't have.
  let heap: Memory
  /// The average number of live requests.
  let living: Int

  private var growth: Double? { memory.ends.map { ($0.last / $0.first - 1) * 100 } }

  private var made: Int { server.counts.values.reduce(0) { $0 + $1.all.made } }

  private var delivered: Int { server.counts.values.reduce(0) { $0 + $1.all.delivered } }

  func print() {
    row("kind of request", ["made", "completed", "values"])
    for kind in Kind.allCases {
      guard let all = server.counts[kind]?.all else { continue }
      row(kind.rawValue, ["\(all.made)", "\(all.completed)", "\(all.delivered)"])
    }
    Swift.print("\(made) requests, \(living) at a time; \(delivered) values delivered")
    if let ends = memory.ends, let growth {
      Swift.print(
        "resident memory after the first \(memory.warmUp) s: \(ends.first.tenths) MB in the first sixth, "
          + "\(ends.last.tenths) MB in the last: \(growth.signed) %")
    }
    if let ends = heap.ends, tells_allocated_bytes() {
      Swift.print("heap in use: \(ends.first.hundredths) MB, and \(ends.last.hundredths) MB")
    }
    row("lateness of a timer of 100 ms, in ms", ["fired", "median", "99 %"])
    for timer in timers.results {
      row(timer.name, ["\(timer.count)", timer.median.hundredths, timer.percentile99.hundredths])
    }
  }

  var faults: [String] {
    var faults: [String] = []
    for kind in Kind.allCases where server.counts[kind]?.all.delivered == 0 {
      faults.append("\(kind.rawValue) delivered no value")
    }
    for timer in timers.results where timer.count == 0 { faults.append("\(timer.name) never fired") }
    if let growth, growth > 5 {
      faults.append("the resident memory grew by \(growth.tenths) %: more than 5 %")
    }
    if growth == nil { faults.append("the run was too short to tell whether memory grows") }
    return faults
  }

  func addFigures(to file: String) throws {
    var lines = ["requests, \(living) at a time\t\(made)", "values that they delivered\t\(delivered)"]
    if let ends = memory.ends, let growth {
      lines.append(
        "resident memory, first and last sixth\t\(ends.first.tenths) MB, \(ends.last.tenths) MB (\(growth.signed) %)")
    }
    if let ends = heap.ends, tells_allocated_bytes() {
      lines.append("heap in use, first and last sixth\t\(ends.first.hundredths) MB, \(ends.last.hundredths) MB")
    }
    for timer in timers.results {
      lines.append(
        "lateness, \(timer.name): median, 99 %\t\(timer.median.hundredths) ms, \(timer.percentile99.hundredths) ms")
    }
    let before = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    try (before + lines.map { $0 + "\n" }.joined()).write(toFile: file, atomically: true, encoding: .utf8)
  }

  private func row(_ name: String, _ columns: [String]) {
    func padding(_ text: String, to width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) }
    Swift.print(name + padding(name, to: 38) + columns.map { padding($0, to: 11) + $0 }.joined())
  }
}

extension Double {
  var tenths: String { String(format: "%.1f", self) }

  fileprivate var hundredths: String { String(format: "%.2f", self) }

  fileprivate var signed: String { String(format: "%+.1f", self) }
}
