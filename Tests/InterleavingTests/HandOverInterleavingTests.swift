import Testing
import Weir

@testable import TestSupport

/// A thread that has delivered enough for others offers its gate.
///
/// The next sender takes it, or a new thread, or a cancelling thread. The limit is two events in this build.
@Suite("hand-overs, in every order of threads", .serialized)
struct HandOverInterleavingTests {
  enum Kind: CaseIterable {
    case subject, currentValue, merge, flatMap, border

    func make() -> (publisher: AnyPublisher<Int, TestError>, send: (Int) -> Void, other: (Int) -> Void) {
      let (source, other) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
      switch self {
      case .subject: return (source.eraseToAnyPublisher(), { source.send($0) }, { source.send($0) })
      case .currentValue:
        let subject = CurrentValueSubject<Int, TestError>(0)
        return (subject.dropFirst().eraseToAnyPublisher(), { subject.send($0) }, { subject.send($0) })
      case .merge: return (source.merge(with: other).eraseToAnyPublisher(), { source.send($0) }, { other.send($0) })
      case .flatMap:
        let sources = [source, other].publisher.setFailureType(to: TestError.self)
        let flat = sources.flatMap { (inner: PassthroughSubject<Int, TestError>) in inner }
        return (flat.eraseToAnyPublisher(), { source.send($0) }, { other.send($0) })
      case .border:
        let stranger = ManualPublisher<Int, TestError>()
        return (stranger.map { $0 }.eraseToAnyPublisher(), { stranger.send($0) }, { stranger.send($0) })
      }
    }
  }

  @Test("send ∥ send ∥ a new thread: no loss, in order, serial", arguments: Kind.allCases)
  func sends(_ kind: Kind) {
    explore("hand-over of \(kind): send ∥ send ∥ new thread") {
      let witness = Witness()
      let (publisher, send, other) = kind.make()
      publisher.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { send(value) } }, { for value in 11...15 { other(value) } }, { Interleaver.takeOffers() },
      ]) {
        let (first, second) = (witness.values.filter { $0 < 10 }, witness.values.filter { $0 > 10 })
        return witness.faults + (first == [1, 2] && second == Array(11...15) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test(
    "send ∥ send ∥ a new thread ∥ cancel: no value after the cancellation, and everything is released",
    arguments: Kind.allCases.filter { $0 != .border })
  func cancels(_ kind: Kind) {
    explore("hand-over of \(kind): send ∥ send ∥ new thread ∥ cancel") {
      let witness = Witness()
      let (publisher, send, other) = kind.make()
      publisher.subscribe(witness)
      return Trial(bodies: [
        { send(1) }, { for value in 11...14 { other(value) } }, { Interleaver.takeOffers() }, { witness.cancel() },
      ]) {
        let count = witness.values.count
        send(2)
        return witness.faults + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: Box((send, other)))
    }
  }

  @Test("a sequence: request ∥ request ∥ a new thread: each value once, in order, no demand lost")
  func sequence() {
    explore("hand-over of a sequence: request ∥ request ∥ new thread") {
      let witness = Witness(demanding: .none)
      (1...20).publisher.setFailureType(to: TestError.self).subscribe(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { witness.request(.max(1)) } }, { witness.request(.max(5)) }, { Interleaver.takeOffers() },
      ]) {
        witness.faults + (witness.values == Array(1...7) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test("a sequence: request ∥ request ∥ a new thread ∥ cancel: no later event, and all released")
  func sequenceCancelled() {
    explore("hand-over of a sequence: request ∥ request ∥ new thread ∥ cancel") {
      let witness = Witness(demanding: .none)
      let sequence = (1...20).publisher.setFailureType(to: TestError.self)
      sequence.subscribe(witness)
      return Trial(bodies: [
        { witness.request(.max(1)) }, { witness.request(.unlimited) }, { Interleaver.takeOffers() },
        { witness.cancel() },
      ]) {
        let count = witness.values.count
        witness.request(.max(3))
        return witness.faults + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: Box(sequence))
    }
  }
}
