import Dispatch
import Synchronization
import Weir
import WeirDispatch

/// The progress of the reading; one thread writes it, and another one draws it.
final class Progress: Sendable {
  private let bytes = Atomic<Int>(0)
  private let records = Atomic<Int>(0)

  func read(_ count: Int) {
    bytes.wrappingAdd(count, ordering: .relaxed)
  }

  func took(recordNumber: Int) {
    records.store(recordNumber, ordering: .relaxed)
  }

  func now(after seconds: Double, of size: Int?) -> Snapshot {
    Snapshot(
      bytes: bytes.load(ordering: .relaxed), records: records.load(ordering: .relaxed), seconds: seconds, size: size)
  }

  struct Snapshot {
    var bytes: Int
    var records: Int
    var seconds: Double

    /// The total number of bytes, if it is known.
    var size: Int?

    /// A line of at most this many columns, with a bar if the size is known.
    func line(columns: Int, isColored: Bool) -> String {
      let perSecond = Double(bytes) / max(seconds, 0.001)
      let figures = [
        size.map { "\(bytes.asBytes) of \($0.asBytes)" } ?? bytes.asBytes,
        "\(Int(perSecond).asBytes)/s",
        "\(Int(Double(records) / max(seconds, 0.001)).grouped) records/s",
      ]
      guard let size, size > 0 else { return figures.joined(separator: "  ").prefix(columns).description }
      let part = min(Double(bytes) / Double(size), 1)
      let left = perSecond > 0 ? "\((Double(max(size - bytes, 0)) / perSecond).asDuration) left" : ""
      let text = " \(String(Int(part * 100)).leading(3)) %  " + (figures + [left]).joined(separator: "  ")
      let width = min(columns - text.count - 1, 40)
      guard width >= 8 else { return text.prefix(columns).description }
      let filled = Int(part * Double(width))
      let bar = String(repeating: "━", count: filled)
      let track = String(repeating: "─", count: width - filled)
      return (isColored ? "\u{1B}[36m\(bar)\u{1B}[2m\(track)\u{1B}[0m" : bar + track) + text
    }
  }
}

/// Draws the progress on a terminal, ten times a second, until it is cleared.
final class ProgressLine {
  private let output: Output
  private let queue = DispatchQueue(label: "progress")
  private let timer: any Cancellable

  /// - Returns: `nil` without a terminal.
  init?(_ progress: Progress, of size: Int?, on output: Output) {
    guard output.isTerminal else { return nil }
    self.output = output
    let (start, isColored) = (DispatchTime.now(), output.takesColors)
    timer = queue.schedule(after: .init(start).advanced(by: .milliseconds(100)), interval: .milliseconds(100)) {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      let line = progress.now(after: seconds, of: size).line(columns: output.columns - 1, isColored: isColored)
      try? output.write("\r\(line)\u{1B}[K")
    }
  }

  func clear() {
    timer.cancel()
    // After a drawing in progress.
    queue.sync { try? output.write("\r\u{1B}[K") }
  }
}
