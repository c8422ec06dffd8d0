/// The statistics of the lines so far.
final class Statistics {
  struct Count: Equatable {
    var requests = 0
    var errors = 0
    var bytes = 0

    mutating func add(_ request: Request) {
      requests += 1
      if request.isError { errors += 1 }
      bytes += request.size
    }

    static func += (lhs: inout Count, rhs: Count) {
      lhs.requests += rhs.requests
      lhs.errors += rhs.errors
      lhs.bytes += rhs.bytes
    }
  }

  /// A line that could not be parsed.
  struct Malformed: Equatable {
    let name: String
    let number: Int
    let fault: Entry.Fault
    let text: String
  }

  /// The number of malformed lines that are shown, and their maximum length.
  static let (shownCount, shownLength) = (5, 120)

  /// More windows than this are merged to longer ones, so that the memory is bounded for any period.
  private let maxWindowCount: Int

  private(set) var window: Window
  private(set) var total = Count()
  private(set) var byClass = [Int](repeating: 0, count: 6)
  private(set) var paths = Tally()
  private(set) var hosts = Tally()
  private(set) var malformedCount = 0
  private(set) var firstMalformed: [Malformed] = []

  private var finished: [Int: Count] = [:]

  /// The window of the last request, which is usually that of the next one too.
  private var current: (number: Int, count: Count)?

  init(window: Window, maxWindowCount: Int = 20_000) {
    self.window = window
    self.maxWindowCount = maxWindowCount
  }

  var lineCount: Int { total.requests + malformedCount }

  func add(_ entry: Entry) {
    switch entry {
    case .request(let request): add(request)
    case .malformed(let line, let fault):
      malformedCount += 1
      if malformedCount > Self.shownCount { return }
      let text = String(decoding: line.chunk.bytes[line.range.prefix(Self.shownLength)], as: UTF8.self)
      firstMalformed.append(
        Malformed(name: line.chunk.name, number: line.number, fault: fault, text: text.withoutControls))
    }
  }

  private func add(_ request: Request) {
    let bytes = request.line.chunk.bytes
    total.add(request)
    byClass[request.status / 100] += 1
    paths.add(bytes[request.path])
    hosts.add(bytes[request.host])
    let number = window.number(at: request.time)
    if current?.number != number {
      finishCurrent()
      current = (window.number(at: request.time), Count())
    }
    current?.count.add(request)
  }

  /// The windows with requests, in the order of their times.
  var windows: [(number: Int, count: Count)] {
    finishCurrent()
    return finished.sorted { $0.key < $1.key }.map { (number: $0.key, count: $0.value) }
  }

  private func finishCurrent() {
    guard let last = current else { return }
    current = nil
    finished[last.number, default: Count()] += last.count
    while finished.count > maxWindowCount, let wider = window.wider {
      let windows = finished
      finished = [:]
      for (number, count) in windows {
        finished[wider.number(at: number * window.seconds), default: Count()] += count
      }
      window = wider
    }
  }
}

extension String {
  /// The text with a placeholder for each control character.
  var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
