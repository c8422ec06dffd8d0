import Testing
import Weir

@testable import TestSupport

/// A program's publisher that delivers on any thread: the guard at the border serializes it.
private final class Unserialized: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  private var deliver: ((Int) -> Subscribers.Demand)?
  private var complete: ((Subscribers.Completion<TestError>) -> Void)?
  private(set) var cancels = 0

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    deliver = { subscriber.receive($0) }
    complete = { subscriber.receive(completion: $0) }
    subscriber.receive(subscription: Link(self))
  }

  func send(_ value: Int) {
    Interleaver.step()
    _ = deliver?(value)
  }

  func send(completion: Subscribers.Completion<TestError>) {
    Interleaver.step()
    complete?(completion)
  }

  private final class Link: Subscription {
    unowned let publisher: Unserialized

    init(_ publisher: Unserialized) { self.publisher = publisher }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { publisher.cancels += 1 }
  }
}

@Suite("the guard at the border, whatever the order of threads", .serialized)
struct BorderInterleavingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (AnyPublisher<Int, TestError>) -> AnyPublisher<Int, TestError>

    static let all = [
      Case(testDescription: "map") { $0.map { (value: Int) -> Int in value }.eraseToAnyPublisher() },
      Case(testDescription: "scan") { source in
        source.scan(0) { (_: Int, value: Int) -> Int in
          Interleaver.step()
          return value
        }.eraseToAnyPublisher()
      },
      Case(testDescription: "removeDuplicates") { source in
        source.removeDuplicates { (last: Int, value: Int) -> Bool in
          Interleaver.step()
          return last == value
        }.eraseToAnyPublisher()
      },
      Case(testDescription: "append") { $0.append(Empty()).eraseToAnyPublisher() },
    ]
  }

  @Test("send ∥ send ∥ hand-over: one thread at a time, nothing lost", arguments: Case.all)
  func sends(_ operation: Case) async {
    await explore("border before \(operation.testDescription): send ∥ send ∥ hand-over") {
      let (source, witness) = (Unserialized(), Witness())
      operation.make(source.eraseToAnyPublisher()).subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { source.send(value) } }, { for value in 11...13 { source.send(value) } },
        { Interleaver.goOnWithHandOvers() },
      ]) {
        source.send(completion: .finished)
        let (first, second) = (witness.values.filter { $0 < 10 }, witness.values.filter { $0 > 10 })
        return witness.faults
          + (first == [1, 2] && second == [11, 12, 13] && witness.ends == [.finished]
            ? [] : ["got \(witness.values), \(witness.ends)"])
      }
    }
  }

  @Test("send ∥ completion ∥ completion: one end, last", arguments: Case.all)
  func completes(_ operation: Case) async {
    await explore("border before \(operation.testDescription): send ∥ completion ∥ completion") {
      let (source, witness) = (Unserialized(), Witness())
      operation.make(source.eraseToAnyPublisher()).subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { source.send(value) } }, { source.send(completion: .finished) },
        { source.send(completion: .finished) },
      ]) {
        source.send(3)
        return witness.faults
          + (witness.ends == [.finished] && witness.values == Array([1, 2].prefix(witness.values.count))
            ? [] : ["got \(witness.values), \(witness.ends)"])
      }.releasing(witness, keeping: source)
    }
  }

  // `scan` and `map` hand on the upstream's subscription, which here is the guard's.
  @Test("send ∥ send ∥ cancel: silent after it, cancelled once, released", arguments: Case.all)
  func cancels(_ operation: Case) async {
    await explore("border before \(operation.testDescription): send ∥ send ∥ cancel") {
      let (source, witness) = (Unserialized(), Witness())
      operation.make(source.eraseToAnyPublisher()).subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { source.send(value) } }, { for value in 11...12 { source.send(value) } },
        { witness.cancel() },
      ]) {
        witness.faults + (source.cancels == 1 ? [] : ["cancelled \(source.cancels) times"])
      }.releasing(witness, keeping: source)
    }
  }
}
