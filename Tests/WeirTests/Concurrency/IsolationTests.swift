import Dispatch
import Testing

@testable import TestSupport
@testable import Weir

#if canImport(Distributed)
import Distributed
#endif

@Suite("Closures of actors")
struct IsolationTests {
  @MainActor
  final class Listener {
    var values: [Int] = []
    var ends = 0
    var bag: [AnyCancellable] = []

    func listen(to publisher: some Publisher<Int, Never>) {
      publisher.map { $0 }.sink { self.values.append($0) }.store(in: &bag)
    }

    func listenToTheEnd(of publisher: some Publisher<Int, Never>) {
      publisher.sink(receiveCompletion: { _ in self.ends += 1 }, receiveValue: { @Sendable _ in }).store(in: &bag)
    }

    func note(_ value: Int) { values.append(value) }
  }

  actor Counter {
    var values: [Int] = []
    var cancellable: AnyCancellable?

    func listen(to publisher: sending some Publisher<Int, Never>) {
      cancellable = publisher.sink { self.values.append($0) }
    }

    func current() -> (any Actor)? { currentActor() }

    func send(_ value: Int, with subject: Sent) -> [Int] {
      subject.subject.send(value)
      return values
    }
  }

  /// A subject that one thread after the other uses.
  struct Sent: @unchecked Sendable {
    let subject = PassthroughSubject<Int, Never>()
  }

  @Test("a value off the main actor stops the program with the location and advice")
  func stops() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = Sent()
      let listener = Listener()
      await listener.listen(to: sent.subject)
      onAnotherThread { sent.subject.send(1) }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #if DEBUG && os(Linux)
    #expect(message.contains("sink at Concurrency/IsolationTests.swift:20"), "\(message)")
    #endif
    let expected = [
      "MainActor", "sink", "Map<PassthroughSubject<Int, Never>, Int>",
      ".receive(on: DispatchQueue.main)", "sink(on: MainActor.shared)", "drive", "@Sendable",
    ]
    for part in expected { #expect(message.contains(part), "\(part) is not in: \(message)") }
  }

  @Test("a completion off the main actor does too")
  func endStops() async {
    await #expect(processExitsWith: .failure) {
      let sent = Sent()
      let listener = Listener()
      await listener.listenToTheEnd(of: sent.subject)
      onAnotherThread { sent.subject.send(1) }
      onAnotherThread { sent.subject.send(completion: .finished) }
    }
  }

  @Test("so does a value for a method of the actor")
  func methodStops() async {
    await #expect(processExitsWith: .failure) {
      let sent = Sent()
      let cancellable = await MainActor.run { Carried(value: sent.subject.sink(receiveValue: Listener().note)) }
      onAnotherThread { sent.subject.send(1) }
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("so does a value for a manually created sink")
  func sinkStops() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = Sent()
      await MainActor.run {
        let listener = Listener()
        sent.subject.subscribe(
          Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { listener.values.append($0) }))
      }
      onAnotherThread { sent.subject.send(1) }
    }
    #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains("Sink<Int, Never>"))
  }

  @Test("so does a value for a closure of another actor")
  func otherActorStops() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = Sent()
      let counter = Counter()
      await counter.listen(to: sent.subject)
      await MainActor.run { sent.subject.send(1) }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    for part in ["off Counter", "ActorScheduler"] { #expect(message.contains(part), "\(part) is not in: \(message)") }
  }

  actor Owner {
    final class Model {
      var numbers: [Int] = []
      var actors: [ObjectIdentifier?] = []

      var number = 0 {
        didSet {
          numbers.append(number)
          actors.append(currentActor().map { ObjectIdentifier($0) })
        }
      }
    }

    let model = Model()
    var cancellable: AnyCancellable?

    func listen(to sent: Sent) {
      cancellable = sent.subject.assign(to: \.number, on: model)
    }

    fileprivate func listen(to sent: Sent, for other: Carried<Model>) -> Carried<AnyCancellable> {
      Carried(value: sent.subject.assign(to: \.number, on: other.value))
    }

    func send(_ value: Int, with sent: Sent) -> [Int] {
      sent.subject.send(value)
      return numbers()
    }

    func numbers() -> [Int] {
      #expect(model.actors.allSatisfy { $0 == ObjectIdentifier(self) })
      return model.numbers
    }
  }

  @Test("assign on an actor sets the property on that actor, in order, wherever the values come from")
  func assignHops() async {
    let (sent, owner) = (Sent(), Owner())
    await owner.listen(to: sent)
    #expect(await owner.send(0, with: sent) == [0])
    onAnotherThread { for value in 1...1000 { sent.subject.send(value) } }
    while await owner.numbers().count < 1001 { await Task.yield() }
    sent.subject.send(1001)
    #expect(await owner.send(1002, with: sent) == Array(0...1002))
  }

  @Test("assign doesn't retain the actor, and sets the values of all pipelines one at a time if the actor is gone")
  func assignOutlivesActor() async {
    let (one, other, model) = (Sent(), Sent(), Carried(value: Owner.Model()))
    weak var remains: Owner?
    let cancellables: [Carried<AnyCancellable>]
    do {
      let owner = Owner()
      remains = owner
      cancellables = [await owner.listen(to: one, for: model), await owner.listen(to: other, for: model)]
    }
    #expect(remains == nil)
    race(
      { for value in 1...500 { one.subject.send(value) } }, { for value in 501...1000 { other.subject.send(value) } })
    while await FallbackActor.shared.numbers(of: model).count < 1000 { await Task.yield() }
    let numbers = await FallbackActor.shared.numbers(of: model)
    #expect(numbers.filter { $0 <= 500 } == Array(1...500))
    #expect(numbers.filter { $0 > 500 } == Array(501...1000))
    withExtendedLifetime(cancellables) {}
  }

  @Test("the current actor is detected, also on a thread without an actor")
  func current() async {
    #expect(await MainActor.run { currentActor() is MainActor })
    let owner = Counter()
    #expect(await owner.current() === owner)
    #expect(await Task.detached { currentActor() == nil }.value)
    onAnotherThread { #expect(currentActor() == nil) }
  }

  @Test("values on the actor arrive, in a task or in a block of the main queue")
  func arrives() async {
    let sent = Sent()
    let listener = Listener()
    await listener.listen(to: sent.subject)
    await MainActor.run { sent.subject.send(1) }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.main.async {
        sent.subject.send(2)
        continuation.resume()
      }
    }
    await MainActor.run { #expect(listener.values == [1, 2]) }

    let counter = Counter()
    await counter.listen(to: sent.subject)
    await MainActor.run { listener.bag = [] }
    #expect(await counter.send(3, with: sent) == [3])
  }

  @Test("a nonisolated closure that is formed on the main actor runs on any thread")
  @MainActor
  func anywhere() {
    let sent = Sent()
    let seen = Mutexed<[Int]>([])
    let stored: (Int) -> Void = { @Sendable value in seen.append(value) }
    let cancellables = [
      sent.subject.sink { @Sendable value in seen.append(value) },
      sent.subject.sink(receiveValue: seen.append),
      sent.subject.sink(receiveValue: stored),
    ]
    let send: @Sendable () -> Void = { sent.subject.send(1) }
    onAnotherThread(send)
    #expect(seen.value == [1, 1, 1])
    withExtendedLifetime(cancellables) {}
  }

  @Test("sink and assign can be referenced as functions, as in Combine")
  func names() {
    let subject = PassthroughSubject<Int, Never>()
    let box = Box(0)
    var values: [Int] = []
    let attach: (@escaping (Int) -> Void) -> AnyCancellable = subject.sink(receiveValue:)
    let attachBoth = subject.sink(receiveCompletion:receiveValue:)
    let set: (ReferenceWritableKeyPath<Box<Int>, Int>, Box<Int>) -> AnyCancellable = subject.assign(to:on:)
    let make:
      (@escaping (Subscribers.Completion<Never>) -> Void, @escaping (Int) -> Void) -> Subscribers.Sink<Int, Never> =
        Subscribers.Sink.init(receiveCompletion:receiveValue:)
    let sink = make({ _ in }, { values.append($0) })
    subject.subscribe(sink)
    let cancellables = [
      attach { values.append($0) }, attachBoth({ _ in }, { values.append($0) }), set(\.value, box),
      AnyCancellable(sink),
    ]
    subject.send(7)
    #expect(values == [7, 7, 7])
    #expect(box.value == 7)
    withExtendedLifetime(cancellables) {}
  }

  @Test("assign sets a property on an actor with its own executor, also from its queue and from elsewhere")
  func ownExecutor() async {
    let sent = Sent()
    let worker = Worker()
    await worker.assign(sent)
    #expect(await worker.send(1, with: sent) == [1])
    worker.executor.queue.async { sent.subject.send(2) }
    while await worker.values() != [1, 2] { await Task.yield() }
    onAnotherThread { for value in 3...1000 { sent.subject.send(value) } }
    while await worker.values().count < 1000 { await Task.yield() }
    #expect(await worker.values() == Array(1...1000))
  }

  @Test("assign doesn't retain an actor with its own executor, nor the executor")
  func ownExecutorIsReleased() async {
    let sent = Sent()
    weak var actor: Worker?
    weak var executor: QueueExecutor?
    let (kept, queue): (Carried<AnyCancellable?>, DispatchQueue)
    do {
      let worker = Worker()
      (actor, executor) = (worker, worker.executor)
      await worker.assign(sent)
      (kept, queue) = (await worker.release(), worker.executor.queue)
    }
    #expect(actor == nil)
    queue.sync {}  // The executor's last job has ended.
    #expect(executor == nil)
    onAnotherThread { sent.subject.send(1) }
    withExtendedLifetime(kept) {}
  }

  #if canImport(Distributed)
  @Test("assign sets a property on a distributed actor")
  func distributed() async throws {
    let sent = Sent()
    let counter = DistributedCounter(actorSystem: LocalTestingDistributedActorSystem())
    await counter.whenLocal { $0.listen(sent) }
    onAnotherThread { for value in 1...1000 { sent.subject.send(value) } }
    while try await counter.values().count < 1000 { await Task.yield() }
    #expect(try await counter.values() == Array(1...1000))
  }
  #endif

  @Test("an actor that can't be told has a stand-in, which shares its executor")
  func standIn() async {
    await Worker().tryStandIn()
  }

  @Test("detects whether the caller runs on an actor")
  func telling() async {
    let counter = Counter()
    #expect(isRunning(on: counter) == false)
    #expect(await isRunningInside(counter) == true)
    await MainActor.run {
      #expect(isRunning(on: MainActor.shared) == true)
      #expect(isRunning(on: counter) == false)
    }
    onAnotherThread {
      #expect(isRunning(on: MainActor.shared) == false)
      #expect(isRunning(on: counter) == false)
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.main.async {
        #expect(isRunning(on: MainActor.shared) == true)
        continuation.resume()
      }
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        #expect(isRunning(on: MainActor.shared) == false)
        continuation.resume()
      }
    }
  }
}

/// An executor that runs its jobs on a queue.
private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "executor")
  private let key = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: key, value: true) }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

private final class Values {
  var values: [Int] = []
  var last = 0 {
    didSet {
      #expect(isInPlace())
      values.append(last)
    }
  }

  private let isInPlace: () -> Bool

  init(isInPlace: @escaping () -> Bool = { true }) {
    self.isInPlace = isInPlace
  }
}

private actor Worker {
  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let model: Values
  private var cancellable: AnyCancellable?

  init() { model = Values { [weak executor] in executor?.isCurrent ?? true } }

  func assign(_ sent: IsolationTests.Sent) {
    cancellable = sent.subject.assign(to: \.last, on: model)
  }

  func release() -> Carried<AnyCancellable?> {
    defer { cancellable = nil }
    return Carried(value: cancellable)
  }

  func send(_ value: Int, with sent: IsolationTests.Sent) -> [Int] {
    sent.subject.send(value)
    return values()
  }

  func values() -> [Int] {
    #expect(executor.isCurrent)
    return model.values
  }

  func tryStandIn() {
    guard let standIn = currentActor() else {
      Issue.record("no actor")
      return
    }
    #expect(standIn is ActorStandIn)
    #expect(isRunning(on: standIn) == true)
    onAnotherThread { #expect(isRunning(on: standIn) == nil) }
  }
}

#if canImport(Distributed)
private distributed actor DistributedCounter {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  private let model = Values()
  private var cancellable: AnyCancellable?

  distributed func values() -> [Int] { model.values }

  func listen(_ sent: IsolationTests.Sent) {
    cancellable = sent.subject.assign(to: \.last, on: model)
  }
}

#endif

private func isRunningInside(_ actor: isolated IsolationTests.Counter) -> Bool? {
  isRunning(on: actor)
}

/// Transfers a value from the main actor to one thread after the other.
private struct Carried<Value>: @unchecked Sendable {
  let value: Value
}

/// A list that any thread may append to.
private final class Mutexed<Value>: @unchecked Sendable {  // It is a lock.
  private let locked: Locked<Value>
  init(_ value: Value) { locked = Locked(value) }
  var value: Value { locked.withLock { $0 } }
  func append<Element>(_ element: Element) where Value == [Element] { locked.withLock { $0.append(element) } }
}

extension FallbackActor {
  fileprivate func numbers(of model: Carried<IsolationTests.Owner.Model>) -> [Int] {
    #expect(model.value.actors.allSatisfy { $0 == ObjectIdentifier(self) })
    return model.value.numbers
  }
}
