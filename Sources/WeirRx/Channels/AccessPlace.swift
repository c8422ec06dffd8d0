import Weir

/// The actor on which an object may be accessed, or any thread.
struct AccessPlace {
  /// The place of an object that any thread may access.
  static let anywhere = AccessPlace(on: nil)

  let actor: UnretainedActor?
  private let lane: ActorLane<() -> Void>?

  /// The given actor, or the one that the caller runs on, because a function without isolation can be called on the actor
  /// of an object that it binds.
  init(_ isolation: (any Actor)?) {
    self.init(on: isolation ?? currentActor())
  }

  /// The given actor, or any thread.
  init(on actor: (any Actor)?) {
    self.actor = actor.map { UnretainedActor($0) }
    lane = actor.map { ActorLane(to: $0) }
    lane?.open { action in action() }
  }

  /// Whether the caller may access the object.
  var isHere: Bool { lane?.isOnActor() ?? true }

  /// Runs an action there: immediately if the caller is there and no older one is pending, otherwise in order.
  func perform(_ action: @escaping () -> Void) {
    // Performance: a binding that needs no hop needs less of the stack without the lane.
    guard let lane, !lane.isFree else { return action() }
    lane.put(action)
  }
}

extension UnretainedActor {
  /// Stops the program if a publisher that reads an object of this actor is subscribed to off it.
  func requireSubscriber(to publisher: @autoclosure () -> String) {
    guard let actor = current else { return }
    let name = actor is ActorStandIn ? "its actor" : "\(type(of: actor))"
    requireIsolation(
      to: actor,
      """
      \(publisher()) was subscribed to off \(name), where reading the object is a data race. Subscribe on \(name), or \
      add .subscribe(on:) with a scheduler of that actor.
      """)
  }
}
