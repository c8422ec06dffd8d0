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
    // The lane stores the closures, and releases them after the completion.
    let lane = ActorLane<LaneEvent<Output, Failure>>()
    lane.open(onMainActor: { [weak lane] event in
      switch event {
      case .value(let value): receiveValue(value)
      case .completion(let completion):
        lane?.close()
        receiveCompletion(completion)
      }
    })
    return subscribe(through: lane)
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
  package func sink(belongingTo actor: (any Actor)?, receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    guard let actor else { return sink(receiveValue: receiveValue) }
    let lane = ActorLane<LaneEvent<Output, Never>>(to: actor)
    lane.open { event in
      if case .value(let value) = event { receiveValue(value) }
    }
    return subscribe(through: lane)
  }
}

/// An event for a subscriber on an actor.
@usableFromInline
enum LaneEvent<Output, Failure: Error> {
  case value(Output)
  case completion(Subscribers.Completion<Failure>)
}

extension Publisher {
  /// Requests unlimited values and forwards them to a lane.
  func subscribe(through lane: ActorLane<LaneEvent<Output, Failure>>) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      onValue: { lane.put(.value($0)) }, onCompletion: { lane.put(.completion($0)) })
    let cancellable = sink.attach(to: self)
    return AnyCancellable {
      cancellable.cancel()
      lane.close()
    }
  }
}
