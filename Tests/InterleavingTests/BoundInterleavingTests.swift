import Testing
import Weir

@testable import TestSupport

/// A buffer delivers when the gates above it are released, while other threads enter them.
@Suite("bounds, in every order of threads", .serialized)
struct BoundInterleavingTests {
  enum Kind: CaseIterable {
    case subject, scan, merge, mergeTwice, share, twoBuffers

    func make(
      size: Int, _ whenFull: Publishers.BufferingStrategy<TestError>
    ) -> (publisher: AnyPublisher<Int, TestError>, subject: PassthroughSubject<Int, TestError>) {
      let subject = PassthroughSubject<Int, TestError>()
      let upstream: AnyPublisher<Int, TestError>
      switch self {
      case .subject: upstream = subject.eraseToAnyPublisher()
      case .scan: upstream = subject.scan(0) { $1 }.eraseToAnyPublisher()
      case .merge: upstream = subject.merge(with: Empty()).eraseToAnyPublisher()
      case .mergeTwice: upstream = subject.merge(with: subject).eraseToAnyPublisher()
      case .share: upstream = subject.share().eraseToAnyPublisher()
      case .twoBuffers:
        upstream = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
      }
      return (upstream.buffer(size: size, prefetch: .byRequest, whenFull: whenFull).eraseToAnyPublisher(), subject)
    }
  }

  @Test("send ∥ send: serial, no loss while there is room, in order", arguments: Kind.allCases)
  func sends(_ kind: Kind) {
    explore("bound below \(kind): send ∥ send") {
      let witness = Witness()
      let (publisher, subject) = kind.make(size: 20, .dropNewest)
      publisher.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...13 { subject.send(value) } },
        { Interleaver.takeOffers() },
      ]) {
        let (first, second) = (witness.values.filter { $0 < 10 }, witness.values.filter { $0 > 10 })
        let each = kind == .mergeTwice ? 2 : 1
        func times(_ values: [Int]) -> [Int] { values.flatMap { Array(repeating: $0, count: each) } }
        return witness.faults
          + (first == times([1, 2]) && second == times([11, 12, 13]) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test("send ∥ send with room for one: the last value is kept", arguments: Kind.allCases)
  func replaces(_ kind: Kind) {
    explore("bound of one below \(kind): send ∥ send") {
      let witness = Witness()
      let (publisher, subject) = kind.make(size: 1, .dropOldest)
      publisher.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { Interleaver.takeOffers() },
      ]) {
        let (first, second) = (witness.values.filter { $0 < 10 }, witness.values.filter { $0 > 10 })
        let isInOrder = first == first.sorted() && second == second.sorted()
        let last = witness.values.last
        return witness.faults + (isInOrder && (last == 2 || last == 12) ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test("send ∥ send and completion ∥ request: one completion, after the values", arguments: Kind.allCases)
  func completes(_ kind: Kind) {
    explore("bound below \(kind): send ∥ completion ∥ request") {
      let witness = Witness(demanding: .max(1))
      let (publisher, subject) = kind.make(size: 20, .dropNewest)
      publisher.subscribe(witness)
      return Trial(bodies: [
        { subject.send(1) },
        {
          subject.send(11)
          subject.send(completion: .finished)
        }, { witness.request(.max(5)) }, { Interleaver.takeOffers() },
      ]) {
        var faults = witness.faults
        if witness.ends.count != 1 { faults.append("ends: \(witness.ends)") }
        if !witness.values.contains(11) { faults.append("got \(witness.values)") }
        return faults
      }.releasing(witness, keeping: subject)
    }
  }

  @Test("send ∥ send ∥ cancel: no later event, and all released", arguments: Kind.allCases)
  func cancels(_ kind: Kind) {
    explore("bound below \(kind): send ∥ send ∥ cancel") {
      let witness = Witness()
      let (publisher, subject) = kind.make(size: 2, .dropOldest)
      publisher.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { Interleaver.takeOffers() }, { witness.cancel() },
      ]) {
        let count = witness.values.count
        subject.send(3)
        return witness.faults + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: subject)
    }
  }

  @Test("a subject's limited demand: request ∥ send ∥ send: within the demand, no demand lost")
  func subjects() {
    explore("a subject's demand: request ∥ send ∥ send") {
      let witness = Witness(demanding: .max(1))
      let subject = PassthroughSubject<Int, TestError>()
      subject.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { witness.request(.max(1)) }, { Interleaver.takeOffers() },
      ]) {
        // Requested values that were not delivered can still be delivered.
        for value in 3...5 { subject.send(value) }
        return witness.faults + (witness.values.count == 2 ? [] : ["got \(witness.values)"])
      }
    }
  }

  @Test(
    "a current value: request ∥ send ∥ send: a subscriber misses nothing from its first value on", arguments: [0, 1])
  func currentValue(_ others: Int) {
    explore("a current value beside \(others) with limited demand: request ∥ send ∥ send") {
      let witness = Witness(demanding: .none)
      let subject = CurrentValueSubject<Int, TestError>(0)
      let other = Witness(demanding: .max(2))
      if others == 1 { subject.subscribe(other) }
      subject.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...3 { subject.send(value) } }, { for value in 11...13 { subject.send(value) } },
        { witness.request(.unlimited) }, { Interleaver.takeOffers() },
      ]) {
        let (first, second) = (witness.values.filter { 1...3 ~= $0 }, witness.values.filter { $0 > 10 })
        let isWhole =
          witness.values.first == 0
          ? first == [1, 2, 3] && second == [11, 12, 13]
          : first == [1, 2, 3].suffix(first.count) && second == [11, 12, 13].suffix(second.count)
        let last = witness.values.last
        return witness.faults + other.faults
          + (isWhole && (last == 3 || last == 13) ? [] : ["got \(witness.values)"])
      }
    }
  }
}
