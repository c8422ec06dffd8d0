import AllocationCounter
import OpenCombine
import Weir

/// How a cost changes as the work grows.
struct Chart: Codable {
  struct Point: Codable {
    var x: Int
    var y: Double
  }

  struct Series: Codable {
    var name: String
    var points: [Point] = []
  }

  var title: String
  var xLabel: String
  var yLabel: String
  var series: [Series] = []
}

@MainActor
func measureGrowth(_ options: Options, _ progress: Progress) throws {
  let growth = Growth(
    rounds: options.isQuick ? 3 : 7, turn: options.isQuick ? .milliseconds(2) : .milliseconds(10), progress: progress)
  let largest = options.isQuick ? 100_000 : 10_000_000
  let crowds = options.isQuick ? [1, 10, 100, 1000] : [1, 10, 100, 1000, 10_000, 100_000]
  let live = options.isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
  let makers = [
    { growth.values(upTo: largest) }, { growth.sends(upTo: largest) }, growth.depth, { growth.subscribers(crowds) },
    { growth.cancelling(crowds.filter { $0 > 1 }) }, { growth.bytes(live) },
  ]
  let titles = ["values", "sends", "operators", "subscribers", "cancelling", "bytes"]
  let charts = zip(titles, makers).filter { options.wants($0.0) }.compactMap { $0.1() }
  progress.clear()
  for chart in charts { print("\(chart.title): \(chart.yLabel)\n\n\(Table(chart).text)\n") }
  if let file = options.json { try write(encode(charts), to: file) }
  if let file = options.plot { try write(Plot(charts).svg, to: file) }
}

extension Table {
  init(_ chart: Chart) {
    var sizes: [Int] = []
    for point in chart.series.flatMap(\.points) where !sizes.contains(point.x) { sizes.append(point.x) }
    header = [chart.xLabel] + sizes.map(\.grouped)
    for series in chart.series {
      rows.append(
        [series.name] + sizes.map { size in series.points.first { $0.x == size }?.y.short ?? "–" })
    }
  }
}

/// The measurements, with Weir and OpenCombine in turn at every point.
@MainActor
private struct Growth {
  let rounds: Int
  let turn: Duration
  let progress: Progress

  // MARK: How long it takes

  func values(upTo largest: Int) -> Chart {
    chart("Cost for each value, as there are more", "values", sizes(upTo: largest)) { count in
      [
        "limit": { byHand(count) },
        "Weir": { viaWeir(Weir.Publishers.Sequence(sequence: 0..<count)) },
        "OpenCombine": { viaOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count)) },
      ]
    }
  }

  func sends(upTo largest: Int) -> Chart {
    chart("Cost for each send to a subject, as there are more", "sends", sizes(upTo: largest)) { count in
      [
        "Weir": {
          let subject = Weir.PassthroughSubject<Int, Never>()
          return sending(viaWeir: subject, to: subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }, count)
        },
        "OpenCombine": {
          let subject = OpenCombine.PassthroughSubject<Int, Never>()
          return sending(viaOpenCombine: subject, to: subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }, count)
        },
      ]
    }
  }

  func depth() -> Chart {
    let count = 10_000
    return chart(
      "Cost for each value and operator, as chains get longer", "operators", [1, 2, 5, 10, 15, 20, 25, 30],
      operations: { $0 * count }
    ) { depth in
      [
        "Weir": { mappedInWeir(Weir.Publishers.Sequence(sequence: 0..<count), depth) },
        "OpenCombine": { mappedInOpenCombine(OpenCombine.Publishers.Sequence(sequence: 0..<count), depth) },
      ]
    }
  }

  func subscribers(_ crowds: [Int]) -> Chart {
    chart(
      "Cost for each delivery of a subject, as it has more subscribers", "subscribers", crowds,
      operations: { $0 * max(1, 1000 / $0) }
    ) { crowd in
      let sends = max(1, 1000 / crowd)
      var sum = 0
      let weir = Weir.PassthroughSubject<Int, Never>()
      let ofWeir = (0..<crowd).map { _ in weir.sink { sum = sum &+ $0 } }
      let openCombine = OpenCombine.PassthroughSubject<Int, Never>()
      let ofOpenCombine = (0..<crowd).map { _ in openCombine.sink { sum = sum &+ $0 } }
      return [
        "Weir": {
          sum = 0
          for value in 1...sends { weir.send(value) }
          withExtendedLifetime(ofWeir) {}
          return sum
        },
        "OpenCombine": {
          sum = 0
          for value in 1...sends { openCombine.send(value) }
          withExtendedLifetime(ofOpenCombine) {}
          return sum
        },
      ]
    }
  }

  /// Everything that a subject has is cancelled, one by one and not in the order of their coming.
  func cancelling(_ crowds: [Int]) -> Chart {
    var chart = Chart(
      title: "Cost of cancelling one of many subscribers", xLabel: "subscribers", yLabel: "ns for each",
      series: [Chart.Series(name: "Weir"), Chart.Series(name: "OpenCombine")])
    for crowd in crowds {
      progress.show("\(chart.title): \(crowd)")
      let subjects = max(1, 2000 / crowd)
      var times: [[Double]] = [[], []]
      for _ in 1...rounds {
        let weir = (0..<subjects).map { _ in Weir.PassthroughSubject<Int, Never>() }
        let ofWeir = weir.flatMap { subject in (0..<crowd).map { _ in subject.sink { _ in } } }.scattered
        times[0].append(measure(1) { for each in ofWeir { each.cancel() } } / Double(ofWeir.count))
        let openCombine = (0..<subjects).map { _ in OpenCombine.PassthroughSubject<Int, Never>() }
        let ofOpenCombine = openCombine.flatMap { subject in (0..<crowd).map { _ in subject.sink { _ in } } }.scattered
        times[1].append(measure(1) { for each in ofOpenCombine { each.cancel() } } / Double(ofOpenCombine.count))
      }
      for index in times.indices { chart.series[index].points.append(.init(x: crowd, y: times[index].median)) }
    }
    return chart
  }

  // MARK: How much memory it takes

  /// What a subscription and the cancellable that its user holds take; the sink's closure captures nothing, and belongs
  /// to no actor or to one, which costs the check that it runs there.
  func bytes(_ counts: [Int]) -> Chart? {
    var chart = Chart(
      title: "Memory of one of many live subscriptions to a subject", xLabel: "subscriptions",
      yLabel: "bytes for each",
      series: ["Weir", "Weir, an actor's", "OpenCombine"].map { Chart.Series(name: $0) })
    for count in counts {
      progress.show("\(chart.title): \(count)")
      let weir = Weir.PassthroughSubject<Int, Never>()
      var ofWeir: [Weir.AnyCancellable] = []
      ofWeir.reserveCapacity(2 * count)
      let openCombine = OpenCombine.PassthroughSubject<Int, Never>()
      var ofOpenCombine: [OpenCombine.AnyCancellable] = []
      ofOpenCombine.reserveCapacity(count)
      let counted = [
        countingAllocations { for _ in 0..<count { ofWeir.append(weir.sink { @Sendable _ in }) } },
        countingAllocations { for _ in 0..<count { ofWeir.append(weir.sink { _ in }) } },
        countingAllocations { for _ in 0..<count { ofOpenCombine.append(openCombine.sink { _ in }) } },
      ]
      for (index, allocations) in counted.enumerated() {
        guard let allocations else { return nil }
        chart.series[index].points.append(.init(x: count, y: Double(allocations.bytes) / Double(count)))
      }
    }
    return chart
  }

  // MARK: The way there

  private func sizes(upTo largest: Int) -> [Int] {
    [1000, 10_000, 100_000, 1_000_000, 10_000_000].filter { $0 <= largest }
  }

  /// Measures works that all give the same, a turn for each in every round.
  private func chart(
    _ title: String, _ xLabel: String, _ sizes: [Int], operations: (Int) -> Int = { $0 },
    _ works: (Int) -> KeyValuePairs<String, () -> Int>
  ) -> Chart {
    var chart = Chart(title: title, xLabel: xLabel, yLabel: "ns for each")
    for size in sizes {
      let works = works(size)
      if chart.series.isEmpty { chart.series = works.map { Chart.Series(name: $0.key) } }
      let expected = works[0].value()
      let passes = works.map { name, work in
        progress.show("\(title): \(size), \(name)")
        guard work() == expected else { fatalError("\(title): \(name) computes another sum than \(works[0].key).") }
        return max(1, Int((turn.nanoseconds / max(measure(1) { _ = work() }, 1)).rounded(.up)))
      }
      var times = [[Double]](repeating: [], count: works.count)
      for _ in 1...rounds {
        for (index, work) in works.enumerated() {
          times[index].append(measure(passes[index]) { _ = work.value() } / Double(passes[index] * operations(size)))
        }
      }
      for index in times.indices { chart.series[index].points.append(.init(x: size, y: times[index].median)) }
    }
    return chart
  }
}

extension Array {
  /// The same elements in another order, in which neighbours are far apart: the same one every time.
  fileprivate var scattered: [Element] {
    // A prime that divides no count.
    indices.map { self[$0 * 7919 % count] }
  }
}

private struct Closures {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let sink: (Int) -> Void
}

@inline(never)
private func loop(_ closures: Closures, _ count: Int) {
  for element in 0..<count {
    let mapped = closures.map(element)
    if closures.filter(mapped) { closures.sink(mapped) }
  }
}

private func byHand(_ count: Int) -> Int {
  var sum = 0
  loop(Closures(map: { $0 &+ 1 }, filter: { $0 & 3 != 0 }, sink: { sum = sum &+ $0 }), count)
  return sum
}

@inline(never)
private func viaWeir(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func viaOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func sending(
  viaWeir subject: Weir.PassthroughSubject<Int, Never>, to publisher: some Weir.Publisher<Int, Never>, _ count: Int
) -> Int {
  var sum = 0
  let subscription = publisher.sink { sum = sum &+ $0 }
  for value in 0..<count { subject.send(value) }
  subscription.cancel()
  return sum
}

@inline(never)
private func sending(
  viaOpenCombine subject: OpenCombine.PassthroughSubject<Int, Never>,
  to publisher: some OpenCombine.Publisher<Int, Never>, _ count: Int
) -> Int {
  var sum = 0
  let subscription = publisher.sink { sum = sum &+ $0 }
  for value in 0..<count { subject.send(value) }
  subscription.cancel()
  return sum
}

// MARK: Chains

// A chain's length is part of its type, so each is written down, five operators at a time. They alternate because
// two maps that follow each other are one operator in OpenCombine, and two filters in both libraries.

@inline(__always)
private func five(_ source: some Weir.Publisher<Int, Never>) -> some Weir.Publisher<Int, Never> {
  source.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }
}

@inline(__always)
private func five(_ source: some OpenCombine.Publisher<Int, Never>) -> some OpenCombine.Publisher<Int, Never> {
  source.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }
}

@inline(never)
private func total(_ source: some Weir.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

@inline(never)
private func total(_ source: some OpenCombine.Publisher<Int, Never>) -> Int {
  var sum = 0
  let subscription = source.sink { sum = sum &+ $0 }
  withExtendedLifetime(subscription) {}
  return sum
}

private func mappedInWeir(_ source: some Weir.Publisher<Int, Never>, _ depth: Int) -> Int {
  switch depth {
  case 1: total(source.map { $0 &+ 1 })
  case 2: total(source.map { $0 &+ 1 }.filter { $0 > 0 })
  case 5: total(five(source))
  case 10: total(five(five(source)))
  case 15: total(five(five(five(source))))
  case 20: total(five(five(five(five(source)))))
  case 25: total(five(five(five(five(five(source))))))
  case 30: total(five(five(five(five(five(five(source)))))))
  default: fatalError("There is no chain of \(depth).")
  }
}

private func mappedInOpenCombine(_ source: some OpenCombine.Publisher<Int, Never>, _ depth: Int) -> Int {
  switch depth {
  case 1: total(source.map { $0 &+ 1 })
  case 2: total(source.map { $0 &+ 1 }.filter { $0 > 0 })
  case 5: total(five(source))
  case 10: total(five(five(source)))
  case 15: total(five(five(five(source))))
  case 20: total(five(five(five(five(source)))))
  case 25: total(five(five(five(five(five(source))))))
  case 30: total(five(five(five(five(five(five(source)))))))
  default: fatalError("There is no chain of \(depth).")
  }
}
