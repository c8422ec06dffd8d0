#if canImport(Dispatch)
public import Weir

/// How a ``SharedSequence`` shares its source.
public protocol SharingStrategy {
  /// Makes one subscription to the source serve all subscribers.
  static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never>
}

/// Sends the latest value to who comes later, while there is a subscriber: the strategy of a ``Driver``.
public enum DriverSharing: SharingStrategy {
  /// Shares the source and keeps its last value.
  ///
  ///     source                       -a-b-   c-|
  ///     DriverSharing.share(source)  -a-b-   c-|
  ///     later                        ----(^b)c-|
  public static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never> {
    source.share(replay: 1, scope: .whileConnected).eraseToAnyPublisher()
  }
}

/// Sends nothing of the past to who comes later: the strategy of a ``Signal``.
public enum SignalSharing: SharingStrategy {
  /// Shares the source and keeps nothing.
  ///
  ///     source                       -a-b-c-|
  ///     SignalSharing.share(source)  -a-b-c-|
  ///     later                        ----^c-|
  public static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never> {
    source.share(replay: 0, scope: .whileConnected).eraseToAnyPublisher()
  }
}

/// A state for a user interface: never fails, arrives on the main actor, and its latest value greets who comes later.
///
///     source             -a-b-   c-d-|
///     demand             1----   1
///     source.asDriver()  -a---   b----
///     later              ----(^b)c-d-|
///
///     let results = query.asDriver()
///       .debounce(.milliseconds(300))
///       .flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
///     results.drive(onNext: { list.rows = $0 }).store(in: &bag)
public typealias Driver<Element> = SharedSequence<DriverSharing, Element>

/// Events for a user interface: never fail, arrive on the main actor, and are not repeated for who comes later.
///
///     source             -a-b-c-d-|
///     demand             1----1
///     source.asSignal()  -a---c---|
///     later              ----^c-d-|
public typealias Signal<Element> = SharedSequence<SignalSharing, Element>

/// A publisher whose promises are in its type: it never fails, delivers on the main actor, and is shared.
///
/// The closures of its operators run on the main actor, once for each value however many subscribers there are.
///
/// - Demand: each subscriber's own; what is shared is asked for everything. A subscriber without demand finds the latest
///   value of a driver when it asks, and misses those of a signal.
/// - Completion and cancellation: the source is subscribed to for the first subscriber and cancelled after the last; who
///   comes later, or after the end, makes a new connection. A cancel may come from any thread.
/// - Threading: may be subscribed to from any thread. On the main actor this is done at once; from elsewhere the
///   subscription, like what it asks for and its cancel, goes over to the main actor. See ``SharingScheduler`` for tests.
public struct SharedSequence<Strategy: SharingStrategy, Element>: _DirectPublisher {
  /// The values are the elements.
  public typealias Output = Element

  /// It can't fail.
  public typealias Failure = Never

  /// Shared, and delivers on the scheduler if it is subscribed to and asked there.
  let source: AnyPublisher<Element, Never>

  let scheduler: SharingScheduler

  @usableFromInline
  package let place = Place()

  /// Shares what delivers on the scheduler.
  init(sharing source: some Publisher<Element, Never>, on scheduler: SharingScheduler) {
    self.init(Strategy.share(source.eraseToAnyPublisher()), on: scheduler)
  }

  /// Takes what need not be shared: a source that has a subscriber's values at hand, or one that is shared already.
  init(_ source: some Publisher<Element, Never>, on scheduler: SharingScheduler = .current) {
    self.source = source.eraseToAnyPublisher()
    self.scheduler = scheduler
  }

  /// Attaches a downstream, on the main actor.
  public func _attach(_ downstream: Downstream<Element, Never>) {
    source.subscribe(on: scheduler.entrance)._attach(downstream)
  }

  /// Makes a sequence of the same kind of what an operator makes of the source.
  func shared<Result>(
    _ operation: (AnyPublisher<Element, Never>) -> some Publisher<Result, Never>
  ) -> SharedSequence<Strategy, Result> {
    SharedSequence<Strategy, Result>(sharing: operation(source), on: scheduler)
  }

  // MARK: Conversions

  /// Forgets the promises, and keeps them.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asPublisher() -> AnyPublisher<Element, Never> {
    eraseToAnyPublisher()
  }

  /// A driver of these values: who comes later gets the latest.
  ///
  ///     signal       -a-b-   c-|
  ///     .asDriver()  -a-b-   c-|
  ///     later        ----(^b)c-|
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asDriver() -> Driver<Element> {
    Strategy.self == DriverSharing.self
      ? Driver(source, on: scheduler) : Driver(sharing: source, on: scheduler)
  }

  /// A signal of these values: who comes later, while there are others, gets none of the past.
  ///
  ///     driver             -a-   b-c-d-|
  ///     elsewhere          -a-   b-c-d-|
  ///     driver.asSignal()  --(^a)b-c-d-|
  ///     later              ---   -^c-d-|
  ///
  /// Who comes first gets the latest value of a driver that is in use elsewhere.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asSignal() -> Signal<Element> {
    Strategy.self == SignalSharing.self
      ? Signal(source, on: scheduler) : Signal(sharing: source, on: scheduler)
  }
}
#endif
