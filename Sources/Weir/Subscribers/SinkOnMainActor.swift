extension Publisher where Output: Sendable {
  /// Attaches closures that run on the main actor.
  ///
  ///     model.results.sink(on: MainActor.shared) { label.text = $0 }
  ///
  /// - Demand: unlimited. Values that come faster than the main actor takes them wait.
  /// - Completion and cancellation: `receiveCompletion` runs once, after all values. Dropping the result cancels: if that is
  ///   done on the main actor, nothing runs from then on, and what is on its way is dropped.
  /// - Threading: values may come on any thread, and are delivered in that order. A value that comes on the main actor is
  ///   delivered before the publisher continues, after the older values that are pending. Other values are delivered as
  ///   soon as the main actor is free. At most 200 pending values are delivered in a row. The rest, and a value that came
  ///   behind it, is delivered later, so that other work on the main actor has its turn.
  public func sink(
    on actor: MainActor, receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    // The lane is where the closures are kept, and it lets them go after the completion.
    let lane = MainActorLane<MainActorEvent<Output, Failure>>()
    lane.open { [weak lane] event in
      switch event {
      case .value(let value): receiveValue(value)
      case .completion(let completion):
        lane?.close()
        receiveCompletion(completion)
      }
    }
    return subscribe(through: lane)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a closure that runs on the main actor to a publisher that can't fail.
  ///
  /// - Demand: unlimited. Values that come faster than the main actor takes them wait.
  /// - Completion and cancellation: the end goes unnoticed. Dropping the result cancels: if that is done on the main actor,
  ///   the closure doesn't run from then on, and what is on its way is dropped.
  /// - Threading: values may come on any thread, and are delivered in that order. A value that comes on the main actor is
  ///   delivered before the publisher continues, after the older values that are pending. Other values are delivered as
  ///   soon as the main actor is free. At most 200 pending values are delivered in a row. The rest, and a value that came
  ///   behind it, is delivered later, so that other work on the main actor has its turn.
  public func sink(on actor: MainActor, receiveValue: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// What comes to a subscriber on the main actor.
@usableFromInline
enum MainActorEvent<Output, Failure: Error> {
  case value(Output)
  case completion(Subscribers.Completion<Failure>)
}

extension Publisher {
  /// Asks for everything and puts it on a lane.
  func subscribe(through lane: MainActorLane<MainActorEvent<Output, Failure>>) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      onValue: { lane.put(.value($0)) }, onCompletion: { lane.put(.completion($0)) })
    let cancellable = sink.attach(to: self)
    return AnyCancellable {
      cancellable.cancel()
      lane.close()
    }
  }
}
