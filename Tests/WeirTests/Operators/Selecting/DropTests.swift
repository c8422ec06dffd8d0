import Testing
import Weir

@testable import TestSupport

@Suite("dropFirst")
struct DropTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "Drop", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.dropFirst(0)
    }
    checkCommonRules(named: "Drop", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.dropFirst(1)
    }
  }

  @Test("asks for what it drops together with the first request, and for nothing in its place")
  func drops() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.dropFirst(2).record(demanding: .max(3), returning: .max(4))
    #expect(source.events == [.requested(.max(5))])
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(source.send(3) == .max(4))
    recorder.request(.max(6))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(3), .finished])
    #expect(source.events == [.requested(.max(5)), .requested(.max(6))])
  }

  @Test("asks for what it drops when there is no request yet")
  func dropsWithoutDemand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.dropFirst().record()
    #expect(source.events == [.requested(.max(1))])
    recorder.request(.max(2))
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test("asks for nothing by itself when it drops nothing")
  func dropsNothing() {
    let source = ManualPublisher<Int, TestError>()
    _ = source.dropFirst(0).record()
    #expect(source.events == [])
  }

  @Test("hands the subscription over before the end of an upstream that has no more than what is dropped")
  func shortUpstream() {
    #expect([1].lazy.publisher.dropFirst().record().events == [.subscription, .finished])
    #expect([1].lazy.publisher.dropFirst(5).record(demanding: .unlimited).events == [.subscription, .finished])
    let empty = Empty<Int, TestError>().dropFirst().record()
    #expect(empty.events == [.subscription, .finished])
  }

  @Test("takes no negative count")
  func negative() async {
    await #expect(processExitsWith: .failure) {
      _ = [1].lazy.publisher.dropFirst(-1).sink { _ in }
    }
  }

  @Test("equals another with the same count on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).dropFirst(2) == NumberPublisher(1).dropFirst(2))
    #expect(NumberPublisher(1).dropFirst(2) != NumberPublisher(1).dropFirst(3))
  }
}
