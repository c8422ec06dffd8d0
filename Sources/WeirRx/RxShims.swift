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
  public static func create(with dispose: @escaping @isolated(any) () -> Void) -> AnyCancellable {
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
    onNext: @escaping @isolated(any) (Output) -> Void = { _ in },
    onError: @escaping @isolated(any) (Failure) -> Void = { _ in },
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

extension Publishers.Create.Emitter {
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

extension MaybeEvent {
  /// RxSwift's name of `failure(_:)`.
  @available(*, deprecated, renamed: "failure(_:)")
  public static func error(_ error: Failure) -> MaybeEvent { .failure(error) }
}

extension CompletableEvent {
  /// RxSwift's name of `failure(_:)`.
  @available(*, deprecated, renamed: "failure(_:)")
  public static func error(_ error: Failure) -> CompletableEvent { .failure(error) }
}

extension Maybe {
  /// RxSwift's labels for attaching closures.
  ///
  /// - Demand, completion and cancellation, threading: as with `onFailure`.
  @available(*, deprecated, renamed: "subscribe(onSuccess:onFailure:onCompleted:fileID:line:)")
  @inlinable
  public func subscribe(
    onSuccess: @escaping @isolated(any) (Output) -> Void = { _ in },
    onError: @escaping @isolated(any) (Failure) -> Void, onCompleted: @escaping @isolated(any) () -> Void = {},
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    subscribe(onSuccess: onSuccess, onFailure: onError, onCompleted: onCompleted, fileID: fileID, line: line)
  }

  /// RxSwift's labels for attaching closures that receive an object, which is held weakly.
  ///
  /// - Demand, completion and cancellation, threading: as with `onFailure`.
  @available(*, deprecated, renamed: "subscribe(with:onSuccess:onFailure:onCompleted:fileID:line:)")
  @inlinable
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: @escaping @isolated(any) (Object, Output) -> Void = { _, _ in },
    onError: @escaping @isolated(any) (Object, Failure) -> Void,
    onCompleted: @escaping @isolated(any) (Object) -> Void = { _ in }, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyCancellable {
    subscribe(
      with: object, onSuccess: onSuccess, onFailure: onError, onCompleted: onCompleted, fileID: fileID, line: line)
  }
}

extension Completable {
  /// RxSwift's labels for attaching closures.
  ///
  /// - Demand, completion and cancellation, threading: as with `onFailure`.
  @available(*, deprecated, renamed: "subscribe(onCompleted:onFailure:fileID:line:)")
  @inlinable
  public func subscribe(
    onCompleted: @escaping @isolated(any) () -> Void = {}, onError: @escaping @isolated(any) (Failure) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    subscribe(onCompleted: onCompleted, onFailure: onError, fileID: fileID, line: line)
  }

  /// RxSwift's labels for attaching closures that receive an object, which is held weakly.
  ///
  /// - Demand, completion and cancellation, threading: as with `onFailure`.
  @available(*, deprecated, renamed: "subscribe(with:onCompleted:onFailure:fileID:line:)")
  @inlinable
  public func subscribe<Object: AnyObject>(
    with object: Object, onCompleted: @escaping @isolated(any) (Object) -> Void = { _ in },
    onError: @escaping @isolated(any) (Object, Failure) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    subscribe(with: object, onCompleted: onCompleted, onFailure: onError, fileID: fileID, line: line)
  }
}
