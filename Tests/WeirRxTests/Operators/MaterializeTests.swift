import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("materialize and dematerialize")
struct MaterializeTests {
  typealias Told = Publishers.Event<Int, TestError>

  let source = ManualPublisher<Int, TestError>()

  @Test("conform to the operator contract")
  func rules() {
    checkCommonRules(named: "Materialize", failingWith: nil) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.materialize()
    }
    checkCommonRules(named: "Dematerialize", failingWith: nil) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.materialize().dematerialize()
    }
  }

  @Test("sends values and the completion, which needs demand too", arguments: [true, false])
  func events(_ fails: Bool) {
    let recorder = source.materialize().record(demanding: .max(2))
    #expect(source.events == [.requested(.max(2))])
    source.send(1)
    source.send(2)
    source.send(completion: fails ? .failure(.oops) : .finished)
    #expect(recorder.events == [.subscription, .value(.value(1)), .value(.value(2))])
    recorder.request(.max(1))
    #expect(recorder.events.suffix(2) == [.value(fails ? .failure(.oops) : .finished), .finished])
  }

  @Test("replays the events, and cancels the rest", arguments: [true, false])
  func undone(_ fails: Bool) {
    let source = ManualPublisher<Told, Never>()
    let recorder = source.dematerialize().record(demanding: .unlimited)
    source.send(.value(1))
    source.send(fails ? .failure(.oops) : .finished)
    source.send(.value(2))
    #expect(recorder.events == [.subscription, .value(1), fails ? .failed(.oops) : .finished])
    #expect(source.isCancelledOnce)
  }

  @Test("finishes when the events finish without a completion event")
  func withoutEnd() {
    let recorder = [Told.value(1)].lazy.publisher.dematerialize().record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("events are equal when their contents are")
  func equality() {
    #expect(Told.value(1) == .value(1))
    #expect(Told.value(1) != .value(2))
    #expect(Told.failure(.oops) != .finished)
    #expect(Set([Publishers.Event<Int, Never>.finished, .value(1), .finished]).count == 2)
  }
}
