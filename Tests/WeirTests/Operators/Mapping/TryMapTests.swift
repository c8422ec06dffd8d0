import Testing
import Weir

@testable import TestSupport

@Suite("tryMap")
struct TryMapTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryMap", guarding: .ends) { source, token in
      source.tryMap { (value: Int) throws -> Int in withExtendedLifetime(token) { value * 2 } }
    }
  }

  @Test("transforms each value, and forwards demand and the completion unchanged")
  func transforms() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryMap { (value: Int) throws -> String in "\(value)" }.record(
      demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(3))
    #expect(source.send(2) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("1"), .value("2"), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("cancels the upstream and fails when the closure throws, and never calls it again")
  func throwing() {
    let source = ManualPublisher<Int, TestError>()
    var inputs: [Int] = []
    let recorder = source.tryMap { (value: Int) throws -> Int in
      inputs.append(value)
      if value == 2 { throw TestError.oops }
      return value
    }.record(demanding: .unlimited, returning: .max(1))
    var cancelledBeforeTheFailure = false
    recorder.onCompletion = { cancelledBeforeTheFailure = source.events.last == .cancelled }
    source.send(1)
    #expect(source.send(2) == .none)
    #expect(source.send(3) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(inputs == [1, 2])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(cancelledBeforeTheFailure)
  }

  @Test("sends no event after the closure cancels, whether it returns or throws")
  func cancellingInsideTheClosure() {
    for throwsAfterwards in [false, true] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, any Error>(demanding: .unlimited)
      source.tryMap { (value: Int) throws -> Int in
        recorder.cancel()
        if throwsAfterwards { throw TestError.oops }
        return value
      }.subscribe(recorder)
      source.send(1)
      #expect(recorder.events == [.subscription])
      #expect(source.events == [.requested(.unlimited), .cancelled])
    }
  }

  @Test("composes its closure with that of a map or another tryMap")
  func composes() {
    let source = ManualPublisher<Int, TestError>()
    let doubled = source.tryMap { (value: Int) throws -> Int in value * 2 }
    let thrice = doubled.map { (value: Int) -> Int in value + 1 }.tryMap { (value: Int) throws -> String in
      if value > 4 { throw TestError.oops }
      return "\(value)"
    }
    #expect(type(of: thrice) == Publishers.TryMap<ManualPublisher<Int, TestError>, String>.self)
    let mapped = source.map { (value: Int) -> Int in value }.tryMap { (value: Int) throws -> Int in value }
    #expect(type(of: mapped) == Publishers.TryMap<ManualPublisher<Int, TestError>, Int>.self)
    let recorder = thrice.record(demanding: .unlimited)
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription, .value("3"), .failed(.oops)])
  }
}
