public import Weir

// MARK: Driver

extension Publisher where Failure == Never {
  /// Converts this publisher to a driver.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asDriver() -> Driver<Output> {
    converted { $0 }
  }
}

extension Publisher {
  /// Converts this publisher to a driver, which replaces a failure with a value and finishes.
  ///
  ///     source                           -1-2-#
  ///     .asDriver(onErrorJustReturn: 0)  -1-2-(0|)
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asDriver(onErrorJustReturn element: Output) -> Driver<Output> {
    converted { $0.replaceError(with: element) }
  }

  /// Converts this publisher to a driver, which replaces a failure with another driver.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other driver's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asDriver(onErrorDriveWith other: Driver<Output>) -> Driver<Output> {
    asDriver { _ in other }
  }

  /// Converts this publisher to a driver, which replaces a failure with the driver that a closure returns.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other driver's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor. The closure runs there.
  public func asDriver(onErrorRecover recover: @escaping (Failure) -> Driver<Output>) -> Driver<Output> {
    converted { $0.catch { recover($0).source } }
  }
}

// MARK: Signal

extension Publisher where Failure == Never {
  /// Converts this publisher to a signal.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asSignal() -> Signal<Output> {
    converted { $0 }
  }
}

extension Publisher {
  /// Converts this publisher to a signal, which replaces a failure with a value and finishes.
  ///
  ///     source                           -1-2-#
  ///     .asSignal(onErrorJustReturn: 0)  -1-2-(0|)
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asSignal(onErrorJustReturn element: Output) -> Signal<Output> {
    converted { $0.replaceError(with: element) }
  }

  /// Converts this publisher to a signal, which replaces a failure with another signal.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other signal's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  public func asSignal(onErrorSignalWith other: Signal<Output>) -> Signal<Output> {
    asSignal { _ in other }
  }

  /// Converts this publisher to a signal, which replaces a failure with the signal that a closure returns.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other signal's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor. The closure runs there.
  public func asSignal(onErrorRecover recover: @escaping (Failure) -> Signal<Output>) -> Signal<Output> {
    converted { $0.catch { recover($0).source } }
  }
}

// MARK: -

extension Publisher {
  /// Hops to the scheduler first, so that the replacement of a failure follows all values.
  private func converted<Strategy: SharingStrategy>(
    _ handled: (Publishers.ReceiveOn<Self, SharingScheduler>) -> some Publisher<Output, Never>
  ) -> SharedSequence<Strategy, Output> {
    let scheduler = SharingScheduler.current
    return SharedSequence(sharing: handled(receive(on: scheduler)), on: scheduler)
  }
}
