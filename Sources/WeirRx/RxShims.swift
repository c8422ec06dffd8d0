public import Weir

// RxSwift's names of APIs that have another name or shape in Weir. Working shims are deprecated and carry a fix-it. The
// others are unavailable, and their messages name the replacement.

/// RxSwift's type of all publishers.
@available(*, unavailable, message: "Use AnyPublisher<Element, Failure>, which declares its failure type.")
public typealias Observable<Element> = AnyPublisher<Element, any Error>

/// RxSwift's name of the result of a subscription.
@available(*, deprecated, renamed: "AnyCancellable")
public typealias Disposable = AnyCancellable

/// RxSwift's factory of disposables.
@available(*, deprecated, message: "Use AnyCancellable { … }.")
public enum Disposables {
  /// Creates a cancellable that runs a closure.
  public static func create(with dispose: @escaping () -> Void) -> AnyCancellable {
    AnyCancellable(dispose)
  }

  /// Creates a cancellable without effect.
  public static func create() -> AnyCancellable {
    AnyCancellable {}
  }
}

extension AnyCancellable {
  /// RxSwift's name of `store(in:)`.
  @available(*, deprecated, renamed: "store(in:)")
  public func disposed(by bag: CancelBag) {
    store(in: bag)
  }

  /// RxSwift's name of `cancel()`.
  @available(*, deprecated, renamed: "cancel()")
  public func dispose() {
    cancel()
  }
}

extension Publisher {
  /// RxSwift's name of `eraseToAnyPublisher()`.
  @available(*, deprecated, renamed: "eraseToAnyPublisher()")
  @_transparent
  public func asObservable() -> AnyPublisher<Output, Failure> {
    eraseToAnyPublisher()
  }

  /// RxSwift's method for attaching closures.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `onError` or `onCompleted` runs once, at completion. `onDisposed` runs after it, or
  ///   after a cancellation. Releasing the result cancels the subscription.
  /// - Threading: as with `sink`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use sink(receiveCompletion:receiveValue:) and handleEvents(receiveCancel:).")
  @inlinable
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
  /// RxSwift's name of `send(_:)`.
  @available(*, deprecated, renamed: "send(_:)")
  @inlinable
  public func onNext(_ value: Output) {
    send(value)
  }

  /// Sends a failure.
  @available(*, deprecated, message: "Use send(completion: .failure(error)).")
  @inlinable
  public func onError(_ error: Failure) {
    send(completion: .failure(error))
  }

  /// Sends a finish.
  @available(*, deprecated, message: "Use send(completion: .finished).")
  @inlinable
  public func onCompleted() {
    send(completion: .finished)
  }
}
