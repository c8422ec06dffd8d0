#if OPENCOMBINE
import OpenCombine
#else
import Weir
#endif

// Twenty pipelines as programs have them, with operators that both libraries know.
extension Model {
  var pipelines: [AnyCancellable] {
    [
      results, suggestions, isValid, greeting, isSearchAllowed, total, dearest, receipt, cheap, average, alarm,
      firstSensor,
      pairs, countdown, history, numbers, status, batches, shared, tenOperators,
    ]
  }

  private var results: AnyCancellable {
    query
      .map { $0.lowercased() }
      .filter { $0.count > 1 }
      .removeDuplicates()
      .map { self.search($0).replaceError(with: []) }
      .switchToLatest()
      .receive(on: ImmediateScheduler.shared)
      .sink { self.show("results", $0) }
  }

  private var suggestions: AnyCancellable {
    query
      .filter { !$0.isEmpty }
      .setFailureType(to: Trouble.self)
      .flatMap { self.search($0) }
      .retry(2)
      .catch { _ in Just(["nothing"]) }
      .map { $0.joined(separator: ", ") }
      .sink { self.show("suggestions", $0) }
  }

  private var isValid: AnyCancellable {
    name
      .map { !$0.isEmpty }
      .zip(password.map { $0.count >= 8 })
      .map { $0 && $1 }
      .removeDuplicates()
      .sink { self.show("valid", $0) }
  }

  private var greeting: AnyCancellable {
    name
      .dropFirst()
      .map { $0.isEmpty ? nil : $0 }
      .replaceNil(with: "nobody")
      .map { "Hello, \($0)" }
      .prepend("Who is there?")
      .sink { self.show("greeting", $0) }
  }

  private var isSearchAllowed: AnyCancellable {
    isOnline
      .removeDuplicates()
      .map { isOnline in self.query.map { isOnline && !$0.isEmpty } }
      .switchToLatest()
      .removeDuplicates()
      .prepend(false)
      .sink { self.show("search allowed", $0) }
  }

  private var total: AnyCancellable {
    items
      .filter { $0.count > 0 }
      .map { $0.price * $0.count }
      .scan(0) { $0 + $1 }
      .map { "\($0) €" }
      .sink { self.show("total", $0) }
  }

  private var dearest: AnyCancellable {
    items
      .map { ($0.name, $0.price) }
      .scan(("nothing", 0)) { $0.1 >= $1.1 ? $0 : $1 }
      .map { $0.0 }
      .removeDuplicates()
      .dropFirst()
      .sink { self.show("dearest", $0) }
  }

  private var receipt: AnyCancellable {
    items
      .filter { $0.price > 10 }
      .map { "\($0.count) × \($0.name)" }
      .append("thank you")
      .reduce("") { $0 + $1 + "; " }
      .sink { self.show("receipt", $0) }
  }

  private var cheap: AnyCancellable {
    items
      .prefix { $0.price < 50 }
      .compactMap { $0.count.isMultiple(of: 2) ? $0.name : nil }
      .collect()
      .map { $0.sorted().joined(separator: ", ") }
      .sink { self.show("cheap", $0) }
  }

  private var average: AnyCancellable {
    readings
      .map { $0.value }
      .scan(Average()) { $0.adding($1) }
      .map { $0.value }
      .replaceError(with: -1)
      .removeDuplicates { (last: Double, next: Double) in abs(last - next) < 0.5 }
      .sink { self.show("average", $0) }
  }

  private var alarm: AnyCancellable {
    readings
      .filter { $0.value > 5 }
      .map { "sensor \($0.sensor) at \($0.value)" }
      .first()
      .catch { _ in Just("no sensor") }
      .sink { self.show("alarm", $0) }
  }

  private var firstSensor: AnyCancellable {
    readings
      .filter { $0.sensor == 0 }
      .tryMap { reading in
        guard reading.value < 6 else { throw Trouble.offline }
        return Int(reading.value)
      }
      .mapError { _ in Trouble.offline }
      .scan(0) { $0 + $1 }
      .catch { _ in Just(-1) }
      .sink { self.show("first sensor", $0) }
  }

  private var pairs: AnyCancellable {
    ticks
      .filter { $0.isMultiple(of: 2) }
      .zip(ticks.filter { !$0.isMultiple(of: 2) })
      .map { $0 * $1 }
      .dropFirst(2)
      .prefix(2)
      .sink { self.show("pairs", $0) }
  }

  private var countdown: AnyCancellable {
    ticks
      .map { 5 - $0 }
      .prefix { $0 >= 0 }
      .map { $0 == 0 ? "now" : "\($0)" }
      .append("gone")
      .sink { self.show("countdown", $0) }
  }

  private var history: AnyCancellable {
    query
      .filter { $0.count > 2 }
      .scan([String]()) { Array(($0 + [$1]).suffix(2)) }
      .map { $0.joined(separator: " < ") }
      .removeDuplicates()
      .handleEvents(receiveOutput: { self.show("to store", $0.count) })
      .sink { self.show("history", $0) }
  }

  private var numbers: AnyCancellable {
    query
      .map { $0.filter(\.isNumber) }
      .tryMap { text in
        guard text.isEmpty || Int(text) != nil else { throw Trouble.notANumber(text) }
        return Int(text)
      }
      .replaceError(with: nil)
      .compactMap { $0 }
      .first { $0 > 10 }
      .sink { self.show("number", $0) }
  }

  private var status: AnyCancellable {
    isOnline
      .zip(name.filter { !$0.isEmpty }, ticks)
      .map { isOnline, name, tick in isOnline ? "\(name) is here at \(tick)" : "\(name) is away at \(tick)" }
      .removeDuplicates()
      .prefix(3)
      .sink { self.show("status", $0) }
  }

  private var batches: AnyCancellable {
    ticks
      .flatMap { tick in (0..<tick).publisher.map { $0 * tick } }
      .filter { $0.isMultiple(of: 3) }
      .reduce(0) { $0 + $1 }
      .map { "\($0) in all" }
      .sink { self.show("batches", $0) }
  }

  private var shared: AnyCancellable {
    let squares = ticks.map { $0 * $0 }.filter { $0 > 10 }.share()
    return
      squares
      .zip(squares.dropFirst())
      .map { $1 - $0 }
      .eraseToAnyPublisher()
      .collect()
      .sink { self.show("differences", $0) }
  }

  /// The types that closures with arithmetic take are written down: without them the compiler gives up, see the article
  /// Performance.
  private var tenOperators: AnyCancellable {
    ticks
      .map { (tick: Int) in tick + 1 }
      .filter { (tick: Int) in tick > 2 }
      .scan(0) { (sum: Int, tick: Int) in sum + tick }
      .removeDuplicates()
      .compactMap { (sum: Int) in sum.isMultiple(of: 5) ? nil : sum }
      .dropFirst()
      .map { (sum: Int) in Double(sum) / 2 }
      .prefix { (half: Double) in half < 25 }
      .map { (half: Double) in "\(half)" }
      .reduce("") { (text: String, half: String) in text + half + " " }
      .sink { self.show("ten operators", $0) }
  }
}
