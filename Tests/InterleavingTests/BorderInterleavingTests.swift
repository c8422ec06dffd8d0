import Testing
import Weir
import WeirRx

@testable import TestSupport

/// What lets one thread at a time through: turnstiles, relays, emissions, subscriptions on a scheduler.
@Suite("one thread at a time, whatever the order of threads", .serialized)
struct BorderInterleavingTests {
  /// A publisher outside of Weir that delivers on whatever thread it is called.
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

  @Test("a border: send ∥ send, nothing overlaps, nothing is lost")
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

  @Test("a sink that two threads call: nothing overlaps, nothing is lost, the closures are let go of")
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

  @Test("an upstream that ends inside its delivery ∥ the next one's values: nothing overlaps")
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

  @Test("an emitter: send ∥ send ∥ request, nothing overlaps, nothing is lost")
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

  @Test("subscribe(on:): the subscription ∥ a value ∥ a cancel, silent after the cancel, nothing left behind")
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
}
