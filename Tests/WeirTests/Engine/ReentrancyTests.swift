import Testing
import Weir

@testable import TestSupport

/// User code that runs while an operator changes its state, and sends into the operator's source.
@Suite("re-entrancy")
struct ReentrancyTests {
  typealias Source = PassthroughSubject<Int, TestError>

  /// An operator whose closures call `hook` with their value.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// Whether it sends a value for each of 1 and 2.
    var sendsEachValue: Bool {
      ["scan", "tryScan", "removeDuplicates", "tryRemoveDuplicates", "tryMap", "tryFilter", "prefix(while:)", "encode"]
        .contains(testDescription)
    }

    let make: @Sendable (AnyPublisher<Int, TestError>, @escaping (Int) -> Void) -> AnyPublisher<String, any Error>

    init<P: Publisher & SendableMetatype>(
      _ name: String, _ make: @escaping @Sendable (AnyPublisher<Int, TestError>, @escaping (Int) -> Void) -> P
    ) {
      testDescription = name
      self.make = { source, hook in
        make(source, hook).map { (output: P.Output) -> String in "\(output)" }
          .mapError { (error: P.Failure) -> any Error in error }.eraseToAnyPublisher()
      }
    }
  }

  static let cases: [Case] = [
    Case("scan") { source, hook in
      source.scan(0) { (sum: Int, value: Int) -> Int in
        hook(value)
        return sum * 10 + value
      }
    },
    Case("tryScan") { source, hook in
      source.tryScan(0) { (sum: Int, value: Int) throws -> Int in
        hook(value)
        return sum * 10 + value
      }
    },
    Case("reduce") { source, hook in
      source.reduce(0) { (sum: Int, value: Int) -> Int in
        hook(value)
        return sum * 10 + value
      }
    },
    Case("tryReduce") { source, hook in
      source.tryReduce(0) { (sum: Int, value: Int) throws -> Int in
        hook(value)
        return sum * 10 + value
      }
    },
    Case("removeDuplicates") { source, hook in
      source.removeDuplicates { (last: Int, value: Int) -> Bool in
        hook(value)
        return last == value
      }
    },
    Case("tryRemoveDuplicates") { source, hook in
      source.tryRemoveDuplicates { (last: Int, value: Int) throws -> Bool in
        hook(value)
        return last == value
      }
    },
    Case("max") { source, hook in
      source.max { (lhs: Int, rhs: Int) -> Bool in
        hook(rhs)
        return lhs < rhs
      }
    },
    Case("min") { source, hook in
      source.min { (lhs: Int, rhs: Int) -> Bool in
        hook(lhs)
        return lhs < rhs
      }
    },
    Case("drop(while:)") { source, hook in
      source.drop { (value: Int) -> Bool in
        hook(value)
        return value < 2
      }
    },
    Case("prefix(while:)") { source, hook in
      source.prefix { (value: Int) -> Bool in
        hook(value)
        return value < 9
      }
    },
    Case("first(where:)") { source, hook in
      source.first { (value: Int) -> Bool in
        hook(value)
        return value > 6
      }
    },
    Case("last(where:)") { source, hook in
      source.last { (value: Int) -> Bool in
        hook(value)
        return value > 1
      }
    },
    Case("contains(where:)") { source, hook in
      source.contains { (value: Int) -> Bool in
        hook(value)
        return value == 7
      }
    },
    Case("allSatisfy") { source, hook in
      source.allSatisfy { (value: Int) -> Bool in
        hook(value)
        return value < 9
      }
    },
    Case("tryMap") { source, hook in
      source.tryMap { (value: Int) throws -> Int in
        hook(value)
        return -value
      }
    },
    Case("tryFilter") { source, hook in
      source.tryFilter { (value: Int) throws -> Bool in
        hook(value)
        return value != 6
      }
    },
    Case("flatMap") { source, hook in
      source.flatMap { (value: Int) -> Just<Int> in
        hook(value)
        return Just(value)
      }
    },
    Case("encode") { source, hook in source.encode(encoder: HookedEncoder(hook: hook)) },
  ]

  /// Encodes to text.
  struct HookedEncoder: TopLevelEncoder {
    let hook: (Int) -> Void

    func encode<T: Encodable>(_ value: T) throws -> String {
      if let number = value as? Int { hook(number) }
      return "\(value)"
    }
  }

  /// The events of an operator whose closure acts at the value 2.
  static func events(of operation: Case, doing act: @escaping (Source, Recorder<String, any Error>) -> Void) -> [String]
  {
    let source = Source()
    let recorder = Recorder<String, any Error>(demanding: .unlimited)
    var hasActed = false
    operation.make(source.eraseToAnyPublisher()) { value in
      if value != 2 || hasActed { return }
      hasActed = true
      act(source, recorder)
    }.subscribe(recorder)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    return recorder.events.map { "\($0)" }
  }

  /// The events of an operator for these values in sequence.
  static func events(of operation: Case, from values: [Int], _ completion: Subscribers.Completion<TestError>)
    -> [String]
  {
    let recorder = Recorder<String, any Error>(demanding: .unlimited)
    let source = Record<Int, TestError>(output: values, completion: completion)
    operation.make(source.eraseToAnyPublisher()) { _ in }.subscribe(recorder)
    return recorder.events.map { "\($0)" }
  }

  @Test("handles values that a closure sends after the closure's own value", arguments: cases)
  func values(_ operation: Case) {
    let events = Self.events(of: operation) { source, _ in for value in 5...8 { source.send(value) } }
    #expect(events == Self.events(of: operation, from: [1, 2, 5, 6, 7, 8, 3], .finished))
  }

  @Test("finishes after the value whose closure finishes the upstream", arguments: cases)
  func finish(_ operation: Case) {
    let events = Self.events(of: operation) { source, _ in
      source.send(5)
      source.send(completion: .finished)
      source.send(6)
    }
    #expect(events == Self.events(of: operation, from: [1, 2, 5], .finished))
  }

  @Test("fails after the value whose closure fails the upstream", arguments: cases)
  func failure(_ operation: Case) {
    let events = Self.events(of: operation) { source, _ in source.send(completion: .failure(.oops)) }
    #expect(events == Self.events(of: operation, from: [1, 2], .failure(.oops)))
  }

  // `scan` forwards its upstream's subscription, as in Combine, so it doesn't observe a cancellation.
  @Test("sends no event after a closure has cancelled", arguments: cases.filter { $0.testDescription != "scan" })
  func cancel(_ operation: Case) {
    let events = Self.events(of: operation) { source, recorder in
      source.send(5)
      recorder.cancel()
      source.send(6)
    }
    let before = Self.events(of: operation, from: [1], .finished).dropLast()
    #expect(
      events == (before.count > 1 && "\(before[1])" == events.dropFirst().first ? Array(before) : ["subscription"]))
  }

  @Test("doesn't call flatMap's closure for pending values after a cancellation")
  func cancelledFlatMap() {
    let source = PassthroughSubject<Int, Never>()
    var called: [Int] = []
    var subscription: AnyCancellable?
    subscription = source.flatMap { (value: Int) -> Just<Int> in
      called.append(value)
      if value == 1 {
        source.send(8)
        subscription?.cancel()
      }
      return Just(value)
    }.sink { (_: Int) in }
    source.send(1)
    #expect(called == [1])
  }

  @Test("delivers a subscriber's values immediately")
  func subscriber() {
    let source = Source()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 { source.send(2) }
      if value == 3 { recorder.cancel() }
      return .none
    }
    source.scan(0) { (sum: Int, value: Int) -> Int in sum + value }.removeDuplicates().subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(3)])
  }

  @Test("keeps the order when a closure and the subscriber send")
  func both() {
    let source = Source()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 { source.send(4) }
      return .none
    }
    source.removeDuplicates { (last: Int, value: Int) -> Bool in
      if value == 1 { for value in 2...3 { source.send(value) } }
      return last == value
    }.subscribe(recorder)
    source.send(0)
    source.send(1)
    #expect(recorder.values == [0, 1, 2, 3, 4])
  }

  @Test("delivers a subscriber's values during the delivery in progress", arguments: cases.filter(\.sendsEachValue))
  func subscriberInside(_ operation: Case) {
    let source = Source()
    var log: [String] = []
    var isFirst = true
    let sink = operation.make(source.eraseToAnyPublisher()) { _ in }.sink(receiveCompletion: { _ in }) { value in
      log.append("enter")
      if isFirst {
        isFirst = false
        source.send(2)
      }
      log.append("leave")
    }
    source.send(1)
    #expect(log == ["enter", "enter", "leave", "leave"])
    withExtendedLifetime(sink) {}
  }

  // The closure of `drop(while:)` is no longer called for pending values.
  @Test(
    "handles the values that a closure sends for a pending value after all other pending values",
    arguments: cases.filter { $0.testDescription != "drop(while:)" })
  func pendingValues(_ operation: Case) {
    let source = Source()
    let recorder = Recorder<String, any Error>(demanding: .unlimited)
    var sent: Set<Int> = []
    operation.make(source.eraseToAnyPublisher()) { value in
      guard value == 2 || value == 5, sent.insert(value).inserted else { return }
      for next in value == 2 ? [5, 6] : [7, 8] { source.send(next) }
    }.subscribe(recorder)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(
      recorder.events.map { "\($0)" } == Self.events(of: operation, from: [1, 2, 5, 6, 7, 8, 3], .finished))
  }

  // MARK: Values that are released

  /// Sends decreasing numbers when it is released, down to 0.
  final class Bomb: Equatable, @unchecked Sendable {  // It stays on one thread.
    let number: Int
    let source: PassthroughSubject<Bomb, Never>

    init(_ number: Int, _ source: PassthroughSubject<Bomb, Never>) {
      self.number = number
      self.source = source
    }

    deinit { if number % 10 > 0 { source.send(Bomb(number - 1, source)) } }

    static func == (lhs: Bomb, rhs: Bomb) -> Bool { lhs.number == rhs.number }
  }

  /// The numbers for 13, 25 and 34.
  ///
  /// At its release, each sends the numbers below it, down to the next multiple of ten.
  static func numbers<P: Publisher>(
    _ operation: (PassthroughSubject<Bomb, Never>) -> P
  ) -> [Int] where P.Output == Bomb, P.Failure == Never {
    let source = PassthroughSubject<Bomb, Never>()
    var numbers: [Int] = []
    let sink = operation(source).sink { (bomb: Bomb) in numbers.append(bomb.number) }
    for number in [13, 25, 34] { source.send(Bomb(number, source)) }
    source.send(completion: .finished)
    withExtendedLifetime(sink) {}
    return numbers
  }

  @Test("handles values that the release of a replaced value sends")
  func releases() {
    // Each replaced value sends the next one; 32 is the last.
    let sent = [10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 32, 33, 34]
    #expect(Self.numbers { source in source.removeDuplicates() }.sorted() == sent)
    #expect(Self.numbers { source in source.last() }.count == 1)
    #expect(
      Self.numbers { source in source.scan(Bomb(0, source)) { (_: Bomb, bomb: Bomb) -> Bomb in bomb } }.count >= 11)
    #expect(Self.numbers { source in source.max { (lhs: Bomb, rhs: Bomb) -> Bool in lhs.number < rhs.number } } == [34])
    #expect(
      Self.numbers { source in source.reduce(Bomb(0, source)) { (_: Bomb, bomb: Bomb) -> Bomb in bomb } }.count == 1)
  }
}
