// .ci/twins writes AsSignal.swift from this file.

public import Weir

extension Publisher where Failure == Never {
  /// Converts this publisher to a driver.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  @inlinable
  @_disfavoredOverload
  public func asDriver() -> Driver<Output> {
    asSharedSequence { $0 }
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
  @inlinable
  public func asDriver(onErrorJustReturn element: Output) -> Driver<Output> {
    asSharedSequence { $0.replaceError(with: element) }
  }

  /// Converts this publisher to a driver, which replaces a failure with another driver.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other driver's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor.
  @inlinable
  public func asDriver(onErrorDriveWith other: Driver<Output>) -> Driver<Output> {
    asDriver { _ in other }
  }

  /// Converts this publisher to a driver, which replaces a failure with the driver that a closure returns.
  ///
  /// - Demand: requests unlimited demand from this publisher.
  /// - Completion and cancellation: see ``SharedSequence``. After a failure, the completion is the other driver's.
  /// - Threading: a value that arrives on the main actor is delivered immediately; any other value hops to the main
  ///   actor. The closure runs there.
  @inlinable
  public func asDriver(onErrorRecover recover: @escaping (Failure) -> Driver<Output>) -> Driver<Output> {
    asSharedSequence { $0.catch { recover($0).source } }
  }
}
