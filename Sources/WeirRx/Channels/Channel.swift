public import Weir

/// A two-way connection: what is sent into one end comes out of the other.
///
///     leading            -1-2-   |
///     channel.following  -1-2-   |
///     later              ----(^2)|
///
///     leading ──1──2──▶ following    whoever subscribes to `following` gets the latest value first
///     leading ◀──3──4── following    whoever subscribes to `leading` gets what is sent from then on
///
/// - Demand: see ``Terminal``.
/// - Completion and cancellation: a completion or failure that is sent into either end ends both; a later subscriber gets
///   the end, of the following terminal after the latest value.
/// - Threading: any thread may send into either end. Each end delivers on its own, as a subject does.
public final class Channel<Value, Failure: Error> {
  /// The end that leads: what it sends last is kept for the other's later subscribers.
  public let leading: Terminal

  /// The end that follows: it gets the latest value first.
  public let following: Terminal

  /// Makes a channel through which nothing has come yet.
  public init() {
    let core = Core()
    leading = Terminal(core, isLeading: true)
    following = Terminal(core, isLeading: false)
  }

  /// What both ends share.
  final class Core {
    struct State {
      /// The last value, whichever end it was sent into.
      var latest: Value?
      var latestOfLeading: Value?
      var upstreams: [Upstream] = []
      var isOver = false
    }

    /// An upstream's subscription, and its identifier, which is user code: no lock may be held when that is read.
    struct Upstream {
      let identifier: CombineIdentifier
      let subscription: any Subscription

      init(_ subscription: any Subscription) {
        identifier = subscription.combineIdentifier
        self.subscription = subscription
      }
    }

    let state = Locked(State())
    let toFollowing = ReplaySubject<Value, Failure>(bufferSize: 1, named: "Channel")
    let toLeading = ReplaySubject<Value, Failure>(bufferSize: 0, named: "Channel")
    let changesOfFollowing = PassthroughSubject<Void, Never>()
    let changesOfLeading = PassthroughSubject<Void, Never>()

    func send(_ value: Value, fromLeading: Bool) {
      var (old, oldOfLeading): (Value?, Value?) = (value, fromLeading ? value : nil)
      // Its turn is taken with the value's place, so that what is heard last is what stays.
      let deliver: (() -> Void)? = state.withLock { state in
        if state.isOver { return nil }
        swap(&state.latest, &old)
        if fromLeading { swap(&state.latestOfLeading, &oldOfLeading) }
        return (fromLeading ? toFollowing : toLeading).hub.place(value)
      }
      guard let deliver else { return }
      deliver()
      (fromLeading ? changesOfFollowing : changesOfLeading).send(())
      // What was kept goes here, outside the lock: if that sends, it sends something newer.
      withExtendedLifetime((old, oldOfLeading)) {}
    }

    func end(_ completion: Subscribers.Completion<Failure>, fromLeading: Bool) {
      let upstreams: [Upstream]? = state.withLock { state in
        if state.isOver { return nil }
        state.isOver = true
        defer { state.upstreams = [] }
        return state.upstreams
      }
      guard let upstreams else { return }
      for end in fromLeading ? [toFollowing, toLeading] : [toLeading, toFollowing] {
        end.send(completion: completion)
      }
      changesOfFollowing.send(completion: .finished)
      changesOfLeading.send(completion: .finished)
      for upstream in upstreams { upstream.subscription.cancel() }
    }
  }

  /// One end of a channel: a publisher of what the other end is sent, and a subscriber that sends to the other end.
  ///
  /// - Demand: each subscriber's own. Values are states: one that can't keep up gets the latest when it asks, and misses
  ///   those in between. As a subscriber it asks for everything.
  /// - Completion and cancellation: an upstream's end ends the channel, which cancels the other upstreams. Cancelling a
  ///   subscription ends only that.
  /// - Threading: delivers where the other end is sent to.
  public final class Terminal: _DirectPublisher, Subscriber, TwoWay {
    /// What the other end is sent.
    public typealias Output = Value

    /// What is sent to the other end.
    public typealias Input = Value

    let core: Core
    let isLeading: Bool

    @usableFromInline
    package let place = Place()

    init(_ core: Core, isLeading: Bool) {
      self.core = core
      self.isLeading = isLeading
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Value, Failure>) {
      if isLeading {
        core.toLeading.onBackpressureLatest()._attach(downstream)
      } else {
        core.toFollowing._attach(downstream)
      }
    }

    /// Sends a value to the other end.
    public func send(_ value: Value) {
      core.send(value, fromLeading: isLeading)
    }

    /// Ends both ends; whatever is sent later is ignored.
    public func send(completion: Subscribers.Completion<Failure>) {
      core.end(completion, fromLeading: isLeading)
    }

    // MARK: As a subscriber

    /// Takes an upstream's subscription and asks for everything; there may be several.
    public func receive(subscription: any Subscription) {
      let upstream = Core.Upstream(subscription)
      let isOver = core.state.withLock { state in
        if !state.isOver { state.upstreams.append(upstream) }
        return state.isOver
      }
      if isOver { subscription.cancel() } else { subscription.request(.unlimited) }
    }

    /// Sends a value to the other end.
    public func receive(_ value: Value) -> Subscribers.Demand {
      send(value)
      return .none
    }

    /// Ends both ends.
    public func receive(completion: Subscribers.Completion<Failure>) {
      send(completion: completion)
    }

    /// Releases the subscription of an upstream that has been cancelled.
    func forget(_ upstream: CombineIdentifier) {
      let released = core.state.withLock { state in
        let index = state.upstreams.firstIndex { $0.identifier == upstream }
        return index.map { state.upstreams.remove(at: $0) }
      }
      withExtendedLifetime(released) {}
    }

    // MARK: As a side of a binding

    /// What has come through the channel last, from either end.
    public var currentValue: Value? {
      core.state.withLock { $0.latest }
    }

    /// What the leading end has sent last, and for the leading end nothing.
    public var initialValue: Value? {
      isLeading ? nil : core.state.withLock { $0.latestOfLeading }
    }

    /// Tells of what the other end is sent; a failure too ends it.
    public var changes: PassthroughSubject<Void, Never> {
      isLeading ? core.changesOfLeading : core.changesOfFollowing
    }

    /// Sends a value to the other end.
    public func set(_ value: Value) {
      send(value)
    }

    /// The channel: both ends stand for the same.
    public var identity: SideIdentity? { SideIdentity(core) }
  }
}

extension Channel.Terminal: UpstreamKeeping {}
