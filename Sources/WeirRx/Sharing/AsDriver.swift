#if canImport(Dispatch)
public import Weir

// MARK: Driver

extension Publisher where Failure == Never {
  /// A driver of this publisher's values.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asDriver() -> Driver<Output> {
    driverOn(.current) { $0 }
  }
}

extension Publisher {
  /// A driver of this publisher's values, which sends another value and finishes where this publisher fails.
  ///
  ///     source                           -1-2-#
  ///     .asDriver(onErrorJustReturn: 0)  -1-2-(0|)
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asDriver(onErrorJustReturn element: Output) -> Driver<Output> {
    driverOn(.current) { $0.replaceError(with: element) }
  }

  /// A driver of this publisher's values, which goes on with another where this publisher fails.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``; the end is the other's.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asDriver(onErrorDriveWith other: Driver<Output>) -> Driver<Output> {
    asDriver { _ in other }
  }

  /// A driver of this publisher's values, which goes on with what a closure makes of the failure.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``; the end is the other's.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it. The closure runs there.
  public func asDriver(onErrorRecover recover: @escaping (Failure) -> Driver<Output>) -> Driver<Output> {
    driverOn(.current) { $0.catch { recover($0).source } }
  }

  /// Goes over to the scheduler first, so that whatever stands in for a failure comes after all values.
  private func driverOn(
    _ scheduler: SharingScheduler,
    _ handled: (Publishers.ReceiveOn<Self, SharingScheduler>) -> some Publisher<Output, Never>
  ) -> Driver<Output> {
    Driver(sharing: handled(receive(on: scheduler)), on: scheduler)
  }
}

// MARK: Signal

extension Publisher where Failure == Never {
  /// A signal of this publisher's values.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asSignal() -> Signal<Output> {
    signalOn(.current) { $0 }
  }
}

extension Publisher {
  /// A signal of this publisher's values, which sends another value and finishes where this publisher fails.
  ///
  ///     source                           -1-2-#
  ///     .asSignal(onErrorJustReturn: 0)  -1-2-(0|)
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asSignal(onErrorJustReturn element: Output) -> Signal<Output> {
    signalOn(.current) { $0.replaceError(with: element) }
  }

  /// A signal of this publisher's values, which goes on with another where this publisher fails.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``; the end is the other's.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it.
  public func asSignal(onErrorSignalWith other: Signal<Output>) -> Signal<Output> {
    asSignal { _ in other }
  }

  /// A signal of this publisher's values, which goes on with what a closure makes of the failure.
  ///
  /// - Demand: this publisher is asked for everything.
  /// - Completion and cancellation: see ``SharedSequence``; the end is the other's.
  /// - Threading: values that come on the main actor are delivered at once, others go over to it. The closure runs there.
  public func asSignal(onErrorRecover recover: @escaping (Failure) -> Signal<Output>) -> Signal<Output> {
    signalOn(.current) { $0.catch { recover($0).source } }
  }

  /// Goes over to the scheduler first, so that whatever stands in for a failure comes after all values.
  private func signalOn(
    _ scheduler: SharingScheduler,
    _ handled: (Publishers.ReceiveOn<Self, SharingScheduler>) -> some Publisher<Output, Never>
  ) -> Signal<Output> {
    Signal(sharing: handled(receive(on: scheduler)), on: scheduler)
  }
}
#endif
