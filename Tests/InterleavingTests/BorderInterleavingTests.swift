import Testing
import Weir

@testable import TestSupport
@testable import WeirRx

/// Types that serialize threads: turnstiles, relays, emissions, subscriptions on a scheduler.
@Suite("one thread at a time, in every order of threads", .serialized)
struct BorderInterleavingTests {
  /// A publisher outside Weir that delivers on the calling thread.
  private final class Stranger: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    private var subscriber: (any Subscriber<Int, TestError>)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      self.subscriber = subscriber
      subscriber.receive(subscription: Subscriptions.empty)
    }

    func send(_ value: Int) {
      Interleaver.step()
      _ = subscriber?.receive(value)
    }

    func finish() {
      Interleaver.step()
      subscriber?.receive(completion: .finished)
    }
  }

  private func faults(in values: [Int]) -> [String] {
    values.filter { $0 < 10 } == [1, 2] && values.filter { $0 > 10 } == [11, 12] ? [] : ["sent: \(values)"]
  }

  @Test("a border: send ∥ send, serial, no loss")
  func border() {
    explore("border: send ∥ send") {
      let (stranger, witness) = (Stranger(), Witness())
      stranger.map { (value: Int) -> Int in value }.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { stranger.send(value) } }, { for value in 11...12 { stranger.send(value) } },
      ]) {
        stranger.finish()
        return witness.faults + faults(in: witness.values)
      }
    }
  }

  @Test("a sink that two threads call: serial, no loss, the closures are released")
  func sink() {
    explore("sink: send ∥ send, end") {
      let (stranger, witness) = (Stranger(), Witness())
      witness.receive(subscription: Subscriptions.empty)
      stranger.subscribe(
        Subscribers.Sink(
          receiveCompletion: { witness.receive(completion: $0) }, receiveValue: { _ = witness.receive($0) }))
      return Trial(bodies: [
        { for value in 1...2 { stranger.send(value) } }, { for value in 11...12 { stranger.send(value) } },
      ]) {
        stranger.finish()
        return witness.faults + faults(in: witness.values) + (witness.ends == [.finished] ? [] : ["no end"])
      }.releasing(witness, keeping: stranger)
    }
  }

  @Test("an upstream that completes in its delivery ∥ the next one's values: serial")
  func relay() {
    explore("append: end inside a delivery ∥ send") {
      let (first, second) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
      let witness = Witness()
      first.append(second).subscribe(witness)
      witness.onValue = { value in if value == 2 { first.send(completion: .finished) } }
      return Trial(bodies: [
        { for value in 1...3 { first.send(value) } }, { for value in 11...13 { second.send(value) } },
      ]) {
        second.send(14)
        second.send(completion: .finished)
        let values = witness.values
        let isRight = values.prefix(2) == [1, 2] && values.dropFirst(2).allSatisfy { $0 > 10 } && values.last == 14
        return witness.faults + (isRight && witness.ends == [.finished] ? [] : ["sent: \(values), \(witness.ends)"])
      }
    }
  }

  @Test("an emitter: send ∥ send ∥ request, serial, no loss")
  func emitter() {
    typealias Emitting = Publishers.Create<Int, TestError>
    explore("create: send ∥ send ∥ request") {
      var emitter: Emitting.Emitter?
      let witness = Witness(demanding: .max(1))
      Emitting(.bufferAll) {
        emitter = $0
        return AnyCancellable {}
      }.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { emitter?.send(value) } }, { for value in 11...12 { emitter?.send(value) } },
        { witness.request(.max(1)) },
      ]) {
        witness.request(.unlimited)
        emitter?.send(completion: .finished)
        return witness.faults + faults(in: witness.values) + (witness.ends == [.finished] ? [] : ["no end"])
      }
    }
  }

  @Test("subscribe(on:): the subscription ∥ a value ∥ a cancellation, no later event, all released")
  func subscribesOn() {
    explore("subscribe(on:): subscribe ∥ send ∥ cancel") {
      let stage = Stage { a, _, scheduler in a.subscribe(on: scheduler).eraseToAnyPublisher() }
      let witness = Witness()
      stage.publisher.subscribe(witness)
      return Trial(bodies: [
        { stage.runSome() }, { for value in 1...2 { stage.a.send(value) } }, { witness.cancel() },
      ]) {
        stage.settle()
        witness.cancel()
        stage.settle()
        let count = witness.values.count
        stage.a.send(3)
        let late = witness.values.count == count ? [] : ["a value after the cancel"]
        return witness.faults + stage.faults + stage.faultsAtEnd + late
      }
    }
  }

  /// The calls of `asyncMap`, which the threads of a test answer instead of tasks.
  private final class Calls {
    typealias Machine = AsyncMapMachine<Int, Int, TestError>

    let subject = PassthroughSubject<Int, TestError>()
    private(set) var waiting: [(number: Int, value: Int)] = []
    private var coordinator: Coordinator<Machine>?

    func attach(_ witness: Witness) {
      let coordinator = Coordinator("AsyncMap", Machine(limit: .max(2)), downstream: Downstream(witness)) {
        [unowned self] coordinator, effect in
        coordinator.subscribed(to: effect.number, AnyCall())
        waiting.append(effect)
      }
      coordinator.attach(to: subject, as: 0) { .a($0) }
      self.coordinator = coordinator
    }

    func answerOne() {
      Interleaver.step()
      guard !waiting.isEmpty else { return }
      let call = waiting.removeFirst()
      _ = coordinator?.receive(.b(call.value * 10), from: call.number)
    }

    func answerAll() {
      while !waiting.isEmpty { answerOne() }
      coordinator = nil
    }
  }

  private final class AnyCall: Subscription {
    func request(_ demand: Subscribers.Demand) {}

    func cancel() { Interleaver.step() }
  }

  @Test("asyncMap: values ∥ answers ∥ answers: in the order of the values, serial, no loss")
  func answers() {
    explore("asyncMap: send ∥ answer ∥ answer") {
      let (calls, witness) = (Calls(), Witness())
      calls.attach(witness)
      return Trial(bodies: [
        {
          for value in 1...2 { calls.subject.send(value) }
          calls.subject.send(completion: .finished)
        }, { for _ in 0..<2 { calls.answerOne() } }, { for _ in 0..<2 { calls.answerOne() } },
      ]) {
        calls.answerAll()
        let isRight = witness.values == [10, 20] && witness.ends == [.finished]
        return witness.faults + (isRight ? [] : ["got \(witness.values), \(witness.ends)"])
      }
    }
  }

  @Test("asyncMap: an answer ∥ a cancellation: no later event")
  func answersAndCancel() {
    explore("asyncMap: answer ∥ cancel") {
      let (calls, witness) = (Calls(), Witness())
      calls.attach(witness)
      return Trial(bodies: [
        { for value in 1...2 { calls.subject.send(value) } }, { for _ in 0..<2 { calls.answerOne() } },
        { witness.cancel() },
      ]) {
        let count = witness.values.count
        calls.answerAll()
        return witness.faults + (witness.values.count == count ? [] : ["a value after the cancel"])
      }
    }
  }
}
