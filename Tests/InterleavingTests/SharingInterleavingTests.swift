import Testing
import Weir
import WeirRx

@testable import TestSupport

/// Connections during concurrent sends, subscriptions and completions.
@Suite("connections, in every order of threads", .serialized)
struct SharingInterleavingTests {

  @Test("connect ∥ disconnect ∥ send")
  func connects() {
    explore("multicast: connect ∥ disconnect") {
      let (stage, witness) = (Stage { a, _, _ in a }, Witness())
      let multicast = stage.publisher.multicast(subject: PassthroughSubject<Int, TestError>())
      multicast.subscribe(witness)
      let first = multicast.connect()
      return Trial(bodies: [
        { first.cancel() },
        {
          let second = multicast.connect()
          stage.a.send(1)
          second.cancel()
        }, { stage.a.send(2) },
      ]) {
        witness.cancel()
        return witness.faults + stage.faults + stage.faultsAtEnd
      }
    }
  }

  @Test("subscribe ∥ cancel, with a shared connection", arguments: OperatorCase.shared)
  func comeAndGo(_ operation: OperatorCase) {
    explore("\(operation): come ∥ go") {
      let stage = Stage(operation.make)
      let witnesses = [Witness(), Witness(), Witness()]
      stage.publisher.subscribe(witnesses[2])
      return Trial(bodies: [
        {
          stage.publisher.subscribe(witnesses[0])
          witnesses[0].cancel()
        },
        {
          stage.publisher.subscribe(witnesses[1])
          witnesses[1].cancel()
        },
        {
          stage.a.send(1)
          witnesses[2].cancel()
        },
      ]) {
        var faults = witnesses.flatMap(\.faults) + stage.faults + stage.faultsAtEnd
        // It behaves like a new publisher.
        let late = Witness()
        stage.publisher.subscribe(late)
        stage.a.send(9)
        if late.values.last != 9 { faults.append("who comes later gets nothing") }
        late.cancel()
        return faults + late.faults + stage.faultsAtEnd
      }
    }
  }

  @Test("subscribe ∥ completion, with a shared connection", arguments: OperatorCase.shared)
  func comeAndEnd(_ operation: OperatorCase) {
    explore("\(operation): come ∥ end") {
      let (stage, first, second) = (Stage(operation.make), Witness(), Witness())
      stage.publisher.subscribe(first)
      return Trial(bodies: [
        {
          stage.a.send(1)
          stage.a.send(completion: .finished)
        },
        { stage.publisher.subscribe(second) },
      ]) {
        stage.a.send(completion: .finished)
        second.cancel()
        return first.faults + second.faults + stage.faults + stage.faultsAtEnd
          + (first.ends == [.finished] ? [] : ["the first: \(first.ends)"])
      }
    }
  }

  static let kinds: [@Sendable () -> any Subject<Int, TestError>] = [
    { PassthroughSubject() }, { CurrentValueSubject(0) }, { ReplaySubject(bufferSize: 2) },
  ]

  @Test("subjects: send ∥ send ∥ subscribe ∥ cancel: one order for all", arguments: 0..<3)
  func subjects(_ kind: Int) {
    explore("subject \(kind): send ∥ send ∥ subscribe ∥ cancel") {
      let subject = Self.kinds[kind]()
      let (steady, late, going) = (Witness(), Witness(), Witness())
      subject.attach(steady)
      subject.attach(going)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        {
          subject.attach(late)
          going.cancel()
        },
      ]) {
        var faults = steady.faults + late.faults + going.faults
        let all = steady.values.filter { $0 != 0 }
        if all.filter({ $0 < 10 }) != [1, 2] || all.filter({ $0 > 10 }) != [11, 12] { faults.append("sent: \(all)") }
        if late.values.filter({ $0 != 0 }) != Array(all.suffix(late.values.count { $0 != 0 })) {
          faults.append("the late one got \(late.values) of \(all)")
        }
        if going.values.filter({ $0 != 0 }) != Array(all.prefix(going.values.count { $0 != 0 })) {
          faults.append("the one that goes got \(going.values) of \(all)")
        }
        return faults
      }.releasing(going, keeping: subject)
    }
  }

  @Test("subjects: send ∥ send ∥ subscribe and send: the subscriber receives its own value, too", arguments: 0..<3)
  func subjectsSentTo(_ kind: Int) {
    explore("subject \(kind): send ∥ send ∥ subscribe and send") {
      let subject = Self.kinds[kind]()
      let (steady, late) = (Witness(), Witness())
      late.onSubscription = { subject.send(21) }
      subject.attach(steady)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { subject.attach(late) },
      ]) {
        let all = steady.values.filter { $0 != 0 }
        let own = late.values.filter { $0 != 0 }
        let isWhole = own.contains(21) && own == Array(all.suffix(own.count))
        return steady.faults + late.faults + (isWhole ? [] : ["the late one got \(late.values) of \(all)"])
      }
    }
  }

  @Test("subjects: send ∥ send ∥ send, and subscribe inside: one order for all", arguments: 0..<3)
  func subjectsNested(_ kind: Int) {
    explore("subject \(kind): send ∥ send ∥ send, and subscribe inside") {
      let subject = Self.kinds[kind]()
      let (host, steady, late) = (Witness(), Witness(), Witness())
      host.onValue = { value in if value == 1 { subject.attach(late) } }
      subject.attach(host)
      subject.attach(steady)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { subject.send(21) },
      ]) {
        let all = steady.values.filter { $0 != 0 }
        let own = late.values.filter { $0 != 0 }
        let isInOrder =
          all == host.values.filter { $0 != 0 } && all.filter { $0 < 3 } == [1, 2]
          && all.filter { (11...12).contains($0) } == [11, 12]
        let isWhole = own == Array(all.suffix(own.count))
        return host.faults + steady.faults + late.faults
          + (isInOrder && isWhole ? [] : ["\(host.values), \(all), and the late one got \(late.values)"])
      }
    }
  }

  @Test("subjects: send ∥ send ∥ subscribe with a buffer: one order for all", arguments: 0..<3, [1, 20])
  func subjectsBuffered(_ kind: Int, _ size: Int) {
    explore("subject \(kind): send ∥ send ∥ subscribe with a buffer of \(size)") {
      let subject = Self.kinds[kind]()
      let (steady, late) = (Witness(), Witness())
      subject.attach(steady)
      return Trial(bodies: [
        { for value in 1...2 { subject.send(value) } }, { for value in 11...12 { subject.send(value) } },
        { subject.attach(late, bufferSize: size) }, { Interleaver.takeOffers() },
      ]) {
        subject.send(21)
        let all = steady.values.filter { $0 != 0 }
        let own = late.values.filter { $0 != 0 }
        let inOrder = all.filter(own.contains)
        let isWhole = own.last == 21 && own == (size == 1 ? inOrder : Array(all.suffix(own.count)))
        return steady.faults + late.faults + (isWhole ? [] : ["the late one got \(late.values) of \(all)"])
      }
    }
  }

  @Test("subjects: send ∥ completion ∥ subscribe: one completion for each", arguments: 0..<3)
  func subjectsEnd(_ kind: Int) {
    explore("subject \(kind): send ∥ completion ∥ subscribe") {
      let subject = Self.kinds[kind]()
      let (steady, late) = (Witness(), Witness())
      subject.attach(steady)
      return Trial(bodies: [
        { subject.send(1) }, { subject.send(completion: .finished) }, { subject.attach(late) },
        { subject.send(completion: .failure(.oops)) },
      ]) {
        steady.faults + late.faults
          + (steady.ends.count == 1 && steady.ends == late.ends ? [] : ["ends: \(steady.ends), \(late.ends)"])
      }.releasing(steady, keeping: subject)
    }
  }

  @Test("subjects: request ∥ request ∥ send: exact demand", arguments: 0..<3)
  func subjectsAsked(_ kind: Int) {
    explore("subject \(kind): request ∥ request ∥ send") {
      let subject = Self.kinds[kind]()
      let witness = Witness(demanding: .none)
      subject.attach(witness)
      return Trial(bodies: [
        { witness.request(.max(1)) }, { witness.request(.max(2)) }, { for value in 1...2 { subject.send(value) } },
      ]) {
        for value in 3...8 { subject.send(value) }
        return witness.faults + (witness.values.count == 3 ? [] : ["got \(witness.values), having asked for three"])
      }
    }
  }
}

extension Subject where Output == Int, Failure == TestError {
  func attach(_ witness: Witness) { subscribe(witness) }

  func attach(_ witness: Witness, bufferSize: Int) {
    buffer(size: bufferSize, prefetch: .byRequest, whenFull: .dropOldest).subscribe(witness)
  }
}
