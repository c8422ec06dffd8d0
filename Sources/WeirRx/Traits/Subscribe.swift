public import Weir

extension Single {
  /// Attaches closures: one for the value and one for a failure, of which one runs, once.
  ///
  ///     user.subscribe(onSuccess: { show($0) }, onFailure: { report($0) }).store(in: bag)
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value is the end. Dropping the result cancels.
  /// - Threading: the closures run where the single delivers.
  public func subscribe(
    onSuccess: @escaping (Output) -> Void = { _ in }, onFailure: @escaping (Failure) -> Void = { _ in }
  ) -> AnyCancellable {
    sink(receiveCompletion: { $0.failure.map(onFailure) }, receiveValue: onSuccess)
  }

  /// Attaches closures, together with an object that is not kept.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value is the end. The closures no longer run when the object has gone. Dropping the
  ///   result cancels.
  /// - Threading: the closures run where the single delivers.
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: @escaping (Object, Output) -> Void = { _, _ in },
    onFailure: @escaping (Object, Failure) -> Void = { _, _ in }
  ) -> AnyCancellable {
    subscribe(
      onSuccess: { [weak object] value in
        if let object { onSuccess(object, value) }
      },
      onFailure: { [weak object] error in
        if let object { onFailure(object, error) }
      })
  }
}

extension Maybe {
  /// Attaches closures: one for the value, one for its absence and one for a failure, of which one runs, once.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value is the end. Dropping the result cancels.
  /// - Threading: the closures run where the maybe delivers.
  public func subscribe(
    onSuccess: @escaping (Output) -> Void = { _ in }, onFailure: @escaping (Failure) -> Void = { _ in },
    onCompleted: @escaping () -> Void = {}
  ) -> AnyCancellable {
    map(Output?.some).replaceEmpty(with: nil).sink(
      receiveCompletion: { $0.failure.map(onFailure) },
      receiveValue: { if let value = $0 { onSuccess(value) } else { onCompleted() } })
  }

  /// Attaches closures, together with an object that is not kept.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value is the end. The closures no longer run when the object has gone. Dropping the
  ///   result cancels.
  /// - Threading: the closures run where the maybe delivers.
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: @escaping (Object, Output) -> Void = { _, _ in },
    onFailure: @escaping (Object, Failure) -> Void = { _, _ in }, onCompleted: @escaping (Object) -> Void = { _ in }
  ) -> AnyCancellable {
    subscribe(
      onSuccess: { [weak object] value in
        if let object { onSuccess(object, value) }
      },
      onFailure: { [weak object] error in
        if let object { onFailure(object, error) }
      },
      onCompleted: { [weak object] in
        if let object { onCompleted(object) }
      })
  }
}

extension Completable {
  /// Attaches closures: one for the end and one for a failure, of which one runs, once.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: dropping the result cancels.
  /// - Threading: the closures run where the completable delivers.
  public func subscribe(
    onCompleted: @escaping () -> Void = {}, onFailure: @escaping (Failure) -> Void = { _ in }
  ) -> AnyCancellable {
    sink(
      receiveCompletion: { if let error = $0.failure { onFailure(error) } else { onCompleted() } },
      receiveValue: { (_: Never) in })
  }

  /// Attaches closures, together with an object that is not kept.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the closures no longer run when the object has gone. Dropping the result cancels.
  /// - Threading: the closures run where the completable delivers.
  public func subscribe<Object: AnyObject>(
    with object: Object, onCompleted: @escaping (Object) -> Void = { _ in },
    onFailure: @escaping (Object, Failure) -> Void = { _, _ in }
  ) -> AnyCancellable {
    subscribe(
      onCompleted: { [weak object] in
        if let object { onCompleted(object) }
      },
      onFailure: { [weak object] error in
        if let object { onFailure(object, error) }
      })
  }
}

extension Subscribers.Completion {
  /// The failure, if this is one.
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
