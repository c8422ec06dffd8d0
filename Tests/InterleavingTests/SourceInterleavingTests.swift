import Testing
import Weir

@testable import TestSupport

/// Sources that several threads request from and cancel, and cancellables.
@Suite("sources, in every order of threads", .serialized)
struct SourceInterleavingTests {
  @Test("sequence: request ∥ request: each value once, in order")
  func requests() {
    explore("sequence: request ∥ request") {
      let witness = Witness(demanding: .none)
      (1...6).publisher.setFailureType(to: TestError.self).subscribe(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { witness.request(.max(1)) } }, { witness.request(.max(2)) }, { witness.request(.max(1)) },
      ]) {
        witness.faults + (witness.values == Array(1...5) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test("sequence, single value: request ∥ cancel", arguments: [1, 3])
  func requestsAndCancels(_ count: Int) {
    explore("sequence of \(count): request ∥ cancel") {
      let witness = Witness(demanding: .none)
      (1...count).publisher.setFailureType(to: TestError.self).subscribe(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { witness.request(.max(1)) } }, { witness.cancel() }, { witness.request(.unlimited) },
      ]) {
        let got = witness.values.count
        witness.request(.unlimited)
        return witness.faults + (witness.values == Array((1...3).prefix(got)) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test("future: promise ∥ promise ∥ subscribe ∥ cancel")
  func futures() {
    explore("future: promise ∥ promise ∥ subscribe ∥ cancel") {
      let promise = Box<((Result<Int, TestError>) -> Void)?>(nil)
      let future = Future<Int, TestError> { promise.value = $0 }
      let (steady, late, going) = (Witness(), Witness(), Witness())
      future.subscribe(steady)
      future.subscribe(going)
      return Trial(bodies: [
        { promise.value?(.success(1)) }, { promise.value?(.success(2)) }, { future.subscribe(late) },
        { going.cancel() },
      ]) {
        steady.faults + late.faults + going.faults
          + (steady.values.count == 1 && steady.values == late.values && steady.ends == [.finished]
            && late.ends == [.finished] ? [] : ["got \(steady.values) and \(late.values)"])
      }
    }
  }

  /// A witness that may request while it receives its subscription.
  private struct Announcing: Subscriber {
    let witness: Witness
    let isAnnounced: Box<Bool>

    let combineIdentifier = CombineIdentifier()

    init(_ witness: Witness, _ isAnnounced: Box<Bool>) {
      self.witness = witness
      self.isAnnounced = isAnnounced
    }

    func receive(subscription: any Subscription) {
      witness.receive(subscription: subscription)
      isAnnounced.value = true
      for _ in 0..<3 { Interleaver.step() }
    }

    func receive(_ input: Int) -> Subscribers.Demand { witness.receive(input) }

    func receive(completion: Subscribers.Completion<TestError>) { witness.receive(completion: completion) }
  }

  @Test(
    "the second upstream of two: subscribe ∥ request: each value once, in order", arguments: ["append", "catch"])
  func successions(_ name: String) {
    explore("\(name): subscribe ∥ request") {
      let (witness, isAnnounced) = (Witness(demanding: .none), Box(false))
      let first = Record<Int, TestError>(output: [1], completion: name == "append" ? .finished : .failure(.oops))
      let second = Record<Int, TestError>(output: [2], completion: .finished)
      let both =
        name == "append"
        ? first.append(second).eraseToAnyPublisher()
        : first.catch { (_: TestError) -> Record<Int, TestError> in second }.eraseToAnyPublisher()
      let subscriber = Announcing(witness, isAnnounced)
      return Trial(bodies: [
        { both.subscribe(subscriber) },
        {
          for _ in 0..<6 {
            Interleaver.step()
            if isAnnounced.value { witness.request(.max(1)) }
          }
        },
      ]) {
        witness.request(.unlimited)
        return witness.faults
          + (witness.values == [1, 2] && witness.ends == [.finished]
            ? [] : ["got \(witness.values) and \(witness.ends)"])
      }
    }
  }

  @Test("cancellable: cancel ∥ cancel: once")
  func cancellables() {
    explore("cancellable: cancel ∥ cancel") {
      let count = Box(0)
      let cancellable = AnyCancellable { count.value += 1 }
      return Trial(bodies: [{ cancellable.cancel() }, { cancellable.cancel() }]) {
        count.value == 1 ? [] : ["cancelled \(count.value) times"]
      }
    }
  }

  @Test("two pipelines that cross a foreign lock don't block each other", arguments: OperatorCase.all)
  func foreignLock(_ operation: OperatorCase) {
    explore("\(operation): a foreign lock") {
      let lock = TestLock()
      let (stage, witness) = (Stage(operation.make), Witness())
      witness.onValue = { _ in lock.withLock { Interleaver.step() } }
      stage.publisher.subscribe(witness)
      let other = operation.isDouble ? stage.b : stage.a
      return Trial(bodies: [
        { lock.withLock { stage.a.send(1) } },
        {
          other.send(2)
          stage.settle()
        },
        {
          lock.withLock {
            witness.request(.max(1))
            witness.cancel()
          }
        },
      ]) {
        stage.settle()
        return witness.faults + stage.faults + stage.faultsAtEnd
      }
    }
  }

  @Test("pipelines that feed each other under two locks don't block each other")
  func crossing() {
    explore("two pipelines and two locks") {
      let (one, other) = (
        Stage { a, b, _ in a.merge(with: b).eraseToAnyPublisher() },
        Stage { a, b, _ in a.merge(with: b).eraseToAnyPublisher() }
      )
      let (left, right) = (TestLock(), TestLock())
      let (first, second) = (Witness(), Witness())
      first.onValue = { if $0 < 10 { other.b.send($0 + 10) } }
      second.onValue = { if $0 < 10 { one.b.send($0 + 10) } }
      one.publisher.subscribe(first)
      other.publisher.subscribe(second)
      return Trial(bodies: [{ left.withLock { one.a.send(1) } }, { right.withLock { other.a.send(2) } }]) {
        defer {
          first.cancel()
          second.cancel()
        }
        return first.faults + second.faults
          + (first.values.sorted() == [1, 12] && second.values.sorted() == [2, 11]
            ? [] : ["got \(first.values), \(second.values)"])
      }
    }
  }
}
