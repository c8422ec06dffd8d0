extension Publisher where Output: Sendable {
  /// Attaches closures that run on the main actor.
  ///
  ///     model.results.sink(on: MainActor.shared) { label.text = $0 }
  ///
  /// - Demand: unlimited. Values that arrive faster than the main actor handles them are buffered.
  /// - Completion and cancellation: `receiveCompletion` runs once, after all values. Releasing the result cancels. If
  ///   it is released on the main actor, neither closure runs again, and pending values are dropped.
  /// - Threading: values can arrive on any thread, and are delivered in that order. A value that arrives on the main
  ///   actor is delivered after the older pending values, before the publisher continues. Other values are delivered as
  ///   soon as the main actor is free. At most 200 pending values are delivered in a row. The others are delivered
  ///   later, with the values behind them, so that other work on the main actor can run.
  public func sink(
    on actor: MainActor, receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    let lane = ActorLane<Output>()
    lane.open(onMainActor: receiveValue)
    return subscribe(through: lane) { completion in MainActor.assumeIsolated { receiveCompletion(completion) } }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a closure that runs on the main actor to a publisher that never fails.
  ///
  /// - Demand: unlimited. Values that arrive faster than the main actor handles them are buffered.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels. If it is released on the
  ///   main actor, the closure does not run again, and pending values are dropped.
  /// - Threading: values can arrive on any thread, and are delivered in that order. A value that arrives on the main
  ///   actor is delivered after the older pending values, before the publisher continues. Other values are delivered as
  ///   soon as the main actor is free. At most 200 pending values are delivered in a row. The others are delivered
  ///   later, with the values behind them, so that other work on the main actor can run.
  public func sink(on actor: MainActor, receiveValue: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure that accesses the state of an actor, and is called on it.
  @inlinable
  package func sink(belongingTo actor: (any Actor)?, receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    guard let actor else { return sink(receiveValue: receiveValue) }
    return sink(hoppingTo: actor, receiveValue: receiveValue)
  }

  @usableFromInline
  func sink(hoppingTo actor: any Actor, receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    let lane = ActorLane<Output>(to: actor)
    lane.open(receiveValue)
    return subscribe(through: lane) { _ in }
  }
}

extension Publisher {
  /// Requests unlimited values and forwards them to a lane.
  ///
  /// The lane stores the closures of the subscriber, and releases them before it calls `receiveCompletion`.
  fileprivate func subscribe(
    through lane: ActorLane<Output>, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      onValue: { lane.put($0) },
      onCompletion: { completion in
        lane.end {
          lane.close()
          receiveCompletion(completion)
        }
      })
    let cancellable = sink.attach(to: self)
    return AnyCancellable(anywhere: {
      cancellable.cancel()
      lane.close()
    })
  }
}
