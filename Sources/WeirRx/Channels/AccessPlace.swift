import Weir

/// The actor on which an object may be accessed, or any thread.
struct AccessPlace {
  /// The place of an object that any thread may access.
  static let anywhere = AccessPlace()

  private let actor: UnretainedActor?
  private let lane: ActorLane<() -> Void>?

  private init() {
    (actor, lane) = (nil, nil)
  }

  /// The given actor, or the one that the caller runs on, because a function without isolation can be called on the actor
  /// of an object that it binds.
  init(_ isolation: (any Actor)?) {
    let actor = isolation ?? currentActor()
    self.actor = actor.map { UnretainedActor($0) }
    lane = actor.map { ActorLane(to: $0) }
    lane?.open { action in action() }
  }

  /// Whether the caller may access the object.
  var isHere: Bool { lane?.isOnActor() ?? true }

  /// Runs an action there: immediately if the caller is there and no older one is pending, otherwise in order.
  func perform(_ action: @escaping () -> Void) {
    if let lane { lane.put(action) } else { action() }
  }

  /// Stops the program unless the caller may access the object.
  func requireCaller(_ publisher: @autoclosure () -> String) {
    guard let actor = actor?.current else { return }
    requireIsolation(
      to: actor,
      """
      \(publisher()) was subscribed to off \(type(of: actor)), where reading the property is a data race. Subscribe on \
      \(type(of: actor)), or add .subscribe(on:) with a scheduler of that actor.
      """)
  }
}
