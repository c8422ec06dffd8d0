import Dispatch
import Testing
import Weir
import WeirControls

@testable import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A typical callback API.
private final class Source {
  private(set) var handlers: [Int: (Int) -> Void] = [:]
  private(set) var log: [String] = []
  private var last = 0

  func add(_ handler: @escaping (Int) -> Void) -> Int {
    last += 1
    handlers[last] = handler
    log.append("add \(last)")
    return last
  }

  func remove(_ token: Int) {
    handlers[token] = nil
    log.append("remove \(token)")
  }

  func fire(_ value: Int) {
    for handler in handlers.values { handler(value) }
  }

  var publisher: TargetActionPublisher<Int> {
    TargetActionPublisher { listener in
      self.add { listener.send($0) }
    } remove: {
      self.remove($0)
    }
  }
}

@Suite("A target-action publisher")
struct TargetActionPublisherTests {
  private let source = Source()

  @Test("adds once for each subscription, and removes once at its cancellation")
  func addsAndRemoves() {
    let (first, second) = (source.publisher.record(demanding: .unlimited), source.publisher.record())
    source.fire(1)
    second.cancel()
    second.cancel()
    source.fire(2)
    first.cancel()

    #expect(source.log == ["add 1", "add 2", "remove 2", "remove 1"])
    #expect(first.events == [.subscription, .value(1), .value(2)])
    #expect(second.events == [.subscription])
    #expect(first.subscription.map { String(describing: $0) } == "TargetAction")
  }

  @Test("respects demand, and drops other events")
  func demand() {
    let recorder = source.publisher.record(demanding: .max(1))
    for value in 1...3 { source.fire(value) }
    recorder.request(.max(2))
    recorder.onValue = { $0 == 4 ? .max(1) : .none }
    for value in 4...8 { source.fire(value) }
    #expect(recorder.values == [1, 4, 5, 6])
  }

  @Test("removes before it finishes")
  func finish() {
    var log: [String] = []
    var end: () -> Void = {}
    let publisher = TargetActionPublisher<Void> { (listener: TargetActionPublisher<Void>.Listener) in
      end = listener.finish
      listener.send()
    } remove: {
      log.append("removed")
    }
    let connection = publisher.sink(
      receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("event") })
    end()
    end()
    connection.cancel()
    #expect(log == ["event", "removed", "finished"])
  }

  @Test("never adds for a subscriber that cancels during its subscription, and removes after a termination during add")
  func early() {
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    source.publisher.subscribe(recorder)
    #expect(source.log == [])

    var removals = 0
    let publisher = TargetActionPublisher<Int> { listener in
      listener.finish()
    } remove: {
      removals += 1
    }
    #expect(publisher.record(demanding: .unlimited).events == [.subscription, .finished])
    #expect(removals == 1)
  }

  @Test("retains no object after its termination")
  func lifetime() {
    for ends in [false, true] {
      var listeners: [TargetActionPublisher<Int>.Listener] = []
      #expect(
        isReleased { token in
          let publisher = TargetActionPublisher<Int> { listener in
            listeners.append(listener)
            return token
          } remove: { _ in
          }
          let connection = publisher.sink { _ in withExtendedLifetime(token) {} }
          if ends { listeners[0].finish() } else { connection.cancel() }
        })
      withExtendedLifetime(listeners) {}
    }
  }

  @Test("serializes the deliveries of several threads, and removes once when they cancel")
  func threads() {
    for _ in 0..<100 {
      let removals = LiveCount()
      var kept: TargetActionPublisher<Int>.Listener?
      let publisher = TargetActionPublisher<Int> { listener in
        kept = listener
      } remove: {
        removals.add(1)
      }
      let recorder = publisher.record(demanding: .unlimited)
      guard let kept else { return }
      race({ for _ in 0..<20 { kept.send(1) } }, { for _ in 0..<20 { kept.send(2) } })
      #expect(recorder.values.count == 40)
      race({ recorder.cancel() }, { recorder.cancel() }, { kept.send(3) })
      #expect(removals.value == 1)
    }
  }

  @Test("adds and removes on the main actor, whichever thread cancels")
  @MainActor
  func mainActor() async {
    var log: [String] = []
    var removed: () -> Void = {}
    let publisher = TargetActionPublisher<Int>(
      onMainActor: { (listener: TargetActionPublisher<Int>.Listener) -> Int in
        log.append("add")
        listener.send(1)
        return 7
      },
      remove: { (token: Int) in
        log.append("remove \(token)")
        removed()
      })
    let here = publisher.sink { (value: Int) in log.append("\(value)") }
    here.cancel()
    #expect(log == ["add", "1", "remove 7"])

    let elsewhere = publisher.sink { (_: Int) in }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      removed = { continuation.resume() }
      DispatchQueue.global().async { elsewhere.cancel() }
    }
    #expect(log.suffix(2) == ["add", "remove 7"])
  }

  @Test("publishes signals")
  func signals() async {
    signal(SIGUSR2, SIG_IGN)
    let publisher = TargetActionPublisher<Void> { listener in
      let source = DispatchSource.makeSignalSource(signal: SIGUSR2, queue: .global())
      source.setEventHandler { listener.send() }
      source.setRegistrationHandler { kill(getpid(), SIGUSR2) }
      source.activate()
      return source
    } remove: {
      $0.cancel()
    }
    var connection: AnyCancellable?
    await withCheckedContinuation { continuation in
      connection = publisher.first().sink { continuation.resume() }
    }
    withExtendedLifetime(connection) {}
  }

  #if os(Linux)
  @Test("publishes the changes of a file, without polling")
  func files() async throws {
    let path = "/tmp/weir-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(file >= 0)
    defer {
      close(file)
      unlink(path)
    }
    let changes = TargetActionPublisher<Void> { listener in
      let watch = inotify_init1(Int32(IN_NONBLOCK))
      inotify_add_watch(watch, path, UInt32(IN_MODIFY))
      let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: .global())
      source.setEventHandler {
        var buffer = [UInt8](repeating: 0, count: 4096)
        if read(watch, &buffer, buffer.count) > 0 { listener.send() }
      }
      source.setCancelHandler { close(watch) }
      source.activate()
      return source
    } remove: {
      $0.cancel()
    }
    var connection: AnyCancellable?
    await withCheckedContinuation { continuation in
      connection = changes.first().sink { continuation.resume() }
      _ = write(file, "a", 1)
    }
    withExtendedLifetime(connection) {}
  }
  #endif
}
