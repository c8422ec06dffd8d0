import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("amb")
struct AmbTests {
  typealias Source = ManualPublisher<Int, TestError>

  let a = Source()
  let b = Source()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "Amb") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .amb(with: Empty<Int, TestError>(completeImmediately: false))
    }
    checkCommonRules(named: "Amb") { source, token in
      [source, Empty(completeImmediately: false).eraseToAnyPublisher()].amb()
        .map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
    }
  }

  @Test("the first to send a value wins, and the other is cancelled before the delivery")
  func wins() {
    let recorder = a.amb(with: b).record(demanding: .max(2))
    #expect(a.events == [.requested(.max(2))])
    #expect(b.events == [.requested(.max(2))])
    var wasCancelled = false
    recorder.onValue = { [a] _ in
      wasCancelled = a.isCancelledOnce
      return .max(3)
    }
    #expect(b.send(1) == .max(3))
    #expect(wasCancelled)
    a.send(2)
    a.send(completion: .failure(.oops))
    recorder.request(.max(4))
    #expect(b.events == [.requested(.max(2)), .requested(.max(4))])
    #expect(a.events == [.requested(.max(2)), .cancelled])
    b.send(3)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(3), .finished])
  }

  @Test("a publisher that completes first wins too", arguments: [true, false])
  func ends(_ fails: Bool) {
    let recorder = a.amb(with: b).record()
    a.send(completion: fails ? .failure(.oops) : .finished)
    #expect(recorder.events == [.subscription, fails ? .failed(.oops) : .finished])
    #expect(b.events == [.cancelled])
  }

  @Test("a publisher that wins during its request leaves the others unrequested")
  func atOnce() {
    let recorder = Just(1).setFailureType(to: TestError.self).amb(with: b).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(b.events == [.cancelled])
    let empty = Empty<Int, TestError>().amb(with: a).record()
    #expect(empty.events == [.subscription, .finished])
    #expect(a.events == [.cancelled])
  }

  @Test("chooses one of many, in the order of the requests, and finishes without publishers")
  func many() {
    let sources = (0..<10).map { _ in Source() }
    let recorder = sources.amb().record(demanding: .max(1))
    sources[7].send(1)
    sources[3].send(2)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(sources[7].events == [.requested(.max(1)), .requested(.unlimited)])
    #expect(sources.indices.allSatisfy { $0 == 7 || sources[$0].events == [.requested(.max(1)), .cancelled] })
    #expect([Source]().amb().record().events == [.subscription, .finished])
  }

  @Test("cancellation reaches all publishers")
  func cancels() {
    let recorder = a.amb(with: b).record(demanding: .unlimited)
    recorder.cancel()
    #expect(a.isCancelledOnce)
    #expect(b.isCancelledOnce)
  }

  @Test("one of two concurrent senders wins, and all its values arrive")
  func races() {
    for _ in 0..<Effort.rounds(200) {
      let (x, y) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let recorder = x.amb(with: y).record(demanding: .unlimited)
      race({ for value in 0..<10 { x.send(value) } }, { for value in 100..<110 { y.send(value) } })
      #expect(recorder.values == Array(0..<10) || recorder.values == Array(100..<110))
    }
  }
}
