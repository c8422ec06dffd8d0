public import Weir

// Rx's names of what has another name or shape here. What works is deprecated and carries a fix-it; the rest says what to
// write instead.

/// Rx's type of all publishers.
@available(*, unavailable, message: "Use AnyPublisher<Element, Failure>, which says how it may fail.")
public typealias Observable<Element> = AnyPublisher<Element, any Error>

/// Rx's name of what ends a subscription.
@available(*, deprecated, renamed: "AnyCancellable")
public typealias Disposable = AnyCancellable

/// Rx's makers of disposables.
@available(*, deprecated, message: "Use AnyCancellable { … }.")
public enum Disposables {
  /// Makes a cancellable that runs a closure.
  public static func create(with dispose: @escaping () -> Void) -> AnyCancellable {
    AnyCancellable(dispose)
  }

  /// Makes a cancellable that does nothing.
  public static func create() -> AnyCancellable {
    AnyCancellable {}
  }
}

extension AnyCancellable {
  /// Rx's name of `store(in:)`.
  @available(*, deprecated, renamed: "store(in:)")
  public func disposed(by bag: CancelBag) {
    store(in: bag)
  }

  /// Rx's name of `cancel()`.
  @available(*, deprecated, renamed: "cancel()")
  public func dispose() {
    cancel()
  }
}

extension Publisher {
  /// Rx's name of `eraseToAnyPublisher()`.
  @available(*, deprecated, renamed: "eraseToAnyPublisher()")
  public func asObservable() -> AnyPublisher<Output, Failure> {
    eraseToAnyPublisher()
  }

  /// Rx's way to attach closures.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `onError` or `onCompleted` runs once, at the end, and `onDisposed` after it or after a
  ///   cancel. Releasing the result cancels.
  /// - Threading: as with `sink`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use sink(receiveCompletion:receiveValue:) and handleEvents(receiveCancel:).")
  public func subscribe(
    onNext: @escaping @isolated(any) (Output) -> Void, onError: @escaping @isolated(any) (Failure) -> Void = { _ in },
    onCompleted: @escaping @isolated(any) () -> Void = {}, onDisposed: @escaping @isolated(any) () -> Void = {},
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let onNext: (Output) -> Void = confined(onNext, "subscribe", of: Self.self, fileID, line)
    let onError: (Failure) -> Void = confined(onError, "subscribe", of: Self.self, fileID, line)
    let onCompleted: () -> Void = confined(onCompleted, "subscribe", of: Self.self, fileID, line)
    let onDisposed: () -> Void = confined(onDisposed, "subscribe", of: Self.self, fileID, line)
    return handleEvents(receiveCancel: onDisposed).sink(
      receiveCompletion: { completion in
        switch completion {
        case .failure(let error): onError(error)
        case .finished: onCompleted()
        }
        onDisposed()
      }, receiveValue: onNext)
  }
}

extension Subject {
  /// Rx's name of `send(_:)`.
  @available(*, deprecated, renamed: "send(_:)")
  public func onNext(_ value: Output) {
    send(value)
  }

  /// Sends a failure.
  @available(*, deprecated, message: "Use send(completion: .failure(error)).")
  public func onError(_ error: Failure) {
    send(completion: .failure(error))
  }

  /// Sends the normal completion.
  @available(*, deprecated, message: "Use send(completion: .finished).")
  public func onCompleted() {
    send(completion: .finished)
  }
}
