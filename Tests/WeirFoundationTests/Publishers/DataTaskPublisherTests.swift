import Dispatch
import Foundation
import LoopbackServer
import Synchronization
import Testing
import Weir
import WeirFoundation

@testable import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Uses a server on the loopback interface, which waits for the test where the order of events matters.
@Suite("A data task as a publisher", .timeLimit(.minutes(10)))
struct DataTaskPublisherTests {
  let session = loopbackSession()
  let log = Log<String>()

  /// Attaches a subscriber that records events.
  private func subscribe(
    to publisher: some Publisher<URLSession.DataTaskPublisher.Output, URLError>, demanding demand: Subscribers.Demand
  ) -> any Subscription {
    nonisolated(unsafe) var subscription: any Subscription = Subscriptions.empty
    publisher.subscribe(
      AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>(
        receiveSubscription: {
          subscription = $0
          log("subscription")
          if demand > .none { $0.request(demand) }
        },
        receiveValue: { answer in
          let status = (answer.response as? HTTPURLResponse)?.statusCode ?? 0
          log("\(status) \(String(decoding: answer.data, as: UTF8.self))")
          return .none
        },
        receiveCompletion: { completion in
          switch completion {
          case .finished: log("finished")
          case .failure(let error): log("failed \(error.code == .cannotConnectToHost ? "to connect" : "")")
          }
        }))
    return subscription
  }

  @Test("sends the response and finishes")
  func success() {
    let server = LoopbackServer { path, connection in connection.send(body: "you asked for \(path)") }
    let publisher = session.dataTaskPublisher(for: server.url("/greeting"))
    let subscription = subscribe(to: publisher, demanding: .unlimited)
    #expect(log.wait(for: 3))
    subscription.request(.max(1))
    subscription.cancel()
    #expect(log.events == ["subscription", "200 you asked for /greeting", "finished"])
    #expect("\(subscription)" == "DataTaskPublisher")
  }

  @Test("its subscription's mirror shows the subscriber")
  func mirror() throws {
    typealias Answers = AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>
    nonisolated(unsafe) var subscription: any Subscription = Subscriptions.empty
    let subscriber = Answers(receiveSubscription: { subscription = $0 })
    let url = try #require(URL(string: "http://localhost"))
    session.dataTaskPublisher(for: url).subscribe(subscriber)
    let shown = Mirror(reflecting: subscription).descendant("downstream") as? Answers
    #expect(shown?.combineIdentifier == subscriber.combineIdentifier)
    subscription.cancel()
  }

  @Test("sends a response of any status as a value")
  func status() {
    let server = LoopbackServer { _, connection in connection.send(status: "404 Not Found", body: "nothing here") }
    let token = subscribe(to: session.dataTaskPublisher(for: URLRequest(url: server.url())), demanding: .max(1))
    #expect(log.wait(for: 3))
    #expect(log.events == ["subscription", "404 nothing here", "finished"])
    withExtendedLifetime(token) {}
  }

  @Test("loads at the first request, and once for each subscriber")
  func demand() {
    let requests = Log<String>()
    let server = LoopbackServer { path, connection in
      requests(path)
      connection.send(body: path)
    }
    let patient = subscribe(to: session.dataTaskPublisher(for: server.url("/patient")), demanding: .none)
    let publisher = session.dataTaskPublisher(for: server.url("/eager"))
    for _ in 0..<2 {
      let eager = subscribe(to: publisher, demanding: .max(1))
      #expect(log.wait(for: 3))
      withExtendedLifetime(eager) {}
    }
    #expect(requests.events == ["/eager", "/eager"])
    #expect(log.wait())
    patient.request(.max(1))
    patient.request(.max(1))
    #expect(log.wait(for: 2))
    #expect(requests.events == ["/eager", "/eager", "/patient"])
    #expect(log.events.suffix(2) == ["200 /patient", "finished"])
  }

  @Test("waits as long as the server does")
  func slow() {
    let arrived = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let server = LoopbackServer { _, connection in
      arrived.signal()
      gate.wait()
      connection.send(body: "at last")
    }
    let subscription = subscribe(to: session.dataTaskPublisher(for: server.url()), demanding: .unlimited)
    #expect(arrived.wait(timeout: .now() + 300) == .success)
    #expect(log.events == ["subscription"])
    gate.signal()
    #expect(log.wait(for: 3))
    #expect(log.events == ["subscription", "200 at last", "finished"])
    withExtendedLifetime(subscription) {}
  }

  @Test("closes the connection at a cancellation, and sends no value after it")
  func cancelHalfway() {
    let halfway = DispatchSemaphore(value: 0)
    let closed = Log<Bool>()
    let server = LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na part of it")
      halfway.signal()
      closed(connection.waitForClose())
    }
    let subscription = subscribe(to: session.dataTaskPublisher(for: server.url()), demanding: .unlimited)
    #expect(halfway.wait(timeout: .now() + 300) == .success)
    subscription.cancel()
    subscription.cancel()
    subscription.request(.max(1))
    #expect(closed.wait())
    #expect(closed.events == [true])
    session.delegateQueue.waitUntilAllOperationsAreFinished()
    #expect(log.events == ["subscription"])
  }

  @Test("loads nothing if it is cancelled before the first request")
  func cancelEarly() {
    let requests = Log<String>()
    let server = LoopbackServer { path, connection in
      requests(path)
      connection.send(body: "")
    }
    let cancelled = subscribe(to: session.dataTaskPublisher(for: server.url("/cancelled")), demanding: .none)
    cancelled.cancel()
    cancelled.request(.max(1))
    let other = subscribe(to: session.dataTaskPublisher(for: server.url("/other")), demanding: .max(1))
    #expect(log.wait(for: 4))
    #expect(requests.events == ["/other"])
    #expect(log.events == ["subscription", "subscription", "200 ", "finished"])
    withExtendedLifetime(other) {}
  }

  @Test("fails without a listener")
  func refused() {
    let port = ClosedPort()
    let subscription = subscribe(to: session.dataTaskPublisher(for: port.url), demanding: .unlimited)
    #expect(log.wait(for: 2))
    #expect(log.events == ["subscription", "failed to connect"])
    withExtendedLifetime((port, subscription)) {}
  }

  @Test("fails when the server closes the connection early")
  func hangsUp() {
    let server = LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na part of it")
    }
    let subscription = subscribe(to: session.dataTaskPublisher(for: server.url()), demanding: .unlimited)
    #expect(log.wait(for: 2))
    #expect(log.events == ["subscription", "failed "])
    withExtendedLifetime(subscription) {}
  }

  @Test("sends another request for an operator that retries")
  func retry() {
    let attempts = Atomic<Int>(0)
    let server = LoopbackServer { _, connection in
      let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
      if attempt == 3 { connection.send(body: "attempt \(attempt)") }
    }
    let subscription = subscribe(to: session.dataTaskPublisher(for: server.url()).retry(2), demanding: .unlimited)
    #expect(log.wait(for: 3))
    #expect(log.events == ["subscription", "200 attempt 3", "finished"])
    withExtendedLifetime(subscription) {}
  }

  @Test("releases its subscriber at completion, at cancellation, and without a request")
  func release() {
    let server = LoopbackServer { _, connection in connection.send(body: "") }
    let group = DispatchGroup()
    for demand in [Subscribers.Demand.unlimited, .none] {
      for isCancelled in [false, true] {
        let tracer = Tracer(group: group)
        session.dataTaskPublisher(for: server.url()).subscribe(
          AnySubscriber(
            receiveSubscription: {
              if demand > .none { $0.request(demand) }
              if isCancelled { $0.cancel() }
            },
            receiveValue: { _ in
              tracer.touch()
              return .none
            }))
      }
    }
    #expect(group.wait(timeout: .now() + 300) == .success)
  }

  @Test("one thread can cancel while another requests, and while the response arrives", arguments: [true, false])
  func concurrentCancel(isAnswered: Bool) {
    let server = LoopbackServer { _, connection in
      if isAnswered { connection.send(body: "welcome") } else { _ = connection.waitForClose() }
    }
    for _ in 0..<min(max(50, Effort.rounds(50) / 10), 1000) {
      nonisolated(unsafe) let subscription = subscribe(
        to: session.dataTaskPublisher(for: server.url()), demanding: isAnswered ? .unlimited : .none)
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        if index == 0 { subscription.cancel() } else { subscription.request(.max(1)) }
      }
    }
  }
}
