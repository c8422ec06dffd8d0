import Testing
import Weir

@testable import TestSupport

@Suite("handleEvents")
struct HandleEventsTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "HandleEvents", guarding: .ends) { source, _ in source.handleEvents() }
    checkCommonRules(named: "HandleEvents", guarding: .ends) { source, token in
      source.handleEvents(
        receiveSubscription: { _ in withExtendedLifetime(token) {} },
        receiveOutput: { _ in withExtendedLifetime(token) {} },
        receiveCompletion: { _ in withExtendedLifetime(token) {} },
        receiveCancel: { withExtendedLifetime(token) {} }, receiveRequest: { _ in withExtendedLifetime(token) {} })
    }
  }

  @Test("calls each closure before its event is forwarded")
  func order() {
    let source = ManualPublisher<Int, TestError>()
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      log.append("subscribed")
      subscription.request(.max(1))
    }
    recorder.onValue = { value in
      log.append("got \(value)")
      return value == 1 ? .max(2) : .none
    }
    recorder.onCompletion = { log.append("ended") }
    source.handleEvents(
      receiveSubscription: { log.append("subscription \($0)") }, receiveOutput: { log.append("output \($0)") },
      receiveCompletion: { log.append("failure \($0 == .failure(.oops))") }, receiveCancel: { log.append("cancel") },
      receiveRequest: { demand in log.append("request \(demand) after \(source.events.count)") }
    ).subscribe(recorder)
    source.send(1)
    source.send(2)
    source.send(completion: .failure(.oops))
    #expect(
      log == [
        "subscription Manual", "subscribed", "request max(1) after 0", "output 1", "got 1", "request max(2) after 1",
        "output 2", "got 2", "failure true", "ended",
      ])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.oops)])
  }

  @Test("reports a cancellation once, before the upstream receives it, and none after the completion")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    var log: [Int] = []
    let publisher = source.handleEvents(receiveCancel: { log.append(source.events.count) })
    let recorder = publisher.record(demanding: .max(1))
    recorder.cancel()
    recorder.cancel()
    #expect(log == [1])
    #expect(source.events == [.requested(.max(1)), .cancelled])
    let second = publisher.record()
    source.send(completion: .finished, to: 1)
    second.cancel()
    #expect(log == [1])
  }

  @Test("reports no demand that a delivery returns after its subscriber has cancelled")
  func cancelsInsideDelivery() {
    let source = ManualPublisher<Int, TestError>()
    var requests: [Subscribers.Demand] = []
    let recorder = source.handleEvents(receiveRequest: { requests.append($0) }).record(demanding: .max(2))
    recorder.onValue = { value in
      if value == 2 { recorder.cancel() }
      return .max(3)
    }
    source.send(1)
    source.send(2)
    #expect(requests == [.max(2), .max(3)])
  }

  @Test("calls no closure after the completion or a cancellation")
  func silence() {
    var log: [String] = []
    let source = ManualPublisher<Int, TestError>()
    let publisher = source.handleEvents(
      receiveOutput: { log.append("output \($0)") }, receiveCompletion: { log.append("completion \($0)") },
      receiveRequest: { log.append("request \($0)") })
    let recorder = publisher.record()
    recorder.cancel()
    let second = publisher.record()
    source.send(completion: .finished, to: 1)
    for index in 0...1 {
      source.send(1, to: index)
      source.send(completion: .finished, to: index)
    }
    recorder.request(.max(1))
    second.request(.max(1))
    #expect(log == ["completion finished"])
  }

  @Test("doesn't forward a value when its closure cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    source.handleEvents(receiveOutput: { _ in recorder.cancel() }).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("forwards events before the subscription")
  func tooEarly() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.handleEvents().record(returning: .max(2))
    #expect(source.send(1) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.value(1), .finished])
  }

  @Test("delivers the subscription before a completion that its closure causes")
  func completingInsideTheSubscription() {
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.handleEvents(receiveSubscription: { _ in source.send(completion: .failure(.oops)) })
    #expect(publisher.record().events == [.subscription, .failed(.oops)])
    let other = PassthroughSubject<Int, TestError>()
    let print = other.print("", to: Completing { other.send(completion: .finished) })
    #expect(print.record().events == [.subscription, .finished])
  }

  @Test("completes a joining operator although its closure has completed one of the upstreams")
  func completingOneOfSeveral() {
    let source = PassthroughSubject<Int, Never>()
    let publisher = source.handleEvents(receiveSubscription: { _ in source.send(completion: .finished) })
    let other = PassthroughSubject<Int, Never>()
    #expect(publisher.zip(other) { $0 + $1 }.record().events == [.subscription, .finished])
  }
}

/// Completes a subject at the first printed line.
private struct Completing: TextOutputStream {
  private var complete: (() -> Void)?

  init(_ complete: @escaping () -> Void) { self.complete = complete }

  mutating func write(_ string: String) {
    let complete = complete.take()
    complete?()
  }
}
