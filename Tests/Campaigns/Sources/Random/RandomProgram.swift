// A random program as a value, and as a text that can be parsed.

import Weir

/// A pipeline, and the actions on it.
struct RandomProgram: Equatable {
  /// The source of values.
  enum Source: String, CaseIterable {
    /// A `PassthroughSubject`.
    case first
    /// A `CurrentValueSubject`, whose first value is 0.
    case second
    /// A sequence of the numbers from 0.
    case sequence
    /// A nonconforming publisher.
    case rogue
  }

  /// An operator, and its second source if it has one.
  struct Stage: Equatable {
    var operation: Operation
    var other: Source

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.operation.name == rhs.operation.name && lhs.other == rhs.other
    }
  }

  /// An action of the script, or of user code during a delivery.
  enum Step: Equatable {
    case send(Source, Int)
    case finish(Source)
    case fail(Source)
    case cancel
    case request(Int)
    case requestUnlimited
    /// One more subscriber.
    case subscribe
    /// A unit of virtual time passes.
    case advance
  }

  var source = Source.first
  var stages: [Stage] = []
  /// The length of the sequence.
  var numbers = 0
  /// The number of subscriptions that the rogue sends to each subscriber.
  var tickets = 1
  /// The demand of the subscriber.
  var demand = Subscribers.Demand.unlimited
  /// Whether the subscriber returns a demand of one with every third value.
  var answers = false
  /// The actions of user code, by the number of earlier calls.
  var acts: [Int: Step] = [:]
  /// A script for each thread.
  var scripts: [[Step]] = [[]]

  var sources: [Source] { [source] + stages.filter(\.operation.joins).map(\.other) }

  /// Whether it contains the nonconforming publisher.
  var isRogue: Bool { sources.contains(.rogue) }

  var isThreaded: Bool { scripts.count > 1 }
}

// MARK: The text

extension RandomProgram.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let source, let number): "\(source.rawValue)=\(number)"
    case .finish(let source): "\(source.rawValue).finish"
    case .fail(let source): "\(source.rawValue).fail"
    case .cancel: "cancel"
    case .request(let count): "request=\(count)"
    case .requestUnlimited: "request"
    case .subscribe: "subscribe"
    case .advance: "advance"
    }
  }

  init?(_ text: Substring) {
    switch text {
    case "cancel": self = .cancel
    case "request": self = .requestUnlimited
    case "subscribe": self = .subscribe
    case "advance": self = .advance
    default:
      let parts = text.split(separator: "=")
      if parts.count == 2, let number = Int(parts[1]) {
        if parts[0] == "request" {
          self = .request(number)
          return
        }
        guard let source = RandomProgram.Source(rawValue: String(parts[0])) else { return nil }
        self = .send(source, number)
        return
      }
      let words = text.split(separator: ".")
      guard words.count == 2, let source = RandomProgram.Source(rawValue: String(words[0])) else { return nil }
      self = words[1] == "finish" ? .finish(source) : .fail(source)
    }
  }
}

extension RandomProgram: CustomStringConvertible {
  var description: String {
    let pipeline = [source.rawValue] + stages.map { $0.operation.name + ($0.operation.joins ? "(\($0.other))" : "") }
    var parts = [pipeline.joined(separator: " | ")]
    if sources.contains(.sequence) { parts.append("numbers \(numbers)") }
    if isRogue { parts.append("tickets \(tickets)") }
    parts.append("demand \(demand.max.map { "\($0)" } ?? "unlimited")")
    if answers { parts.append("answers") }
    if !acts.isEmpty {
      parts.append("acts " + acts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " "))
    }
    parts += scripts.map { "play " + $0.map { "\($0)" }.joined(separator: " ") }
    return parts.joined(separator: "; ")
  }

  /// Parses the result of `description`.
  init?(_ text: String) {
    self.init()
    scripts = []
    for (index, part) in text.split(separator: ";").enumerated() {
      let words = part.split(separator: " ").filter { $0 != "|" }
      guard let first = words.first else { return nil }
      if index == 0 {
        guard let source = Source(rawValue: String(first)) else { return nil }
        self.source = source
        for word in words.dropFirst() {
          let names = word.split { "()".contains($0) }
          guard let operation = Operation.named[String(names[0])] else { return nil }
          let other = names.count > 1 ? Source(rawValue: String(names[1])) : .first
          guard let other else { return nil }
          stages.append(Stage(operation: operation, other: other))
        }
        continue
      }
      let rest = words.dropFirst()
      switch first {
      case "numbers": numbers = rest.first.flatMap { Int($0) } ?? 0
      case "tickets": tickets = rest.first.flatMap { Int($0) } ?? 1
      case "demand": demand = rest.first.flatMap { Int($0) }.map { .max($0) } ?? .unlimited
      case "answers": answers = true
      case "acts":
        for word in rest {
          let pair = word.split(separator: ":")
          guard pair.count == 2, let call = Int(pair[0]), let step = Step(pair[1]) else { return nil }
          acts[call] = step
        }
      case "play":
        let script = rest.compactMap { Step($0) }
        guard script.count == rest.count else { return nil }
        scripts.append(script)
      default: return nil
      }
    }
    if scripts.isEmpty { return nil }
  }
}
