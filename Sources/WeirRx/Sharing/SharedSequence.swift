public import Weir

/// How a ``SharedSequence`` shares its source.
public protocol SharingStrategy {
  /// Creates a publisher that serves all subscribers with one subscription to the source.
  static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never>
}

/// The strategy of a ``Driver``: replays the latest value to new subscribers while there are others.
public enum DriverSharing: SharingStrategy {
  /// Shares the source and replays its latest value.
  ///
  ///     source                       -a-b-   c-|
  ///     DriverSharing.share(source)  -a-b-   c-|
  ///     later                        ----(^b)c-|
  @inlinable
  public static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never> {
    source.share(replay: 1, scope: .whileConnected).eraseToAnyPublisher()
  }
}

/// The strategy of a ``Signal``: replays no values.
public enum SignalSharing: SharingStrategy {
  /// Shares the source without a replay.
  ///
  ///     source                       -a-b-c-|
  ///     SignalSharing.share(source)  -a-b-c-|
  ///     later                        ----^c-|
  @inlinable
  public static func share<Element>(_ source: AnyPublisher<Element, Never>) -> AnyPublisher<Element, Never> {
    source.share(replay: 0, scope: .whileConnected).eraseToAnyPublisher()
  }
}

/// State for a user interface: never fails, delivers on the main actor, and replays its latest value.
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

/// Events for a user interface: never fail, arrive on the main actor, and are not replayed.
///
///     source             -a-b-c-d-|
///     demand             1----1
///     source.asSignal()  -a---c---|
///     later              ----^c-d-|
public typealias Signal<Element> = SharedSequence<SignalSharing, Element>

/// A publisher with guarantees in its type: it never fails, delivers on the main actor, and is shared.
///
/// The closures of its operators run on the main actor, once for each value, whatever the number of subscribers.
///
/// - Demand: each subscriber's own. The source's demand is unlimited. A subscriber without demand receives the latest
///   value of a driver at its next request, and misses the values of a signal.
/// - Completion and cancellation: the first subscriber connects to the source, and the source is cancelled after the
///   last subscriber. A later subscriber makes a new connection, also after a completion. Any thread may cancel.
/// - Threading: any thread may subscribe. On the main actor, the subscription is made immediately. From any other
///   thread, the subscription, its requests and its cancellation hop to the main actor. See ``SharingScheduler`` for
///   tests.
public struct SharedSequence<Strategy: SharingStrategy, Element>: _DirectPublisher {
  /// The values are the elements.
  public typealias Output = Element

  /// It can't fail.
  public typealias Failure = Never

  /// The shared source.
  ///
  /// It delivers on the scheduler if it is subscribed to there and values are requested there.
  @usableFromInline
  let source: AnyPublisher<Element, Never>

  @usableFromInline
  let scheduler: SharingScheduler

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Shares a source that delivers on the scheduler.
  @inlinable
  init(sharing source: some Publisher<Element, Never>, on scheduler: SharingScheduler) {
    self.init(Strategy.share(source.eraseToAnyPublisher()), on: scheduler)
  }

  /// Wraps a source that needs no sharing: it has separate values for each subscriber, or is already shared.
  @inlinable
  init(_ source: some Publisher<Element, Never>, on scheduler: SharingScheduler = .current) {
    self.source = source.eraseToAnyPublisher()
    self.scheduler = scheduler
  }

  /// Attaches a downstream, on the main actor.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Element, Never>) {
    source.subscribe(on: scheduler.entrance)._attach(downstream)
  }

  /// Applies an operator to the source, and wraps the result in a sequence of the same kind.
  @inlinable
  func shared<Result>(
    _ operation: (AnyPublisher<Element, Never>) -> some Publisher<Result, Never>
  ) -> SharedSequence<Strategy, Result> {
    SharedSequence<Strategy, Result>(sharing: operation(source), on: scheduler)
  }

  // MARK: Conversions

  /// Erases the guarantees from the type.
  ///
  /// The values still conform to them.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asPublisher() -> AnyPublisher<Element, Never> {
    eraseToAnyPublisher()
  }

  /// Converts this sequence to a driver, which replays the latest value.
  ///
  ///     signal       -a-b-   c-|
  ///     .asDriver()  -a-b-   c-|
  ///     later        ----(^b)c-|
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asDriver() -> Driver<Element> {
    Strategy.self == DriverSharing.self
      ? Driver(source, on: scheduler) : Driver(sharing: source, on: scheduler)
  }

  /// Converts this sequence to a signal, which replays no values while it has subscribers.
  ///
  ///     driver             -a-   b-c-d-|
  ///     elsewhere          -a-   b-c-d-|
  ///     driver.asSignal()  --(^a)b-c-d-|
  ///     later              ---   -^c-d-|
  ///
  /// The first subscriber receives the latest value of a driver that has other subscribers.
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asSignal() -> Signal<Element> {
    Strategy.self == SignalSharing.self
      ? Signal(source, on: scheduler) : Signal(sharing: source, on: scheduler)
  }
}
