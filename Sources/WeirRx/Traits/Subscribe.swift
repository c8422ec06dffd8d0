public import Weir

extension Single {
  /// Attaches a closure for the value and one for a failure; one of them runs, once.
  ///
  ///     user.subscribe(onSuccess: { show($0) }, onFailure: { report($0) }).store(in: bag)
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value completes the subscription. Releasing the result cancels the
  ///   subscription.
  /// - Threading: the closures run where the single delivers. A closure that is formed on an actor is isolated to it,
  ///   as with `sink`: the program stops with a message if the single delivers elsewhere.
  @inlinable
  public func subscribe(
    onSuccess: @escaping @isolated(any) (Output) -> Void = { _ in },
    onFailure: @escaping @isolated(any) (Failure) -> Void = { _ in }, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let onSuccess: (Output) -> Void = confined(onSuccess, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    return sink(receiveCompletion: { $0.failure.map(onFailure) }, receiveValue: { onSuccess($0) })
  }

  /// Attaches closures that receive an object, which is held weakly.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value completes the subscription. The closures no longer run after the object
  ///   has been deallocated. Releasing the result cancels the subscription.
  /// - Threading: the closures run where the single delivers. A closure that is formed on an actor is isolated to it,
  ///   as with `sink`: the program stops with a message if the single delivers elsewhere.
  @inlinable
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: @escaping @isolated(any) (Object, Output) -> Void = { _, _ in },
    onFailure: @escaping @isolated(any) (Object, Failure) -> Void = { _, _ in }, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyCancellable {
    let onSuccess: (Object, Output) -> Void = confined(onSuccess, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Object, Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    return subscribe(
      onSuccess: { [weak object] value in
        if let object { onSuccess(object, value) }
      },
      onFailure: { [weak object] error in
        if let object { onFailure(object, error) }
      })
  }
}

extension Maybe {
  /// Attaches closures for the value, its absence and a failure; one of them runs, once.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value completes the subscription. Releasing the result cancels the
  ///   subscription.
  /// - Threading: the closures run where the maybe delivers. A closure that is formed on an actor is isolated to it, as
  ///   with `sink`: the program stops with a message if the maybe delivers elsewhere.
  @inlinable
  public func subscribe(
    onSuccess: @escaping @isolated(any) (Output) -> Void = { _ in },
    onFailure: @escaping @isolated(any) (Failure) -> Void = { _ in },
    onCompleted: @escaping @isolated(any) () -> Void = {}, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let onSuccess: (Output) -> Void = confined(onSuccess, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    let onCompleted: () -> Void = confined(onCompleted, "subscribe", of: Self.self, fileID, line)
    return map(Output?.some).replaceEmpty(with: nil).sink(
      receiveCompletion: { $0.failure.map(onFailure) },
      receiveValue: { if let value = $0 { onSuccess(value) } else { onCompleted() } })
  }

  /// Attaches closures that receive an object, which is held weakly.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the value completes the subscription. The closures no longer run after the object
  ///   has been deallocated. Releasing the result cancels the subscription.
  /// - Threading: the closures run where the maybe delivers. A closure that is formed on an actor is isolated to it, as
  ///   with `sink`: the program stops with a message if the maybe delivers elsewhere.
  @inlinable
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: @escaping @isolated(any) (Object, Output) -> Void = { _, _ in },
    onFailure: @escaping @isolated(any) (Object, Failure) -> Void = { _, _ in },
    onCompleted: @escaping @isolated(any) (Object) -> Void = { _ in }, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyCancellable {
    let onSuccess: (Object, Output) -> Void = confined(onSuccess, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Object, Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    let onCompleted: (Object) -> Void = confined(onCompleted, "subscribe", of: Self.self, fileID, line)
    return subscribe(
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
  /// Attaches a closure for the finish and one for a failure; one of them runs, once.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: releasing the result cancels the subscription.
  /// - Threading: the closures run where the completable delivers. A closure that is formed on an actor is isolated to
  ///   it, as with `sink`: the program stops with a message if the completable delivers elsewhere.
  @inlinable
  public func subscribe(
    onCompleted: @escaping @isolated(any) () -> Void = {},
    onFailure: @escaping @isolated(any) (Failure) -> Void = { _ in }, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let onCompleted: () -> Void = confined(onCompleted, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    return sink(
      receiveCompletion: { if let error = $0.failure { onFailure(error) } else { onCompleted() } },
      receiveValue: { (_: Never) in })
  }

  /// Attaches closures that receive an object, which is held weakly.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the closures no longer run after the object has been deallocated. Releasing the
  ///   result cancels the subscription.
  /// - Threading: the closures run where the completable delivers. A closure that is formed on an actor is isolated to
  ///   it, as with `sink`: the program stops with a message if the completable delivers elsewhere.
  @inlinable
  public func subscribe<Object: AnyObject>(
    with object: Object, onCompleted: @escaping @isolated(any) (Object) -> Void = { _ in },
    onFailure: @escaping @isolated(any) (Object, Failure) -> Void = { _, _ in }, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyCancellable {
    let onCompleted: (Object) -> Void = confined(onCompleted, "subscribe", of: Self.self, fileID, line)
    let onFailure: (Object, Failure) -> Void = confined(onFailure, "subscribe", of: Self.self, fileID, line)
    return subscribe(
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
  @inlinable
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
