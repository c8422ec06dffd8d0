import Observation
import Testing
import Weir
import WeirRx

@testable import TestSupport

#if !WEIR_BARE
import Dispatch
import WeirDispatch
#endif

@Suite("Publishers of @Observable models")
@MainActor
struct ObservedTests {
  @Observable
  final class Model {
    var name = "a"
    var price = 2
    var count = 3
    @ObservationIgnored var reads = 0

    var greeting: String { "Hello \(name)" }
  }

  /// Waits until pending work of the main actor has run.
  func settle() async {
    for _ in 0..<50 { await Task.yield() }
  }

  @Test("sends the value now and once after each change")
  func changes() async {
    let model = Model()
    let recorder = model.publisher(for: \.name).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value("a")])
    for name in ["b", "c", "d"] {
      model.name = name
      #expect(recorder.values.last != name)
      await settle()
      #expect(recorder.values.last == name)
    }
    model.count = 7
    await settle()
    #expect(recorder.values == ["a", "b", "c", "d"])
    withExtendedLifetime(model) {}
  }

  @Observable
  fileprivate nonisolated final class Pages {
    var count = 1
  }

  private actor Book {
    let pages = Pages()
    let life: LiveCount
    private var bag: Set<AnyCancellable> = []
    private var counts: [Int] = []

    init(counting life: LiveCount) {
      self.life = life
      life.add(1)
    }

    deinit { life.add(-1) }

    func listen() {
      pages.publisher(for: \.count).sink { [weak self] count in
        self?.assumeIsolated { $0.counts.append(count) }
      }
      .store(in: &bag)
    }

    func turn() -> [Int] {
      pages.count += 1
      return counts
    }
  }

  @Test("doesn't retain the actor, which can store the pipeline", .timeLimit(.minutes(10)))
  func actorIsReleased() async {
    let life = LiveCount()
    do {
      let book = Book(counting: life)
      await book.listen()
      while await book.turn().count < 3 { await Task.yield() }
    }
    while life.value > 0 { await Task.yield() }
  }

  /// A function without isolation, as in a model's extension.
  private nonisolated func names(of model: Model) -> some Publisher<String, Never> {
    model.publisher(for: \.name)
  }

  @Test("a function without isolation that is called on the model's actor reads the model there")
  func helper() async {
    let model = Model()
    var isMain: [Bool] = []
    let cancellable = names(of: model).sink { _ in isMain.append(currentActor() is MainActor) }
    for name in ["b", "c"] {
      model.name = name
      await settle()
    }
    #expect(isMain == [true, true, true])
    withExtendedLifetime((model, cancellable)) {}
  }

  @Test("coalesces changes before the hop, and skips a change to an equal value")
  func coalesces() async {
    let model = Model()
    let recorder = model.publisher(for: \.greeting).record(demanding: .unlimited)
    model.name = "b"
    model.name = "c"
    await settle()
    #expect(recorder.values == ["Hello a", "Hello c"])
    model.name = "d"
    model.name = "c"
    await settle()
    #expect(recorder.values == ["Hello a", "Hello c"])
    withExtendedLifetime(model) {}
  }

  @Test("holds the model weakly, and finishes when it is deallocated", arguments: [false, true])
  func ends(byClosure: Bool) async {
    var model: Model? = Model()
    weak let remains = model
    let recorder =
      byClosure
      ? model?.observe { $0.name }.record(demanding: .unlimited)
      : model?.publisher(for: \.name).record(demanding: .unlimited)
    model?.name = "b"
    await settle()
    #expect(recorder?.events == [.subscription, .value("a"), .value("b")])
    model = nil
    #expect(remains == nil)
    await settle()
    #expect(recorder?.events == [.subscription, .value("a"), .value("b"), .finished])
  }

  @Test("sends no value of a model that was deallocated before the subscription")
  func gone() {
    var model: Model? = Model()
    let publisher = model?.publisher(for: \.name)
    model = nil
    #expect(publisher?.record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("observes all that a closure reads, of several models, until no change can follow")
  func closures() async {
    var one: Model? = Model()
    var other: Model? = Model()
    let recorder = observe { [weak one, weak other] in (one?.price ?? 0) * (other?.count ?? 0) }
      .record(demanding: .unlimited)
    one?.price = 5
    await settle()
    other?.count = 4
    await settle()
    #expect(recorder.values == [6, 15, 20])
    one = nil
    await settle()
    #expect(recorder.events.last == .value(20))
    other = nil
    await settle()
    #expect(recorder.events.last == .finished)
  }

  @Test("announces changes that a subscriber makes")
  func nested() async {
    let model = Model()
    var values: [String] = []
    let cancellable = model.publisher(for: \.name).sink { name in
      values.append(name)
      if name.count < 4 { model.name = name + "x" }
    }
    await settle()
    #expect(values == ["a", "ax", "axx", "axxx"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("sends no value and doesn't read the model after a cancellation")
  func cancel() async {
    let model = Model()
    var values: [Int] = []
    let cancellable = model.observe { model in
      model.reads += 1
      return model.price
    }.sink { values.append($0) }
    model.price = 5
    cancellable.cancel()
    await settle()
    #expect(values == [2])
    let reads = model.reads
    model.price = 6
    await settle()
    #expect(model.reads == reads)
  }

  @Test("respects each subscriber's demand, and sends the current value at the next request")
  func demand() async {
    let model = Model()
    let recorder = model.publisher(for: \.price).record(demanding: .max(1))
    model.price = 5
    await settle()
    model.price = 6
    await settle()
    #expect(recorder.values == [2])
    recorder.request(.max(2))
    #expect(recorder.values == [2, 6])
    withExtendedLifetime(model) {}
  }

  @Test("reads and sends values on a scheduler")
  func scheduler() {
    let clock = VirtualTimeScheduler()
    let model = Model()
    let recorder = model.publisher(for: \.price, on: clock).record(demanding: .unlimited)
    model.price = 5
    #expect(recorder.values == [2])
    clock.runDue()
    #expect(recorder.values == [2, 5])
    withExtendedLifetime(model) {}
  }

  #if !WEIR_BARE
  /// Records where its number is read.
  @Observable
  final class Located {
    @ObservationIgnored var readings: [Bool] = []
    var stored = 0

    var number: Int {
      get {
        readings.append(currentActor() is MainActor)
        return stored
      }
      set { stored = newValue }
    }
  }

  @Test("reads a property of the main actor only there, whatever scheduler notices its changes")
  func otherQueue() async {
    let (model, relay) = (Located(), CurrentValueRelay(7))
    let queue = DispatchQueue(label: "observer")
    let recorder = model.publisher(for: \.number, on: queue).record(demanding: .unlimited)
    let binding = bind(relay, to: model, \.number, on: queue)
    #expect(relay.value == 0)
    model.number = 1
    // A hop to the queue and one to the main actor.
    for _ in 0..<1_000 where relay.value == 0 || recorder.values.count < 2 {
      await withCheckedContinuation { later in queue.schedule { DispatchQueue.main.schedule { later.resume() } } }
    }
    #expect(relay.value == 1)
    #expect(recorder.values == [0, 1])
    #expect(model.readings.allSatisfy { $0 })
    withExtendedLifetime(binding) {}
  }

  @Test("reads the new value although the scheduler runs actions immediately", arguments: [false, true])
  func mainScheduler(isShared: Bool) async {
    let model = Model()
    let recorder =
      isShared
      ? model.publisher(for: \.price, on: MainScheduler.shared).record(demanding: .unlimited)
      : model.publisher(for: \.price, on: SharingScheduler.main).record(demanding: .unlimited)
    for price in [5, 6] {
      model.price = price
      #expect(recorder.values.last != price)
      for _ in 0..<1_000 where recorder.values.last != price {
        await withCheckedContinuation { later in DispatchQueue.main.schedule { later.resume() } }
      }
    }
    #expect(recorder.values == [2, 5, 6])
    withExtendedLifetime(model) {}
  }
  #endif

  @Test("a scheduler that runs every action immediately stops the program at a change, not at the end")
  func immediateScheduler() async {
    var model: Model? = Model()
    let recorder = model?.publisher(for: \.price, on: ImmediateScheduler.shared).record(demanding: .unlimited)
    model = nil
    #expect(recorder?.events == [.subscription, .value(2), .finished])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let model = Model()
      let recorder = model.publisher(for: \.price, on: ImmediateScheduler.shared).record(demanding: .unlimited)
      model.price = 5
      withExtendedLifetime(recorder) {}
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("ImmediateScheduler runs actions inside schedule(_:)") == true)
  }

  @Test("assign sets a property of one model from another, and a channel shares it")
  func assigns() async {
    let (source, target) = (Model(), Model())
    let cancellable = source.publisher(for: \.price).map { $0 * 10 }.assign(to: \.count, on: target)
    let channel = PropertyChannel(target, \.count)
    let recorder = channel.record(demanding: .unlimited)
    source.price = 7
    await settle()
    #expect(target.count == 70)
    #expect(recorder.values == [20, 70])
    withExtendedLifetime(cancellable) {}
  }

  @Test("a property channel finishes with its model")
  func channelEnds() async {
    var model: Model? = Model()
    let recorder = model.map { PropertyChannel($0, \.count).record(demanding: .unlimited) }
    model = nil
    await settle()
    #expect(recorder?.events == [.subscription, .value(3), .finished])
  }

  @Test("a change that races with the hop is delivered with the next change at the latest")
  nonisolated func threads() async {
    for _ in 0..<200 {
      let model = SharedModel()
      let seen = Locked(0)
      let cancellable = model.publisher(for: \.number, isolation: nil).sink { value in
        seen.withLock { $0 = Swift.max($0, value) }
      }
      race({ for _ in 0..<20 { model.add() } }, { for _ in 0..<20 { model.add() } })
      while seen.withLock({ $0 }) < 40 {
        model.touch()
        await Task.yield()
      }
      cancellable.cancel()
    }
  }

  @Test("subscribing off the model's actor stops the program")
  func elsewhere() async {
    await #expect(processExitsWith: .failure) {
      let publisher = await MainActor.run { Sent(publisher: Model().publisher(for: \.name)) }
      onAnotherThread { _ = publisher.publisher.sink { _ in } }
    }
  }

  struct Sent: @unchecked Sendable {
    let publisher: Publishers.Observed<String>
  }
}

/// A model that any thread may change.
private final class SharedModel: Observable, @unchecked Sendable {  // The number is behind a lock.
  private let registrar = ObservationRegistrar()
  private let stored = Locked(0)

  var number: Int {
    registrar.access(self, keyPath: \.number)
    return stored.withLock { $0 }
  }

  func add() {
    registrar.withMutation(of: self, keyPath: \.number) { stored.withLock { $0 += 1 } }
  }

  /// Announces a change without changing the value.
  func touch() {
    registrar.withMutation(of: self, keyPath: \.number) {}
  }
}
