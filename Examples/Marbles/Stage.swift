import Weir
import WeirRx
import WeirTesting

/// The failure of the upstreams.
struct Oops: Error, Equatable, CustomStringConvertible {
  var description: String { "oops" }
}

/// The parts of a diagram's pipeline, which record its events.
///
/// A frame is a second.
@MainActor
final class Stage {
  let clock = VirtualTimeScheduler()

  private(set) var tracks: [Track] = []
  /// The requests to each upstream, by frame.
  private var asked: [Int: [Int: Subscribers.Demand]] = [:]
  private var cancels: [Int: () -> Void] = [:]
  private var closing: [() throws -> Void] = []
  private var connections: [AnyCancellable] = []
  private var kept: [AnyObject] = []
  private var inexact: [String] = []
  private var eventCount = 0
  private var isTerminated = false

  // MARK: Upstreams

  /// An upstream of numbers.
  func numbers(_ marbles: String, as label: String = "source") throws -> AnyPublisher<Int, Never> {
    try upstream(marbles, as: label)
  }

  /// An upstream of letters.
  func letters(_ marbles: String, as label: String = "source") throws -> AnyPublisher<String, Never> {
    try upstream(marbles, as: label)
  }

  /// An upstream of numbers that can fail.
  func failing(_ marbles: String, as label: String = "source") throws -> AnyPublisher<Int, Oops> {
    try upstream(marbles, as: label, error: Oops())
  }

  /// An upstream that starts for each subscriber.
  func upstream<Output, Failure>(
    _ marbles: String, as label: String, values: MarbleValues<Output> = .described, error: Failure? = nil
  ) throws -> AnyPublisher<Output, Failure> {
    let publisher = try TestPublisher(marbles: marbles, values: values, error: error, on: clock, frame: .seconds(1))
    return watched(publisher, as: label)
  }

  /// A single that can fail; with several diagrams, each subscriber receives the next.
  func single<Value>(
    _ marbles: String..., as label: String = "single", of type: Value.Type = Int.self
  ) throws -> Single<Value, Oops> {
    try successive(marbles, as: label).asSingle(orFailWith: { _ in Oops() })
  }

  /// A maybe that can fail; with several diagrams, each subscriber receives the next.
  func maybe<Value>(
    _ marbles: String..., as label: String = "maybe", of type: Value.Type = Int.self
  ) throws -> Maybe<Value, Oops> {
    try successive(marbles, as: label).asMaybe(orFailWith: { _ in Oops() })
  }

  /// A completable that can fail; with several diagrams, each subscriber receives the next.
  func completable(_ marbles: String..., as label: String = "completable") throws -> Completable<Oops> {
    let upstream: AnyPublisher<Int, Oops> = try successive(marbles, as: label)
    return upstream.asCompletable()
  }

  /// A driver, whose source starts for each connection.
  func driver<Value>(
    _ marbles: String, as label: String = "driver", of type: Value.Type = Int.self
  ) throws -> Driver<Value> {
    try upstream(marbles, as: label, error: Never?.none).asDriver()
  }

  /// A signal, whose source starts for each connection.
  func signal<Value>(
    _ marbles: String, as label: String = "signal", of type: Value.Type = Int.self
  ) throws -> Signal<Value> {
    try upstream(marbles, as: label, error: Never?.none).asSignal()
  }

  /// An upstream with a different diagram for each subscriber.
  private func successive<Value>(_ marbles: [String], as label: String) throws -> AnyPublisher<Value, Oops> {
    let publishers = try marbles.map {
      try TestPublisher<Value, Oops>(marbles: $0, error: Oops(), on: clock, frame: .seconds(1))
    }
    var count = 0
    let next = Deferred {
      defer { count += 1 }
      return publishers[min(count, publishers.count - 1)]
    }
    return watched(next, as: label)
  }

  /// A publisher whose events are drawn in a separate row.
  func watched<P: Publisher>(_ publisher: P, as label: String) -> AnyPublisher<P.Output, P.Failure> {
    let track = addTrack(.upstream, label)
    return
      publisher
      .handleEvents(
        receiveSubscription: { _ in MainActor.assumeIsolated { self.note(.subscription, in: track) } },
        receiveOutput: { value in
          let token = token(of: value)
          MainActor.assumeIsolated { self.note(.value(token), in: track) }
        },
        receiveCompletion: { completion in
          let mark = mark(of: completion)
          MainActor.assumeIsolated { self.note(mark, in: track) }
        },
        receiveCancel: { MainActor.assumeIsolated { self.note(.cancellation, in: track) } },
        receiveRequest: { demand in MainActor.assumeIsolated { self.ask(demand, in: track) } }
      )
      .eraseToAnyPublisher()
  }

  // MARK: Sent from outside

  /// Sends to a subject.
  func send<S: Subject>(_ marbles: String, to subject: S, as label: String = "send") throws
  where S.Output: LosslessStringConvertible, S.Failure == Never {
    try send(
      marbles, as: label, end: { subject.send(completion: .finished) },
      value: { S.Output($0).map { subject.send($0) } })
  }

  /// Sends to a relay.
  func send<R: Relay>(_ marbles: String, to relay: R, as label: String = "accept") throws
  where R.Output: LosslessStringConvertible {
    try send(marbles, as: label) { R.Output($0).map { relay.accept($0) } }
  }

  /// Calls closures for each value of a diagram, and at its completion.
  func send(
    _ marbles: String, as label: String = "send", end: @escaping () -> Void = {}, fail: @escaping () -> Void = {},
    value: @escaping (String) -> Void
  ) throws {
    let track = addTrack(.sent, label)
    for entry in try MarbleDiagram(marbles).entries {
      at(entry.frame) {
        self.note(entry.mark, in: track)
        switch entry.mark {
        case .value(let token): value(token)
        case .finished: end()
        case .failure: fail()
        case .subscription, .cancellation: break
        }
      }
    }
  }

  /// Retains an object until the end of the run.
  func keep(_ object: AnyObject) {
    kept.append(object)
  }

  /// Runs an action at the start of a frame.
  func at(_ frame: Int, _ action: @escaping @MainActor () -> Void) {
    clock.schedule(after: .seconds(frame)) { MainActor.assumeIsolated(action) }
  }

  /// Connects at the start of a frame, until the end of the run.
  func connect<P: ConnectablePublisher>(_ publisher: P, at frame: Int) {
    at(frame) { self.connections.append(AnyCancellable(publisher.connect())) }
  }

  /// The closure of `create` for the values of a diagram.
  func body(_ marbles: String) throws -> (Publishers.Create<Int, Never>.Emitter) -> any Cancellable {
    var emitter: Publishers.Create<Int, Never>.Emitter?
    try send(marbles, as: "emitter", end: { emitter?.send(completion: .finished) }) { token in
      if let number = Int(token) { emitter?.send(number) }
    }
    return {
      emitter = $0
      return AnyCancellable {}
    }
  }

  /// The closure of a trait's `create`: reports one event for a value of a diagram, and one for its completion.
  func listener<Event>(
    _ marbles: String, value: Event? = nil, end: Event? = nil
  ) throws -> (@escaping (Event) -> Void) -> any Cancellable {
    var tell: (Event) -> Void = { _ in }
    try send(marbles, as: "tell", end: { end.map(tell) }) { _ in value.map(tell) }
    return {
      tell = $0
      return AnyCancellable {}
    }
  }

  /// Creates a resource, with a row that shows its cancellation.
  func resource(as label: String = "resource") -> () -> AnyCancellable {
    let track = addTrack(.upstream, label)
    return {
      MainActor.assumeIsolated { self.note(.subscription, in: track) }
      return AnyCancellable { MainActor.assumeIsolated { self.note(.cancellation, in: track) } }
    }
  }

  // MARK: Subscribers

  /// Subscribes to a publisher of publishers and to each inner one, which `name` labels by its number.
  func subscribe<P: Publisher>(
    to publisher: P, as label: String, naming name: @escaping (P.Output, Int) -> String
  ) throws where P.Output: Publisher {
    var count = 0
    let names = publisher.map { part -> String in
      let name = name(part, count)
      count += 1
      MainActor.assumeIsolated { self.attach(to: part, track: self.addTrack(.result, name), demand: "∞") }
      return name
    }
    try subscribe(to: names, as: label)
  }

  /// Attaches a subscriber, whose row shows its events; its demand is relative to the frame of the subscription.
  func subscribe<P: Publisher>(
    to publisher: P, as label: String, at frame: Int = 0, demand: String = "∞", cancel: Int? = nil
  ) throws {
    let track = addTrack(.result, label)
    _ = try MarbleDiagram(demand)
    if frame == 0 {
      attach(to: publisher, track: track, demand: demand)
    } else {
      at(frame) { self.attach(to: publisher, track: track, demand: demand) }
    }
    if let cancel {
      at(cancel) {
        self.note(.cancellation, in: track)
        self.cancels[track]?()
      }
    }
  }

  private func attach<P: Publisher>(to publisher: P, track: Int, demand: String) {
    guard let subscriber = try? TestSubscriber<P.Output, P.Failure>(demand: demand, clock: clock, frame: .seconds(1))
    else { preconditionFailure("A line of demand contains only numbers and “∞”.") }
    if frame > 0 { note(.subscription, in: track) }
    subscriber.onEvent = { _, event in
      switch event {
      case .value(let value):
        let token = token(of: value)
        MainActor.assumeIsolated { self.note(.value(token), in: track) }
      case .completion(let completion):
        let mark = mark(of: completion)
        MainActor.assumeIsolated { self.note(mark, in: track) }
      case .subscription, .requested, .returned, .cancelled: break
      }
    }
    cancels[track] = { subscriber.cancel() }
    closing.append {
      self.tracks[track].demand = subscriber.demandDiagram(frame: .seconds(1))
      subscriber.cancel()
      try subscriber.checkContract()
    }
    publisher.subscribe(subscriber)
  }

  // MARK: Recording

  private var frame: Int { Int(clock.now.nanoseconds / 1_000_000_000) }

  private func addTrack(_ role: Track.Role, _ label: String) -> Int {
    tracks.append(Track(role: role, label: label))
    return tracks.count - 1
  }

  private func note(_ mark: MarbleDiagram.Mark, in track: Int) {
    // A completed upstream can't be cancelled.
    if isTerminated || mark == .cancellation && tracks[track].hasEnded { return }
    if clock.now.nanoseconds % 1_000_000_000 != 0 { inexact.append("\(mark) at \(clock.now)") }
    eventCount += 1
    tracks[track].events.append(Track.Event(frame: frame, mark: mark, order: eventCount))
  }

  private func ask(_ demand: Subscribers.Demand, in track: Int) {
    if !isTerminated { asked[track, default: [:]][frame, default: .none] += demand }
  }

  /// Advances the time, and terminates what is still active.
  func run(frames: Int?) throws {
    if let frames { clock.advance(to: .seconds(frames)) } else { try clock.run(limit: 1000) }
    isTerminated = true
    for (track, demands) in asked {
      tracks[track].demand = MarbleDiagram(
        demands.map { .init(frame: $0.key, mark: .value($0.value.max.map(String.init) ?? "∞")) })
    }
    for close in closing { try close() }
    if !inexact.isEmpty { throw TestFailure("These events are between two frames: \(inexact.joined(separator: ", "))") }
  }
}
