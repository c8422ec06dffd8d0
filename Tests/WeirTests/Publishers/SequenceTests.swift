import Testing
import Weir

@testable import TestSupport

@Suite("Sequence.publisher")
struct SequenceTests {
  /// The numbers from 1 on; the box counts the pulled elements.
  private func numbers(upTo last: Int, counting pulled: Box<Int>) -> UnfoldSequence<Int, Int> {
    sequence(state: 0) { number -> Int? in
      if number == last { return nil }
      number += 1
      pulled.value += 1
      return number
    }
  }

  @Test("sends as many elements as are requested, and finishes right after the last")
  func demand() {
    let recorder = [1, 2, 3, 4].publisher.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(2))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .value(4), .finished])
    recorder.request(.unlimited)
    recorder.cancel()
    #expect(recorder.events.count == 6)
    #expect(recorder.subscription.map { String(describing: $0) } == "Sequence")
  }

  @Test("the subscription is described by a sequence with a description of its own")
  func description() {
    #expect([1, 2].publisher.record().subscription.map { String(describing: $0) } == "[1, 2]")
    let steps = stride(from: 0, to: 5, by: 2).publisher.record()
    #expect(steps.subscription.map { String(describing: $0) } == "Sequence")
  }

  @Test("sends all elements for unlimited demand")
  func unlimited() {
    let recorder = (1...3).publisher.record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("finishes immediately without an element, with any demand")
  func empty() {
    #expect([Int]().publisher.record().events == [.subscription, .finished])
    #expect([Int]().publisher.record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("adds the demand that each value returns")
  func returned() {
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { $0 == 1 ? .max(2) : .none }
    (1...9).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    recorder.onValue = { _ in .unlimited }
    recorder.request(.max(1))
    #expect(recorder.values == Array(1...9))
    #expect(recorder.isFinished)
  }

  @Test("adds the demand that one delivery requests and returns")
  func requestedAndReturned() {
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { [unowned recorder] value in
      if value > 1 { return .none }
      recorder.request(.max(2))
      return .max(3)
    }
    (1...9).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5, 6])
  }

  @Test("delivers for a re-entrant request after the present delivery")
  func reentrant() {
    var log: [String] = []
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { [unowned recorder] value in
      log.append("in \(value)")
      recorder.request(.max(1))
      log.append("out \(value)")
      return .none
    }
    [1, 2].publisher.subscribe(recorder)
    #expect(log == ["in 1", "out 1", "in 2", "out 2"])
    #expect(recorder.isFinished)
  }

  @Test("a million re-entrant requests don't grow the stack")
  func constantStack() {
    var count = 0
    var isFinished = false
    onSmallStack {
      var subscription: (any Subscription)?
      (1...1_000_000).publisher.subscribe(
        AnySubscriber<Int, Never>(
          receiveSubscription: {
            subscription = $0
            $0.request(.max(1))
          },
          receiveValue: { _ in
            count += 1
            subscription?.request(.max(1))
            return .none
          }, receiveCompletion: { _ in isFinished = true }))
    }
    #expect(count == 1_000_000)
    #expect(isFinished)
  }

  @Test("pulls at most one element ahead")
  func pulls() {
    let pulled = Box(0)
    let recorder = numbers(upTo: 9, counting: pulled).publisher.record()
    #expect(pulled.value == 1)
    recorder.request(.max(2))
    #expect(pulled.value == 3)
    #expect(recorder.values == [1, 2])
  }

  @Test("pulls no more elements when a delivery cancels")
  func cancelsInside() {
    let pulled = Box(0)
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] value in
      if value == 3 { recorder.cancel() }
      return .max(1)
    }
    numbers(upTo: 9, counting: pulled).publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
    #expect(pulled.value == 3)
    recorder.request(.unlimited)
    #expect(pulled.value == 3)
  }

  @Test("pulls and sends no element after a cancellation between two requests")
  func cancelsBetween() {
    let pulled = Box(0)
    let recorder = numbers(upTo: 9, counting: pulled).publisher.record(demanding: .max(1))
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(pulled.value == 2)
  }

  @Test("sends no element after the iterator cancels, and releases everything, with any demand")
  func cancelsInsideTheIterator() {
    for demand in [Subscribers.Demand.max(1), .max(2), .unlimited] {
      let kept = Box<(any Subscription)?>(nil)
      let isReleased = isReleased { token in
        let recorder = Recorder<Int, Never>(demanding: demand)
        let elements = sequence(state: 0) { [unowned recorder] number -> Int? in
          number += 1
          if number == 2 { recorder.cancel() }
          return withExtendedLifetime(token) { number }
        }
        elements.publisher.subscribe(recorder)
        kept.value = recorder.subscription
        #expect(recorder.events == [.subscription, .value(1)], "\(demand)")
      }
      #expect(isReleased, "\(demand)")
      withExtendedLifetime(kept) {}
    }
  }

  @Test("doesn't finish if the iterator cancels at its end")
  func cancelsAtTheEnd() {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    let elements = sequence(state: 0) { [unowned recorder] number -> Int? in
      number += 1
      if number == 2 { recorder.cancel() }
      return number == 2 ? nil : number
    }
    elements.publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("sends no element after a cancellation during the subscription")
  func cancelsInsideTheSubscription() {
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = {
      $0.cancel()
      $0.request(.unlimited)
    }
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription])
  }

  @Test("each subscriber has its own iterator")
  func twoSubscribers() {
    let publisher = [1, 2, 3].publisher
    let first = publisher.record(demanding: .max(2))
    let second = publisher.record(demanding: .max(1))
    #expect(first.values == [1, 2])
    #expect(second.values == [1])
  }

  @Test("releases iterator and subscriber at completion and at cancellation, while the subscription lives")
  func releases() {
    for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
      let kept = Box<(any Subscription)?>(nil)
      #expect(
        isReleased { token in
          let elements = sequence(state: 0) { number -> Int? in
            number += 1
            return withExtendedLifetime(token) { number < 5 ? number : nil }
          }
          let recorder = Recorder<Int, Never>(demanding: demand)
          recorder.onCompletion = { withExtendedLifetime(token) {} }
          elements.publisher.subscribe(recorder)
          kept.value = recorder.subscription
          if demand != .unlimited { recorder.cancel() }
        }, "\(demand)")
      withExtendedLifetime(kept) {}
    }
  }

  @Test("serializes delivery, within the demand of several requesting threads")
  func races() {
    var count = 0
    var subscription: (any Subscription)?
    (1...100_000).publisher.subscribe(
      AnySubscriber<Int, Never>(
        receiveSubscription: { subscription = $0 },
        receiveValue: { value in
          count += 1
          return value == count ? .none : .unlimited  // a lost update shows as too many values
        }))
    let ask = { for _ in 0..<5_000 { subscription?.request(.max(2)) } }
    race(ask, ask, ask)
    #expect(count == 30_000)
  }

  @Test("equals another with an equal sequence")
  func equality() {
    #expect([1, 2].publisher == [1, 2].publisher)
    #expect([1, 2].publisher != [1].publisher)
  }
}
