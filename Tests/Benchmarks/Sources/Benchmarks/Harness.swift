import AllocationCounter

/// A library, or the work by hand.
enum Contender: String, CaseIterable, Codable {
  /// The same closures, called by hand.
  case limit
  case lazySequences = "lazy"
  case java = "Java"
  case weir = "Weir"
  case openCombine = "OpenCombine"
  case asyncAlgorithms = "AsyncAlgorithms"

  static let peers: [Contender] = [.openCombine, .asyncAlgorithms]
}

/// What Weir must reach in a workload.
enum Bound {
  /// At most this many times the time of the work by hand.
  case timesLimit(Double)
  /// At least this many times as fast as a peer.
  case fasterThan(Contender, times: Double)
}

/// The same work, once for each contender.
///
/// Running it gives a number that is known beforehand, so that no contender can win by omitting work.
struct Workload {
  typealias Work = () -> Int

  /// The number in the table, for instance `W6 zip`.
  let name: String

  let title: String

  /// The number of values, deliveries or subscriptions of one run, by which its time is divided.
  let operations: Int

  let expected: Int

  let bound: Bound

  /// How many allocations an operation may have in Weir, if that is part of the bound.
  var allocations: Int?

  /// The contenders that have this work.
  ///
  /// Without Weir the workload is one that is not there yet.
  let work: [Contender: Work]

  init(
    _ name: String, _ title: String, operations: Int, expected: Int, bound: Bound, allocations: Int? = nil,
    limit: @escaping Work, weir: Work?, openCombine: Work? = nil, asyncAlgorithms: Work? = nil
  ) {
    var work: [Contender: Work] = [.limit: limit]
    work[.weir] = weir
    work[.openCombine] = openCombine
    work[.asyncAlgorithms] = asyncAlgorithms
    self.init(
      name, title, operations: operations, expected: expected, bound: bound, allocations: allocations, work: work)
  }

  init(
    _ name: String, _ title: String, operations: Int, expected: Int, bound: Bound, allocations: Int? = nil,
    work: [Contender: Work]
  ) {
    self.name = name
    self.title = title
    self.operations = operations
    self.expected = expected
    self.bound = bound
    self.allocations = allocations
    self.work = work
  }
}

/// What was found out about one contender: times in nanoseconds for each operation.
struct Measurement: Codable {
  var median: Double
  var fastest: Double
  var slowest: Double

  /// Blocks allocated for each operation; `nil` where they can't be counted.
  var allocations: Double?

  /// How many times as long as the work by hand, and as Weir: the medians of the rounds' ratios.
  var toLimit: Double?
  var toWeir: Double?
}

/// What was found out in one workload.
struct Outcome: Codable {
  var name: String
  var title: String
  var operations: Int
  var measurements: [String: Measurement]

  /// The median of the rounds' ratios: a machine that slows down for a while slows down both sides of a round.
  var weirToLimit: Double?
  var bestPeerToWeir: Double?
  var bestPeer: String?

  var bound: String
  var verdict: Verdict

  subscript(_ contender: Contender) -> Measurement? { measurements[contender.rawValue] }
}

/// Whether Weir reaches its bound.
enum Verdict: String, Codable {
  case reached = "yes"
  case missed = "no"
  /// The middle half of the rounds lies on both sides of the bound.
  case closeReached = "yes, within noise"
  case closeMissed = "no, within noise"
  case notThereYet = "not there yet"
}

/// Runs workloads: a check, a warm-up, then rounds in which every contender has its turn.
struct Harness {
  let rounds: Int

  /// How long a contender's turn lasts at least, so that the clock's own cost and one interruption weigh little.
  let turn: Duration

  let progress: Progress

  init(_ options: Options, _ progress: Progress, turn: Duration = .milliseconds(25)) {
    rounds = options.isQuick ? 3 : 9
    self.turn = options.isQuick ? .milliseconds(5) : turn
    self.progress = progress
  }

  func run(_ workloads: [Workload]) -> [Outcome] {
    workloads.enumerated().map { index, workload in
      run(workload) { progress.show("[\(index + 1)/\(workloads.count)] \(workload.name): \($0)") }
    }
  }

  private func run(_ workload: Workload, _ report: (String) -> Void) -> Outcome {
    let contenders = Contender.allCases.filter { workload.work[$0] != nil }
    var passes: [Contender: Int] = [:]
    var allocations: [Contender: Double] = [:]
    var times: [Contender: [Double]] = [:]
    for contender in contenders {
      guard let work = workload.work[contender] else { continue }
      report("checking \(contender.rawValue)")
      let sum = work()
      guard sum == workload.expected else {
        fatalError("\(workload.name): \(contender.rawValue) gives \(sum) instead of \(workload.expected).")
      }
      let counted = countingAllocations { _ = work() }
      allocations[contender] = counted.map { Double($0.count) / Double(workload.operations) }
      passes[contender] = calibrate(work)
    }
    for round in 1...rounds {
      report("round \(round) of \(rounds)")
      // The order alternates, so that no contender always follows the same other one.
      for contender in round.isMultiple(of: 2) ? contenders.reversed() : contenders {
        guard let work = workload.work[contender], let passes = passes[contender] else { continue }
        let time = measure(passes) {
          let sum = work()
          if sum != workload.expected {
            fatalError("\(workload.name): \(contender.rawValue) gave \(sum) in round \(round).")
          }
        }
        times[contender, default: []].append(time / Double(passes) / Double(workload.operations))
      }
    }
    return Outcome(workload, times: times, allocations: allocations)
  }

  /// How often the work is to be done in one turn; finding out is the warm-up.
  private func calibrate(_ work: Workload.Work) -> Int {
    let once = measure(1) { _ = work() }
    return max(1, Int((turn.nanoseconds / max(once, 1)).rounded(.up)))
  }
}

/// The nanoseconds of this many passes.
func measure(_ passes: Int, _ body: () -> Void) -> Double {
  ContinuousClock().measure { for _ in 0..<passes { body() } }.nanoseconds
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}

extension Outcome {
  init(_ workload: Workload, times: [Contender: [Double]], allocations: [Contender: Double]) {
    name = workload.name
    title = workload.title
    operations = workload.operations
    bound = workload.bound.description
    if let most = workload.allocations { bound += ", ≤ \(most) allocations" }
    measurements = [:]
    let (limitTimes, weirTimes) = (times[.limit], times[.weir])
    for (contender, times) in times {
      measurements[contender.rawValue] = Measurement(
        median: times.median, fastest: times.min() ?? 0, slowest: times.max() ?? 0,
        allocations: allocations[contender], toLimit: limitTimes.map { times.ratios(to: $0).median },
        toWeir: weirTimes.map { times.ratios(to: $0).median })
    }
    verdict = .notThereYet
    guard let weir = times[.weir], let limit = times[.limit] else { return }
    weirToLimit = weir.ratios(to: limit).median
    let peers = Contender.peers.compactMap { peer in times[peer].map { (peer, $0) } }
    if let (peer, times) = peers.min(by: { $0.1.median < $1.1.median }) {
      bestPeer = peer.rawValue
      bestPeerToWeir = times.ratios(to: weir).median
    }
    switch workload.bound {
    case .timesLimit(let most):
      verdict = Verdict(weir.ratios(to: limit), atMost: most)
    case .fasterThan(let peer, let least):
      verdict = Verdict(weir.ratios(to: times[peer] ?? []), atMost: 1 / least)
    }
    if let most = workload.allocations, let counted = allocations[.weir], counted.rounded() > Double(most) {
      verdict = .missed
    }
  }
}

extension Bound: CustomStringConvertible {
  var description: String {
    switch self {
    case .timesLimit(let times): "≤ \(times.short) × limit"
    case .fasterThan(let peer, let times): "≥ \(times.short) × faster than \(peer.rawValue)"
    }
  }
}

extension Verdict {
  init(_ ratios: [Double], atMost bound: Double) {
    let isReached = ratios.median <= bound
    let isClose = ratios.quantile(0.25) <= bound && bound < ratios.quantile(0.75)
    self = isReached ? (isClose ? .closeReached : .reached) : (isClose ? .closeMissed : .missed)
  }
}
