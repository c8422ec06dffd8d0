public import Weir

/// How long what a shared publisher keeps is kept.
public enum ShareScope: Hashable, Sendable {
  /// As long as it is connected: who comes after the last has left, or after the end, finds a new beginning.
  case whileConnected

  /// As long as the shared publisher lives: who comes after the last has left gets what is kept, and then what a new
  /// connection brings; who comes after the end gets what is kept and the end.
  case forever
}

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers, as long as there are any, and keeps its last values
  /// for those who come later.
  ///
  ///     source             -a-b-   c-d-|
  ///     .share(replay: 1)  -a-b-   c-d-|
  ///     later              ----(^b)c-d-|
  ///
  /// - Demand: each subscriber's own, as with ``ReplaySubject``; this publisher is asked for everything.
  /// - Completion and cancellation: the end follows the values that are kept. When the last has cancelled, this publisher
  ///   is cancelled, and the next subscriber connects anew. The scope says what becomes of the values that are kept.
  /// - Threading: subscribes where the first subscriber does.
  ///
  /// - Parameters:
  ///   - count: how many values are kept, not negative.
  ///   - scope: how long they are kept.
  /// - Returns: a publisher with one subscription for all its subscribers.
  public func share(replay count: Int, scope: ShareScope = .whileConnected) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, count: count, scope: scope)
  }
}

extension Publishers {
  /// A publisher that shares one subscription to its upstream and keeps the last values.
  public final class ShareReplay<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher that is shared.
    public final let upstream: Upstream

    /// How many values are kept.
    public final let count: Int

    /// How long they are kept.
    public final let scope: ShareScope

    /// Those who share what is kept; its fields belong to the lock.
    @usableFromInline
    final class Room {
      @usableFromInline
      let subject: ReplaySubject<Output, Failure>

      var subscribers = 0
      var connection: AnyCancellable?
      var isOver = false

      /// Counts the connections, so that one that was made too late is recognised.
      var generation = 0

      init(keeping count: Int) {
        subject = ReplaySubject(bufferSize: count, named: "ShareReplay")
      }
    }

    private let current = Locked<Room?>(nil)

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method `share(replay:scope:)` is the usual way.
    public init(upstream: Upstream, count: Int, scope: ShareScope) {
      if count < 0 { fatalError("share can't keep \(count) values: give 0 to keep none.") }
      self.upstream = upstream
      self.count = count
      self.scope = scope
    }

    /// Attaches a downstream, and subscribes to the upstream if it is the first.
    @inlinable
    public final func _attach(_ downstream: Downstream<Output, Failure>) {
      let (room, generation) = enter()
      room.subject.attach(downstream, named: "ShareReplay") { [self] in leave(room) }
      // Who came first may have left already, inside the subscription.
      if let generation, isWanted(room, generation) { connect(room, generation) }
    }

    /// Counts a subscriber; the number of the connection to be made if it is the first.
    @usableFromInline
    func enter() -> (Room, Int?) {
      current.withLock { current in
        let room = current ?? Room(keeping: count)
        current = room
        room.subscribers += 1
        guard room.subscribers == 1, !room.isOver else { return (room, nil) }
        room.generation += 1
        return (room, room.generation)
      }
    }

    @usableFromInline
    func isWanted(_ room: Room, _ generation: Int) -> Bool {
      current.withLock { _ in room.generation == generation && room.subscribers > 0 && !room.isOver }
    }

    @usableFromInline
    func connect(_ room: Room, _ generation: Int) {
      let connection = upstream.handleEvents(receiveCompletion: { [self] _ in ended(room) }).subscribe(room.subject)
      let isKept = current.withLock { _ in
        guard room.generation == generation, room.subscribers > 0, !room.isOver else { return false }
        room.connection = connection
        return true
      }
      if !isKept { connection.cancel() }
    }

    /// The upstream has ended, of which nobody has been told yet: who subscribes when told finds a new beginning.
    private func ended(_ room: Room) {
      // What leaves the place of the current one is still the caller's, so nothing goes under the lock.
      current.withLock { current in
        room.isOver = true
        if scope == .whileConnected, current === room { current = nil }
      }
    }

    @usableFromInline
    func leave(_ room: Room) {
      let connection = current.withLock { current -> AnyCancellable? in
        room.subscribers -= 1
        guard room.subscribers == 0 else { return nil }
        if scope == .whileConnected, current === room { current = nil }
        return room.connection.take()
      }
      connection?.cancel()
    }
  }
}
