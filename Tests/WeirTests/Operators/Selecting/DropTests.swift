import Testing
import Weir

@testable import TestSupport

@Suite("dropFirst")
struct DropTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Drop", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.dropFirst(0)
    }
    checkCommonRules(named: "Drop", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.dropFirst(1)
    }
  }

  @Test("requests dropped values together with the first request, and no others instead")
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

  @Test("requests dropped values even without a request")
  func dropsWithoutDemand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.dropFirst().record()
    #expect(source.events == [.requested(.max(1))])
    recorder.request(.max(2))
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test("requests no values by itself for a count of 0")
  func dropsNothing() {
    let source = ManualPublisher<Int, TestError>()
    _ = source.dropFirst(0).record()
    #expect(source.events == [])
  }

  @Test("passes the subscription before the completion of an upstream with too few values")
  func shortUpstream() {
    #expect([1].lazy.publisher.dropFirst().record().events == [.subscription, .finished])
    #expect([1].lazy.publisher.dropFirst(5).record(demanding: .unlimited).events == [.subscription, .finished])
    let empty = Empty<Int, TestError>().dropFirst().record()
    #expect(empty.events == [.subscription, .finished])
  }

  @Test("rejects a negative count")
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
