#if OPENCOMBINE
import OpenCombine
#else
import Weir
#endif

struct Item {
  var name: String
  var price: Int
  var count: Int
}

struct Reading {
  var sensor: Int
  var value: Double
}

struct Average {
  private var sum = 0.0
  private var count = 0

  var value: Double { sum / Double(count) }

  func adding(_ value: Double) -> Average {
    var result = self
    result.sum += value
    result.count += 1
    return result
  }
}

enum Trouble: Error {
  case offline
  case notANumber(String)
}

/// What the pipelines hear from, and where their results go.
final class Model {
  let query = PassthroughSubject<String, Never>()
  let name = CurrentValueSubject<String, Never>("")
  let password = CurrentValueSubject<String, Never>("")
  let isOnline = CurrentValueSubject<Bool, Never>(false)
  let items = PassthroughSubject<Item, Never>()
  let readings = PassthroughSubject<Reading, Trouble>()
  let ticks = PassthroughSubject<Int, Never>()

  private(set) var lines: [String] = []

  func show(_ label: String, _ value: some CustomStringConvertible) {
    lines.append("\(label): \(value)")
  }

  /// A server that knows everything and answers immediately.
  func search(_ text: String) -> AnyPublisher<[String], Trouble> {
    isOnline.value
      ? Just([text, text + "s"]).setFailureType(to: Trouble.self).eraseToAnyPublisher()
      : Fail(error: .offline).eraseToAnyPublisher()
  }

  func run() {
    for text in ["", "s", "sw", "swift", "swift"] { query.send(text) }
    isOnline.send(true)
    for text in ["swift", "weir", " 42 "] { query.send(text) }
    name.send("ann")
    password.send("secret")
    password.send("a longer secret")
    for count in 1...5 { items.send(Item(name: "item \(count)", price: count * 10, count: count)) }
    for index in 0..<6 { readings.send(Reading(sensor: index % 2, value: Double(index) * 1.5)) }
    for tick in 0..<10 { ticks.send(tick) }
    items.send(completion: .finished)
    readings.send(completion: .failure(.offline))
    ticks.send(completion: .finished)
  }
}
