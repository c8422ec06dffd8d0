public import Weir

/// A two-way connection: each end publishes the values that are sent into the other end.
///
///     leading            -1-2-   |
///     channel.following  -1-2-   |
///     later              ----(^2)|
///
///     leading ──1──2──▶ following    a subscriber of `following` receives the latest value first
///     leading ◀──3──4── following    a subscriber of `leading` receives the values sent from then on
///
/// - Demand: see ``Terminal``.
/// - Completion and cancellation: a completion that is sent into either end completes both. A later subscriber receives
///   the completion; a later subscriber of the following terminal receives the latest value first.
/// - Threading: any thread may send into either end. Each end serializes its own delivery, as a subject does.
public final class Channel<Value, Failure: Error> {
  /// The leading end.
  ///
  /// Its latest value is kept for later subscribers of the following end.
  public let leading: Terminal

  /// The following end.
  ///
  /// It delivers the latest value first.
  public let following: Terminal

  /// Creates a channel without a value.
  public init() {
    let core = Core()
    leading = Terminal(core, isLeading: true)
    following = Terminal(core, isLeading: false)
  }

  /// The state that both ends share.
  @usableFromInline
  final class Core {
    @usableFromInline
    struct State {
      /// The latest value, from either end.
      @usableFromInline
      var latest: Value?

      @usableFromInline
      var latestOfLeading: Value?

      @usableFromInline
      var latestIsFromLeading = false

      /// The live upstreams by their numbers.
      ///
      /// Performance: any number of upstreams can be cancelled in any order, so removing one takes constant time.
      var upstreams: [Int: Upstream] = [:]
      var lastNumber = 0
      var arrivalCount = 0

      @usableFromInline
      var isTerminated = false

      /// Stores a value, and returns the replaced ones, which the caller must release outside the lock.
      ///
      /// A value that was pending is stored again when it is delivered, because a nested one from the same end may have
      /// been stored and delivered in the meantime.
      @inlinable
      mutating func store(_ value: Value, fromLeading: Bool, isAgain: Bool = false) -> (Value?, Value?) {
        let replaced = (latest, latestOfLeading)
        if fromLeading { latestOfLeading = value }
        if isAgain, latestIsFromLeading != fromLeading { return replaced }
        latest = value
        latestIsFromLeading = fromLeading
        return replaced
      }
    }

    struct Upstream {
      let subscription: any Subscription
      /// True if it sends to the leading end.
      let isLeading: Bool
      /// True if it reports its number when it completes.
      let isNumbered: Bool
      /// The number of subscriptions that arrived before this one.
      var arrival = 0
    }

    /// The origin of a completion.
    enum Sender {
      case program
      /// An upstream that was attached with `subscribe(_:)`, so that its number is unknown.
      case direct
      case upstream(Int)
    }

    @usableFromInline
    let toFollowing = ReplaySubject<Value, Failure>(bufferSize: 1, named: "Channel")

    @usableFromInline
    let toLeading = ReplaySubject<Value, Failure>(bufferSize: 0, named: "Channel")

    @usableFromInline
    let changesOfFollowing = PassthroughSubject<Void, Never>()

    @usableFromInline
    let changesOfLeading = PassthroughSubject<Void, Never>()

    @usableFromInline
    let state = Locked(State())

    /// Stores a value and sends it, unless the channel has completed.
    ///
    /// Invariant: the lock covers both the storing and the reservation of the delivery, so the value that is delivered
    /// last is the one that remains stored. The replaced values are released outside the lock; if a `deinit` sends, its
    /// value is newer than this one.
    @inlinable
    func send(_ value: Value, fromLeading: Bool) {
      let hub = (fromLeading ? toFollowing : toLeading).hub
      var replaced: (Value?, Value?)
      let turn: (turn: AnyMulticaster.Turn, displaced: EnqueuedAction?)? = state.withLock { state in
        if state.isTerminated { return nil }
        replaced = state.store(value, fromLeading: fromLeading)
        return hub.enterOrEnqueue(toDeliver: { self.deliverLate(value, to: hub) })
      }
      guard let turn = turn?.turn else { return }
      hub.take(turn) { if case .deliverNested = turn { deliverLate(value, to: hub) } else { hub.deliver(value) } }
      (fromLeading ? changesOfFollowing : changesOfLeading).send(())
      withExtendedLifetime(replaced) {}
    }

    /// Delivers a value that was enqueued, or that follows enqueued ones, and stores it again if it is the last.
    ///
    /// A nested value may have been stored in the meantime.
    @inlinable
    @inline(never)
    func deliverLate(_ value: Value, to hub: Multicaster<Value, Failure>) {
      let replaced = state.withLock { state in
        state.isTerminated || !hub.isLatest
          ? nil : state.store(value, fromLeading: hub === toFollowing.hub, isAgain: true)
      }
      withExtendedLifetime(replaced) { hub.deliver(value) }
    }

    func addUpstream() -> Int {
      state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
    }

    func keep(_ upstream: Upstream, as number: Int) {
      let isKept = state.withLock { state in
        if state.isTerminated || state.upstreams[number] != nil { return false }
        state.upstreams[number] = upstream
        state.upstreams[number]?.arrival = state.arrivalCount
        state.arrivalCount += 1
        return true
      }
      if isKept { upstream.subscription.request(.unlimited) } else { upstream.subscription.cancel() }
    }

    /// Completes both ends, and cancels the upstreams in their order of arrival, except the one that has completed.
    func end(_ completion: Subscribers.Completion<Failure>, fromLeading: Bool, by sender: Sender) {
      let upstreams: [Int: Upstream]? = state.withLock { state in
        if state.isTerminated { return nil }
        state.isTerminated = true
        defer { state.upstreams = [:] }
        return state.upstreams
      }
      guard let upstreams else { return }
      for end in fromLeading ? [toFollowing, toLeading] : [toLeading, toFollowing] {
        end.send(completion: completion)
      }
      changesOfFollowing.send(completion: .finished)
      changesOfLeading.send(completion: .finished)
      let completed = number(of: sender, fromLeading: fromLeading, among: upstreams)
      let inOrder = upstreams.sorted { $0.value.arrival < $1.value.arrival }
      for (number, upstream) in inOrder where number != completed {
        upstream.subscription.cancel()
      }
    }

    /// The number of the upstream that has completed.
    ///
    /// Several direct upstreams of one end send the same calls, so the one that has completed is cancelled like the
    /// others.
    private func number(of sender: Sender, fromLeading: Bool, among upstreams: [Int: Upstream]) -> Int? {
      switch sender {
      case .program: return nil
      case .upstream(let number): return number
      case .direct:
        let candidates = upstreams.filter { !$0.value.isNumbered && $0.value.isLeading == fromLeading }
        return candidates.count == 1 ? candidates.first?.key : nil
      }
    }
  }

  /// One end of a channel: a publisher of the other end's input, and a subscriber that sends to the other end.
  ///
  /// - Demand: each subscriber's own. Values are states: a slow subscriber receives the latest value when it requests
  ///   one, and skips those in between. As a subscriber, a terminal requests unlimited demand.
  /// - Completion and cancellation: an upstream's completion completes the channel, which cancels the other upstreams.
  ///   If several publishers were attached to one end with `subscribe(_:)` rather than `bind(to:)`, it also cancels the
  ///   completed one. Cancelling a subscription affects only that subscription.
  /// - Threading: delivers on the thread that sends into the other end.
  public final class Terminal: _DirectPublisher, Subscriber, TwoWayBindable {
    /// The type of the values that the other end receives.
    public typealias Output = Value

    /// The type of the values that this end sends to the other end.
    public typealias Input = Value

    @usableFromInline
    let core: Core

    @usableFromInline
    let isLeading: Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    init(_ core: Core, isLeading: Bool) {
      self.core = core
      self.isLeading = isLeading
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Value, Failure>) {
      if isLeading {
        core.toLeading.onBackpressureLatest()._attach(downstream)
      } else {
        core.toFollowing._attach(downstream)
      }
    }

    /// Sends a value to the other end.
    @inlinable
    public func send(_ value: Value) {
      core.send(value, fromLeading: isLeading)
    }

    /// Completes both ends.
    ///
    /// Later events are ignored.
    public func send(completion: Subscribers.Completion<Failure>) {
      core.end(completion, fromLeading: isLeading, by: .program)
    }

    // MARK: As a subscriber

    /// Retains an upstream's subscription and requests unlimited demand.
    ///
    /// Several upstreams are supported.
    public func receive(subscription: any Subscription) {
      let upstream = Core.Upstream(subscription: subscription, isLeading: isLeading, isNumbered: false)
      core.keep(upstream, as: core.addUpstream())
    }

    /// Sends a value to the other end.
    @inlinable
    public func receive(_ value: Value) -> Subscribers.Demand {
      send(value)
      return .none
    }

    /// Completes both ends.
    public func receive(completion: Subscribers.Completion<Failure>) {
      core.end(completion, fromLeading: isLeading, by: .direct)
    }

    // MARK: As a side of a binding

    /// The latest value, from either end.
    public var currentValue: Value? {
      core.state.withLock { $0.latest }
    }

    /// The latest value that the leading end sent; `nil` for the leading end itself.
    public var initialValue: Value? {
      isLeading ? nil : core.state.withLock { $0.latestOfLeading }
    }

    /// Announces the values that are sent into the other end, and finishes after any completion.
    public var changes: PassthroughSubject<Void, Never> {
      isLeading ? core.changesOfLeading : core.changesOfFollowing
    }

    /// Sends a value to the other end.
    @inlinable
    public func set(_ value: Value) {
      send(value)
    }

    /// The identity of the channel, which both ends share.
    public var identity: BindingEndpointID? { BindingEndpointID(core) }
  }
}

extension Channel.Terminal: UpstreamKeeping {
  func addUpstream() -> Int { core.addUpstream() }

  func keep(_ subscription: any Subscription, as upstream: Int) {
    core.keep(Channel.Core.Upstream(subscription: subscription, isLeading: isLeading, isNumbered: true), as: upstream)
  }

  func finish(_ upstream: Int) {
    core.end(.finished, fromLeading: isLeading, by: .upstream(upstream))
  }

  func forget(_ upstream: Int) {
    let released = core.state.withLock { $0.upstreams.removeValue(forKey: upstream) }
    withExtendedLifetime(released) {}
  }
}

extension Channel: Sendable where Value: Sendable {}

extension Channel.Terminal: Sendable where Value: Sendable {}

// Safety: the state is behind a lock, and the subjects deliver a value on another thread only if it is `Sendable`. An
// upstream's subscription can be cancelled on any thread. (`ChannelInterleavingTests`, `SendableTests`)
extension Channel.Core: @unchecked Sendable where Value: Sendable {}
