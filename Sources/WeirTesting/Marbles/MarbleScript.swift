import Weir

/// A diagram that serves as a script, with the positions of its marks in the text.
struct MarbleScript {
  private let parser: MarbleParser

  init(_ text: String) throws {
    var parser = MarbleParser(text)
    try parser.parse()
    self.parser = parser
  }

  var frameCount: Int { parser.frame }

  var entries: [MarbleDiagram.Entry] { parser.entries }

  /// The frames in which a subscriber cancels, and whether other events of the frame precede that.
  var cancellations: [(frame: Int, isLast: Bool)] {
    entries.enumerated().filter { $0.element.mark == .cancellation }.map { index, cancellation in
      let frame = cancellation.frame
      return (frame, entries[..<index].contains { $0.frame == frame && $0.mark != .subscription })
    }
  }

  /// The signals that a publisher sends.
  func signals<Output, Failure>(
    values: MarbleValues<Output>, error: Failure?, mayGoOnAfterEnd: Bool
  ) throws -> [(frame: Int, signal: TestPublisher<Output, Failure>.Signal)] {
    var isTerminated = false
    return try zip(parser.entries, parser.positions).map { entry, position in
      if isTerminated, !mayGoOnAfterEnd {
        throw parser.error(
          "No event may follow the completion: remove this, or pass misbehaving: .afterCompletion.", at: position)
      }
      switch entry.mark {
      case .value(let token): return (entry.frame, .value(try value(token, in: values, at: position)))
      case .finished:
        isTerminated = true
        return (entry.frame, .finished)
      case .failure:
        guard let error else { throw parser.error("There is no error for “#”: pass one as error:.", at: position) }
        isTerminated = true
        return (entry.frame, .failure(error))
      case .subscription, .cancellation:
        throw parser.error(
          "“\(entry.mark)” is an action of a subscriber: remove it from the events of a publisher.", at: position)
      }
    }
  }

  /// The diagram with each value in the notation of recorded values.
  func normalized<Output>(by values: MarbleValues<Output>) throws -> MarbleDiagram {
    var diagram = MarbleDiagram(
      try zip(parser.entries, parser.positions).map { entry, position in
        guard case .value(let token) = entry.mark else { return entry }
        return .init(frame: entry.frame, mark: .value(values.token(try value(token, in: values, at: position))))
      })
    diagram.extend(to: frameCount)
    return diagram
  }

  /// The demands of a subscriber.
  func demands() throws -> [(frame: Int, demand: Subscribers.Demand)] {
    try zip(parser.entries, parser.positions).map { entry, position in
      if case .value("∞") = entry.mark { return (entry.frame, .unlimited) }
      if case .value(let token) = entry.mark, let count = Int(token), count >= 0 { return (entry.frame, .max(count)) }
      throw parser.error(
        "This is not a demand: write a digit, a number in quotes such as '12', or “∞”.", at: position)
    }
  }

  private func value<Output>(_ token: String, in values: MarbleValues<Output>, at position: Int) throws -> Output {
    if let value = values.value(token) { return value }
    throw parser.error(
      "There is no \(Output.self) for “\(token)”: pass one as values: [\(String(reflecting: token)): …].",
      at: position)
  }
}

extension MarbleDiagram {
  /// Creates a script of demands; those of one frame are added up.
  init(demands: [(frame: Int, demand: Subscribers.Demand)]) {
    var sums: [Int: Subscribers.Demand] = [:]
    for (frame, demand) in demands { sums[frame, default: .none] += demand }
    self.init(sums.map { Entry(frame: $0.key, mark: .value($0.value.amount)) })
  }
}
