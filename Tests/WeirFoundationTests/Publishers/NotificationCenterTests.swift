import Dispatch
import Foundation
import Synchronization
import Testing
import Weir
import WeirFoundation

@testable import TestSupport

@Suite("A notification centre as a publisher")
struct NotificationCenterTests {
  let center = NotificationCenter()
  let name = Notification.Name("weir.tests")

  /// The numbers that the notifications carry, so that they can be compared.
  private func numbers(
    demanding demand: Subscribers.Demand = .none, returning: Subscribers.Demand = .none
  ) -> Recorder<Int, Never> {
    center.publisher(for: name).map { $0.userInfo?["number"] as? Int ?? -1 }
      .record(demanding: demand, returning: returning)
  }

  private func post(_ number: Int) {
    center.post(name: name, object: nil, userInfo: ["number": number])
  }

  @Test("sends notifications after the subscription, and never completes")
  func values() {
    post(0)
    let recorder = numbers(demanding: .unlimited)
    post(1)
    post(2)
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
  }

  @Test("drops notifications without demand")
  func demand() {
    let recorder = numbers()
    recorder.request(.none)
    post(1)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    post(2)
    post(3)
    recorder.request(.max(1))
    recorder.request(.max(1))
    for number in 4...6 { post(number) }
    #expect(recorder.values == [2, 4, 5])

    let returning = numbers(demanding: .max(1), returning: .max(1))
    for number in 7...9 { post(number) }
    #expect(returning.values == [7, 8, 9])
  }

  @Test("sends only those of its name and object")
  func filtering() {
    final class Sender: Sendable {}
    let (sender, other) = (Sender(), Sender())
    var senders: [ObjectIdentifier?] = []
    let token = center.publisher(for: name, object: sender).sink { notification in
      senders.append((notification.object as? Sender).map { ObjectIdentifier($0) })
    }
    center.post(name: name, object: other)
    center.post(name: name, object: nil)
    center.post(name: Notification.Name("weir.others"), object: sender)
    center.post(name: name, object: sender)
    #expect(senders == [ObjectIdentifier(sender)])
    withExtendedLifetime(token) {}
  }

  @Test("delivers a re-entrant notification nested, within the demand")
  func nested() {
    let recorder = Recorder<Int, Never>(demanding: .max(3))
    var log: [Int] = []
    recorder.onValue = { number in
      log.append(number)
      if number < 5 { post(number + 1) }
      log.append(-number)
      return .none
    }
    center.publisher(for: name).map { $0.userInfo?["number"] as? Int ?? -1 }.subscribe(recorder)
    post(1)
    #expect(log == [1, 2, 3, -3, -2, -1])
  }

  @Test("sends no notification after a cancellation, also during a delivery")
  func cancelling() {
    let recorder = numbers(demanding: .unlimited)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    post(1)
    #expect(recorder.events == [.subscription])

    let inside = numbers(demanding: .unlimited)
    inside.onValue = { [unowned inside] _ in
      inside.cancel()
      post(3)
      return .unlimited
    }
    post(2)
    post(4)
    #expect(inside.events == [.subscription, .value(2)])

    let early = Recorder<Int, Never>()
    early.onSubscription = { $0.cancel() }
    center.publisher(for: name).map { _ in 0 }.subscribe(early)
    post(5)
    #expect(early.events == [.subscription])
  }

  @Test("releases the subscriber, the object and the center at a cancellation")
  func release() throws {
    let group = DispatchGroup()
    var subscription: (any Subscription)?
    var others: (any Subscription)?
    weak var remains: NotificationCenter?
    do {
      let center = NotificationCenter()
      remains = center
      center.publisher(for: name).subscribe(AnySubscriber(receiveSubscription: { others = $0 }))
    }
    #expect(remains != nil)
    try #require(others).cancel()
    #expect(remains == nil)
    do {
      let tracer = Tracer(group: group)
      center.publisher(for: name, object: Tracer(group: group)).subscribe(
        AnySubscriber(
          receiveSubscription: {
            subscription = $0
            $0.request(.unlimited)
          },
          receiveValue: { _ in
            tracer.touch()
            return .none
          }))
      center.post(name: name, object: nil)
    }
    #expect(group.wait(timeout: .now()) == .timedOut)
    try #require(subscription).cancel()
    #expect(group.wait(timeout: .now()) == .success)
    withExtendedLifetime((subscription, others)) {}
  }

  @Test("retains the object until the cancellation, so that no other one takes its address")
  func objects() {
    final class Document {}
    var document: Document? = Document()
    weak let remains = document
    let recorder = center.publisher(for: name, object: document).map { _ in 0 }.record(demanding: .unlimited)
    document = nil
    #expect(remains != nil)
    for _ in 0..<10 { center.post(name: name, object: Document()) }
    #expect(recorder.events == [.subscription])
    recorder.cancel()
    #expect(remains == nil)
  }

  @Test("stops when the subscription is released without a cancellation")
  func letGo() {
    let group = DispatchGroup()
    var count = 0
    do {
      let tracer = Tracer(group: group)
      center.publisher(for: name).subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.unlimited) },
          receiveValue: { _ in
            count += 1
            tracer.touch()
            return .none
          }))
    }
    post(1)
    #expect(count == 0)
    #expect(group.wait(timeout: .now()) == .success)
  }

  @Test("serves each subscriber independently, and has the name of Combine's subscription")
  func subscribers() {
    let one = numbers(demanding: .max(1))
    let all = numbers(demanding: .unlimited)
    post(1)
    post(2)
    #expect(one.values == [1])
    #expect(all.values == [1, 2])
    #expect(one.subscription.map { "\($0)" } == "NotificationCenter Observer")
  }

  @Test("serializes the notifications of several threads")
  func threads() {
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let total = Atomic<Int>(0)
    let token = center.publisher(for: name).sink { _ in
      if inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue > 1 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      total.wrappingAdd(1, ordering: .relaxed)
      inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    let send = { for number in 0..<500 { post(number) } }
    race(send, send, send, send)
    #expect(overlaps.load(ordering: .relaxed) == 0)
    #expect(total.load(ordering: .relaxed) == 2000)
    withExtendedLifetime(token) {}
  }

  @Test("one thread can cancel while others post")
  func concurrentCancel() {
    for _ in 0..<100 {
      let token = center.publisher(for: name).sink { _ in }
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        if index == 0 { token.cancel() } else { for number in 0..<10 { post(number) } }
      }
    }
  }

  @Test("is equal to another with the same center, name and object")
  func equality() {
    let other = NotificationCenter()
    let (first, second) = (NSObject(), NSObject())
    #expect(center.publisher(for: name) == center.publisher(for: name))
    #expect(center.publisher(for: name, object: first) == .init(center: center, name: name, object: first))
    #expect(center.publisher(for: name, object: first) != center.publisher(for: name, object: second))
    #expect(center.publisher(for: name, object: first) != center.publisher(for: name))
    #expect(center.publisher(for: name) != other.publisher(for: name))
    #expect(center.publisher(for: name) != center.publisher(for: Notification.Name("weir.others")))
  }
}
