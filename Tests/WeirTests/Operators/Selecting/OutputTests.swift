import Testing
import Weir

@testable import TestSupport

@Suite("output and prefix(_:)")
struct OutputTests {
  @Test("conform to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Output", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.prefix(3)
    }
    checkCommonRules(named: "Output", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.prefix(99)
    }
    checkCommonRules(named: "Output", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.output(in: 0...3)
    }
    checkCommonRules(named: "Output", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.output(at: 0)
    }
  }

  @Test("prefix forwards this many values, then cancels and finishes without another request")
  func prefix() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.prefix(2).record(demanding: .max(2), returning: .max(5))
    var sawCancel = false
    recorder.onCompletion = { sawCancel = source.events.last == .cancelled }
    #expect(source.send(1) == .max(5))
    #expect(source.send(2) == .none)
    #expect(source.send(3) == .none)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.events == [.requested(.max(2)), .cancelled])
    #expect(sawCancel)
  }

  @Test("cancels the upstream after the last value, unless that completes inside it", arguments: [false, true])
  func cancelsAfterTheLast(completing: Bool) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.prefix(1).record(demanding: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      #expect(source.events == [.requested(.max(1))])
      recorder.request(.max(1))
      _ = source.send(2)
      if completing { source.send(completion: .failure(.oops)) }
      return .none
    }
    _ = source.send(1)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1))] + (completing ? [] : [.cancelled]))
  }

  @Test("prefix of 0 finishes after it has passed the subscription")
  func prefixOfNone() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.prefix(0).record()
    #expect(recorder.events == [.subscription, .finished])
    #expect(source.events == [.cancelled])
    #expect([1, 2].lazy.publisher.prefix(0).record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("prefix completes with an upstream that is shorter")
  func prefixOfMore() {
    #expect([1].lazy.publisher.prefix(2).record(demanding: .max(1)).events == [.subscription, .value(1), .finished])
  }

  @Test("output(at:) drops values before the index, and requests one more for each")
  func outputAt() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.output(at: 2).record(demanding: .max(1), returning: .max(5))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(1))
    #expect(source.send(3) == .none)
    #expect(recorder.events == [.subscription, .value(3), .finished])
    #expect(source.events == [.requested(.max(1)), .cancelled])
  }

  @Test("output(in:) accepts every kind of range")
  func ranges() {
    let source = [0, 1, 2, 3, 4].lazy.publisher
    #expect(source.output(in: 1..<3).record(demanding: .unlimited).values == [1, 2])
    #expect(source.output(in: 1...3).record(demanding: .unlimited).values == [1, 2, 3])
    #expect(source.output(in: ..<2).record(demanding: .unlimited).values == [0, 1])
    #expect(source.output(in: ...2).record(demanding: .unlimited).values == [0, 1, 2])
    #expect(source.output(in: 3...).record(demanding: .unlimited).values == [3, 4])
    #expect(source.output(in: 3..<3).record(demanding: .unlimited).events == [.subscription, .finished])
    #expect(source.output(in: 7...).record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("finishes once for a request or a cancellation in the delivery of the last value")
  func insideTheLast() {
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.unlimited)
      return .max(1)
    }
    [1, 2, 3].lazy.publisher.prefix(1).subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    let cancelling = Recorder<Int, Never>(demanding: .max(1))
    cancelling.onValue = { [unowned cancelling] _ in
      cancelling.cancel()
      return .none
    }
    [1, 2, 3].lazy.publisher.prefix(1).subscribe(cancelling)
    #expect(cancelling.events == [.subscription, .value(1)])
  }

  @Test("rejects a negative index")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: .max) }
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.output(in: (-1)...) }
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.output(in: ...(-2)) }
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.output(in: ..<(-1)) }
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.prefix(-1) }
  }

  @Test("names the rule for a range outside of a collection", arguments: [-2, 1])
  func outside(first: Int) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [first] in
      _ = [1, 2].publisher.output(in: first..<first + 2)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("output(in:) of a collection's publisher requires indices of that collection."))
  }

  @Test("accepts every range of indices, up to the last one")
  func allRanges() {
    let publisher = NumberPublisher(1)
    #expect(publisher.output(in: 1..<3).range == 1..<3)
    #expect(publisher.output(in: 1...3).range == 1..<4)
    #expect(publisher.output(in: 1...).range == 1..<Int.max)
    #expect(publisher.output(in: ...3).range == 0..<4)
    #expect(publisher.output(in: ..<3).range == 0..<3)
    #expect(publisher.output(in: ..<0).range == 0..<0)
    #expect(publisher.output(in: 2...Int.max).range == 2..<Int.max)
    #expect(publisher.output(in: ...Int.max).range == 0..<Int.max)
    #expect(publisher.output(at: .max - 1).range == Int.max - 1..<Int.max)
    #expect([1, 2].publisher.map { $0 }.output(in: 0...Int.max).record(demanding: .unlimited).values == [1, 2])
    #expect(Just(1).output(in: 0...Int.max).output == 1)
  }

  @Test("equals another with the same range on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).prefix(2) == NumberPublisher(1).output(in: 0..<2))
    #expect(NumberPublisher(1).prefix(2) != NumberPublisher(1).prefix(3))
  }
}
