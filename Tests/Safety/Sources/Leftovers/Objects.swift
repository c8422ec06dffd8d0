// The table of objects other than pipelines from a subject to a subscriber: permanent subscribers, bindings, bags,
// delegates, asynchronous sequences.

import Observation
import Pipelines
import Weir
import WeirControls
import WeirRx
import WeirTesting

/// An object that each round creates, uses and releases.
struct Object {
  let name: String

  /// Creates the permanent objects, and returns the round; a hook counts tokens.
  private let prepare: (Hook) -> () -> Void

  /// The number of rounds in one measurement; more of them, if other threads allocate too.
  var rounds = 48

  init(_ name: String, _ round: @escaping (Hook) -> Void) {
    self.init(name, keeping: { _ in }) { hook, _ in round(hook) }
  }

  /// Creates an entry whose rounds share a permanent object.
  init<Kept>(_ name: String, keeping make: @escaping (Hook) -> Kept, _ round: @escaping (Hook, Kept) -> Void) {
    self.name = name
    prepare = { hook in
      let kept = make(hook)
      return { round(hook, kept) }
    }
  }

  /// Describes the objects that a round leaves behind.
  func leftover() -> String? {
    let hook = Hook(nil, .cancel, .none, demand: .unlimited)
    return measure("a round", rounds: rounds, tokens: { hook.liveTokens }, prepare(hook))
  }
}

private typealias Numbers = PassthroughSubject<Int, Never>

private final class Published {
  @Weir.Published var number = 0
  @Weir.Published var copy = 0
  var plain = 0
}

@Observable
private final class Observed {
  var number = 0
}

/// Uses a captured token.
private func use<Result>(_ held: Token, _ result: Result) -> Result { withExtendedLifetime(held) { result } }

var objects: [Object] { subscribing + ofSubjects + bindings + asynchronous + onMainActor }

// MARK: Subscribers

private var subscribing: [Object] {
  [
    Object("AnyCancellable") { hook in
      let held = hook.token(1)
      let cancellable = AnyCancellable { use(held, ()) }
      AnyCancellable(cancellable).cancel()
      var bag: Set<AnyCancellable> = []
      AnyCancellable { use(held, ()) }.store(in: &bag)
    },
    Object("CancelBag") { hook in
      let held = hook.token(1)
      let (bag, numbers) = (CancelBag(), Numbers())
      numbers.sink { use(held, _ = $0) }.store(in: bag)
      numbers.send(1)
      AnyCancellable { use(held, ()) }.store(in: bag)
    },
    Object("AnySubscriber-of-closures") { hook in
      let (held, numbers) = (hook.token(1), Numbers())
      var subscription: (any Subscription)?
      numbers.subscribe(
        AnySubscriber<Int, Never> {
          subscription = $0
          $0.request(.unlimited)
        } receiveValue: {
          use(held, _ = $0)
          return .none
        } receiveCompletion: { _ in
          use(held, ())
        })
      numbers.send(1)
      subscription?.cancel()
    },
    Object("AnySubscriber-of-a-subject") { hook in
      let (upstream, subject) = (Numbers(), CurrentValueSubject<Int, Never>(0))
      upstream.subscribe(AnySubscriber(subject))
      upstream.send(1)
      upstream.send(completion: .finished)
    },
    Object("sink-with-a-weak-object") { hook in
      let (held, numbers, target) = (hook.token(1), Numbers(), Published())
      let first = numbers.bind(with: target) { use(held, $0.plain = $1) }
      let second = numbers.assign(to: \.plain, on: target, ownership: .weak)
      let third = numbers.assign(to: \.plain, on: target, ownership: .unowned)
      let fourth = numbers.assign(to: \.plain, on: target)
      numbers.send(1)
      withExtendedLifetime((first, second, third, fourth)) {}
    },
    Object("sink-of-a-source-that-goes-on", keeping: { _ in Numbers() }) { hook, numbers in
      let held = hook.token(1)
      let sink = numbers.sink { use(held, _ = $0) }
      numbers.send(1)
      withExtendedLifetime(sink) {}
    },
    Object("Single.subscribe") { hook in
      let held = hook.token(1)
      let subject = PassthroughSubject<Int, Oops>()
      let subscription = subject.asSingle { _ in Oops() }.subscribe { (_: Int) in
        use(held, ())
      } onFailure: { _ in
        use(held, ())
      }
      subject.send(1)
      withExtendedLifetime(subscription) {}
    },
    Object("Future-that-is-never-fulfilled") { hook in
      let held = hook.token(1)
      let future = Future<Int, Never> { promise in use(held, _ = promise) }
      let sink = future.sink { use(held, _ = $0) }
      withExtendedLifetime(sink) {}
    },
    Object("create-that-is-canceled-by-its-emitter") { hook in
      let held = hook.token(1)
      let sink = AnyPublisher<Int, Never>.create { emitter in
        emitter.send(1)
        emitter.send(completion: .finished)
        return AnyCancellable { use(held, ()) }
      }.sink { _ in }
      withExtendedLifetime(sink) {}
    },
  ]
}

// MARK: Subjects with upstreams

private var ofSubjects: [Object] {
  [
    Object("upstreams-of-a-PassthroughSubject", keeping: { _ in Numbers() }) { _, subject in
      let first = [1, 2].publisher.append(Empty(completeImmediately: false)).subscribe(subject)
      first.cancel()
      let upstream = Numbers()
      let second = upstream.subscribe(subject)
      upstream.send(1)
      withExtendedLifetime(second) {}
    },
    Object("upstreams-of-a-CurrentValueSubject", keeping: { _ in CurrentValueSubject<Int, Never>(0) }) { _, subject in
      let first = [1, 2].publisher.append(Empty(completeImmediately: false)).subscribe(subject)
      let upstream = Numbers()
      let second = upstream.subscribe(subject)
      upstream.send(1)
      second.cancel()
      first.cancel()
    },
    Object("upstreams-of-a-ReplaySubject", keeping: { _ in ReplaySubject<Int, Never>(bufferSize: 2) }) { _, subject in
      let upstream = Numbers()
      let subscription = upstream.subscribe(subject)
      upstream.send(1)
      withExtendedLifetime(subscription) {}
    },
    Object("upstreams-of-a-relay", keeping: { _ in PassthroughRelay<Int>() }) { _, relay in
      let subscription = Just(1).bind(to: relay)
      let upstream = Numbers()
      let second = upstream.bind(to: relay)
      upstream.send(1)
      withExtendedLifetime((subscription, second)) {}
    },
    Object("upstreams-of-a-Terminal", keeping: { _ in Channel<Int, Never>() }) { _, channel in
      let upstream = Numbers()
      let subscription = upstream.bind(to: channel.leading)
      upstream.send(1)
      withExtendedLifetime(subscription) {}
    },
    Object("upstreams-of-a-published-property", keeping: { _ in Published() }) { _, model in
      let upstream = Numbers()
      upstream.assign(to: &model.$number)
      upstream.send(1)
      upstream.send(completion: .finished)
    },
    Object("upstreams-of-a-published-property-that-goes") { _ in
      let (upstream, model) = (Numbers(), Published())
      upstream.assign(to: &model.$number)
      model.$number.assign(to: &model.$copy)
      upstream.send(1)
    },
    Object("connections", keeping: { _ in Numbers() }) { hook, numbers in
      let held = hook.token(1)
      let shared = numbers.map { use(held, $0) }.multicast(subject: Numbers())
      let sink = shared.sink { _ in }
      let connection = shared.connect()
      numbers.send(1)
      connection.cancel()
      withExtendedLifetime(sink) {}
    },
  ]
}

// MARK: Two-way bindings

private var bindings: [Object] {
  [
    Object("bind-of-relays", keeping: { _ in CurrentValueRelay(0) }) { _, kept in
      let relay = CurrentValueRelay(1)
      let binding = kept <-> relay
      relay.accept(2)
      kept.accept(3)
      withExtendedLifetime(binding) {}
    },
    Object("bind-of-a-channel", keeping: { _ in CurrentValueRelay(0) }) { _, kept in
      let channel = Channel<Int, Never>()
      let binding = kept <-> channel.following
      channel.leading.send(2)
      kept.accept(3)
      channel.leading.send(completion: .finished)
      withExtendedLifetime(binding) {}
    },
    Object("bind-of-a-published-property", keeping: { _ in CurrentValueRelay(0) }) { _, kept in
      let model = Published()
      let binding = bind(kept, to: model, \.number)
      kept.accept(3)
      model.number = 4
      withExtendedLifetime(binding) {}
    },
    Object("bind-of-an-object-that-goes", keeping: { _ in CurrentValueRelay(0) }) { _, kept in
      var model: Published? = Published()
      let binding = model.map { bind(kept, to: $0, \.number) }
      kept.accept(3)
      model = nil
      kept.accept(4)
      withExtendedLifetime(binding) {}
    },
    Object("bind-with-a-conversion", keeping: { _ in CurrentValueRelay(0) }) { hook, kept in
      let (held, texts) = (hook.token(1), CurrentValueRelay("1"))
      let binding = bind(kept, to: texts, tryMap: { use(held, "\($0)") }) { (text: String) throws -> Int in
        guard let number = Int(text) else { throw Oops() }
        return use(held, number)
      }
      let failures = binding.failures.sink { _ in use(held, ()) }
      texts.accept("x")
      kept.accept(7)
      withExtendedLifetime((binding, failures)) {}
    },
    Object("PropertyChannel-of-a-relay", keeping: { _ in Published() }) { _, model in
      let channel = PropertyChannel(model, \.number)
      let sink = channel.sink { _ in }
      channel.send(2)
      model.number = 3
      withExtendedLifetime(sink) {}
    },
    Object("PropertyChannel-with-changes") { _ in
      let (model, changes) = (Published(), Numbers())
      let channel = PropertyChannel(model, \.plain, changes: changes)
      let sink = channel.sink { _ in }
      changes.send(1)
      changes.send(completion: .finished)
      withExtendedLifetime(sink) {}
    },
    Object("publisher(for:)-of-an-observable-object") { _ in
      let (model, clock) = (Observed(), VirtualTimeScheduler())
      let sink = model.publisher(for: \.number, on: clock).sink { _ in }
      model.number = 2
      clock.advance()
      model.number = 3
      withExtendedLifetime(sink) {}
    },
    Object("publisher(for:)-of-an-observable-object-that-goes-on", keeping: { _ in Observed() }) { _, model in
      let clock = VirtualTimeScheduler()
      let sink = model.publisher(for: \.number, on: clock).sink { _ in }
      model.number += 1
      clock.advance()
      withExtendedLifetime(sink) {}
    },
    Object("bind-of-an-observable-object", keeping: { _ in Observed() }) { _, model in
      let (relay, clock) = (CurrentValueRelay(0), VirtualTimeScheduler())
      let binding = bind(relay, to: model, \.number, on: clock)
      relay.accept(5)
      model.number = 6
      clock.advance()
      withExtendedLifetime(binding) {}
    },
  ]
}

// MARK: Asynchronous sequences

private var asynchronous: [Object] {
  [
    Object("values", keeping: { _ in Numbers() }) { hook, numbers in
      let held = hook.token(1)
      var iterator = Optional(numbers.map { use(held, $0) }.values.makeAsyncIterator())
      numbers.send(1)
      withExtendedLifetime(iterator) {}
      iterator = nil
    },
    Object("values-that-throw") { hook in
      let (held, subject) = (hook.token(1), PassthroughSubject<Int, Oops>())
      let iterator = subject.map { use(held, $0) }.values.makeAsyncIterator()
      subject.send(completion: .failure(hook.error()))
      withExtendedLifetime(iterator) {}
    },
    Object("values(buffering:)", keeping: { _ in PassthroughSubject<Token, Never>() }) { hook, subject in
      let iterator = subject.values(buffering: .newest(2)).makeAsyncIterator()
      for number in 1...4 { subject.send(hook.token(number)) }
      withExtendedLifetime(iterator) {}
    },
    Object("sink(on:)", keeping: { _ in Numbers() }) { hook, numbers in
      // Safety: this program has one thread, the main one.
      nonisolated(unsafe) let held = hook.token(1)
      let sink = numbers.sink(on: MainActor.shared) { number in use(held, _ = number) }
      numbers.send(1)
      withExtendedLifetime(sink) {}
    },
  ]
}

// MARK: On the main actor

private final class Calls: DelegatePublisher<Token> {
  var isInstalled = false

  override func install() { isInstalled = true }
  override func remove() { isInstalled = false }
}

extension Object {
  /// Creates an entry whose rounds run on the main actor.
  fileprivate init<Kept>(
    main name: String, keeping make: @escaping @MainActor (Hook) -> Kept,
    _ round: @escaping @MainActor (Hook, Kept) -> Void
  ) {
    self.init(
      name,
      keeping: { hook in
        // Safety: this program has one thread, the main one.
        nonisolated(unsafe) let hook = hook
        nonisolated(unsafe) var kept: Kept?
        MainActor.assumeIsolated { kept = make(hook) }
        guard let kept else { fatalError("no object is retained") }
        return kept
      },
      { hook, kept in
        // Safety: this program has one thread, the main one.
        nonisolated(unsafe) let (hook, kept) = (hook, kept)
        MainActor.assumeIsolated { round(hook, kept) }
      })
  }
}

private var onMainActor: [Object] {
  [
    Object("DelegatePublisher", keeping: { _ in Calls() }) { hook, calls in
      let sink = calls.sink { _ in }
      calls.send(hook.token(1))
      withExtendedLifetime(sink) {}
    },
    Object("DelegatePublisher-that-finishes") { hook in
      let calls = Calls()
      let sink = calls.sink { _ in }
      calls.send(hook.token(1))
      calls.finish()
      withExtendedLifetime(sink) {}
    },
    Object(main: "ControlPublisher-of-a-control-that-goes-on", keeping: { _ in Button() }) { hook, button in
      let held = hook.token(1)
      let sink = button.publisher(for: .touchUpInside).sink { _ in use(held, ()) }
      button.tap()
      withExtendedLifetime(sink) {}
    },
    Object(main: "ControlProperty-of-a-control-that-goes-on", keeping: { _ in TextField() }) { hook, field in
      let held = hook.token(1)
      let sink = field.rx.text.sink { _ in use(held, ()) }
      field.rx.text.set("a")
      withExtendedLifetime(sink) {}
    },
    Object(main: "controls-that-go", keeping: { _ in Numbers() }) { hook, numbers in
      let held = hook.token(1)
      let (button, field, slider) = (Button(), TextField(), Slider())
      let bag = CancelBag()
      button.rx.tap.sink { use(held, ()) }.store(in: bag)
      field.rx.text.orEmpty.asDriver().drive { _ in use(held, ()) }.store(in: bag)
      button.rx.tap.asSignal().emit { _ in use(held, ()) }.store(in: bag)
      numbers.map { Float($0) }.bind(to: slider.rx.value).store(in: bag)
      numbers.send(1)
      button.tap()
    },
    Object(main: "Binder", keeping: { _ in Numbers() }) { hook, numbers in
      let (held, button) = (hook.token(1), Button())
      let binder = Binder<Int>(button) { _, _ in use(held, ()) }
      let binding = numbers.bind(to: binder)
      numbers.send(1)
      withExtendedLifetime(binding) {}
    },
    Object(main: "two-way-binding-of-a-control", keeping: { _ in TextField() }) { _, field in
      let relay = CurrentValueRelay("")
      let binding = field.rx.text.orEmpty <-> relay
      relay.accept("a")
      withExtendedLifetime(binding) {}
    },
    Object(main: "GestureRecognizerPublisher", keeping: { _ in View() }) { hook, view in
      let held = hook.token(1)
      let sink = view.publisher(for: .tap()).sink { _ in use(held, ()) }
      view.touch(Touch(.began, at: 1), Touch(.ended, at: 1.1))
      withExtendedLifetime(sink) {}
    },
    Object(main: "GestureRecognizerPublisher-of-a-view-that-goes", keeping: { _ in }) { hook, _ in
      let (held, view) = (hook.token(1), View())
      let sink = view.publisher(for: .pan()).sink { _ in use(held, ()) }
      view.touch(Touch(.began, at: 1))
      withExtendedLifetime(sink) {}
    },
    Object(main: "drive-to-a-relay", keeping: { _ in CurrentValueRelay(0) }) { _, relay in
      let numbers = Numbers()
      let drive = numbers.asDriver().drive(relay)
      numbers.send(1)
      withExtendedLifetime(drive) {}
    },
  ]
}
