internal import Observation
public import Weir

/// A property of an object as one end of a two-way connection: a publisher of its changes, and a way to set it.
///
///     accept                            -1-2-
///     PropertyChannel(volume, \.relay)  01-2-
///     later                             ----(^2)
///
///     let channel = PropertyChannel(model, \.username)     // @Published var username
///     channel.sink { print($0) }                           // the value now, then what others set
///     channel.send("ada")                                  // sets it, and is not sent back
///
/// The object is held weakly.
///
/// These properties can be observed: `@Published` ones, and those computed of them; those of an `@Observable` class;
/// the `value` of a `CurrentValueRelay` or `CurrentValueSubject`, also by a key path to the relay; and any other with a
/// publisher that tells of its changes. Anything else ends the program with a message that says so.
///
/// - Demand: each subscriber's own. The property is a state: one that can't keep up gets the value that it has when it asks.
/// - Completion and cancellation: finishes when the object goes; where nothing tells of that (a relay or subject, a publisher
///   that doesn't finish), when ``send(_:)`` finds it gone.
/// - Threading: delivers where the property is set, and sets it where ``send(_:)`` is called, except for an `@Observable`
///   class, which tells of a change before it happens: then the value is delivered a hop later, on the actor or the
///   scheduler given when the channel was made, changes that come before that hop as one, and a set to an equal value not
///   at all.
public final class PropertyChannel<Value>: _DirectPublisher, TwoWay {
  /// The property's type.
  public typealias Output = Value

  /// It can't fail.
  public typealias Failure = Never

  /// A way to a property, with the types of the object and of what it has forgotten.
  struct Access {
    let identity: SideIdentity
    /// `nil` when the object has gone.
    let read: () -> Value?
    /// False when the object has gone.
    let write: (Value) -> Bool
    /// Each tells of changes, and finishes when the object goes.
    ///
    /// They are not merged: a merge puts off what is sent from inside a delivery, and then nobody knows who has sent it.
    let changes: [AnyPublisher<Void, Never>]
  }

  private struct State {
    /// The threads that are setting the property through this channel, and how often they have heard of it.
    var writers: [(thread: UInt, count: Int)] = []
    var subscriptions: [AnyCancellable] = []
    var isOver = false
  }

  private let access: Access
  private let state = Locked(State())

  /// All changes, and those that this channel has not made.
  private let all = PassthroughSubject<Void, Never>()
  private let others = PassthroughSubject<Void, Never>()

  @usableFromInline
  package let place = Place()

  init(_ access: Access) {
    self.access = access
    // Not kept by it: a channel that nobody has any more stops listening.
    let subscriptions = access.changes.map { changes in
      changes.sink(
        receiveCompletion: { [weak self] _ in self?.finish() }, receiveValue: { [weak self] in self?.changed() })
    }
    state.withLock { state in
      if !state.isOver { state.subscriptions = subscriptions }
    }
  }

  /// Attaches a downstream, which gets the property's value at its first demand.
  public func _attach(_ downstream: Downstream<Value, Never>) {
    others.merge(with: Just(()))
      .onBackpressureLatest()
      .compactMap { [self] _ in access.read() }
      ._attach(downstream)
  }

  /// Sets the property, which is not sent to this channel's own subscribers, unless a setter makes something else of it.
  public func send(_ value: Value) {
    set(value)
  }

  // MARK: As a side of a binding

  /// The property's value, `nil` when the object has gone.
  public var currentValue: Value? { access.read() }

  /// Tells of all changes.
  public var changes: PassthroughSubject<Void, Never> { all }

  /// Sets the property.
  public func set(_ value: Value) {
    let me = currentThread()
    state.withLock { $0.writers.append((me, 0)) }
    let isThere = access.write(value)
    let count = state.withLock { state in
      state.writers.lastIndex { $0.thread == me }.map { state.writers.remove(at: $0).count } ?? 0
    }
    if !isThere { return finish() }
    // A setter may correct what it gets without telling of anything but the result.
    if count <= 1, let now = access.read(), areEqual(now, value) == false { others.send(()) }
  }

  /// The object and the key path, whichever channel it is.
  public var identity: SideIdentity? { access.identity }

  // MARK: The property's changes

  private func changed() {
    let me = currentThread()
    let isOwn = state.withLock { state in
      guard let index = state.writers.lastIndex(where: { $0.thread == me }) else { return false }
      state.writers[index].count += 1
      return state.writers[index].count == 1
    }
    all.send(())
    if !isOwn { others.send(()) }
  }

  private func finish() {
    let released = state.withLock { state in
      state.isOver = true
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in released { subscription.cancel() }
    all.send(completion: .finished)
    others.send(completion: .finished)
  }
}

extension PropertyChannel {
  /// Makes a channel for a property that can be observed.
  ///
  /// - Parameters:
  ///   - object: the object, which is not kept.
  ///   - keyPath: the property. It is read once to find out how it is observed.
  ///   - isolation: where a property of an `@Observable` class is read after a change: the caller's actor. Without one it is
  ///     read on any thread, so the object must allow that.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, isolation: (any Actor)? = #isolation
  ) {
    self.init(.property(of: object, keyPath, get: { $0 }, set: { $0 }, hop: Hop(to: isolation)))
  }

  /// Makes a channel for a property of an `@Observable` class, which is read on a scheduler after a change.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, on scheduler: some Scheduler
  ) {
    self.init(.property(of: object, keyPath, get: { $0 }, set: { $0 }, hop: Hop(on: scheduler)))
  }

  /// Makes a channel for an optional property, with a value that stands in for `nil`.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value?>, nilValue: Value,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      .property(of: object, keyPath, get: { $0 ?? nilValue }, set: { Optional($0) }, hop: Hop(to: isolation)))
  }

  /// Makes a channel for a property whose changes a publisher tells of.
  ///
  /// - Parameters:
  ///   - object: the object, which is not kept.
  ///   - keyPath: the property.
  ///   - changes: sends something after each change, and may finish when the object goes. What it sends makes no difference.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, changes: some Publisher<some Any, Never>
  ) {
    self.init(
      .property(
        of: object, keyPath, get: { $0 }, set: { $0 },
        changes: [changes.map { _ in () }.eraseToAnyPublisher()]))
  }

  /// Makes a channel for the value of a relay that an object has.
  public convenience init<Root: AnyObject>(_ object: Root, _ keyPath: KeyPath<Root, CurrentValueRelay<Value>>) {
    self.init(.holder(in: object, keyPath))
  }

  /// Makes a channel for the value of a subject that an object has.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: KeyPath<Root, CurrentValueSubject<Value, Never>>
  ) {
    self.init(.holder(in: object, keyPath))
  }
}

extension PropertyChannel.Access {
  /// A property that is observed in the way that its class offers.
  static func property<Root: AnyObject, Stored>(
    of object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Stored>, get: @escaping (Stored) -> Value,
    set: @escaping (Value) -> Stored, hop: Hop
  ) -> Self {
    if let holder = object as? any CurrentValueHolder, keyPath == holder.valueKeyPath {
      return property(
        of: object, keyPath, identity: SideIdentity(object), get: get, set: set, changes: [holder.signals])
    }
    let published = publishedChanges(in: object) { _ = object[keyPath: keyPath] }
    if !published.isEmpty {
      return property(of: object, keyPath, get: get, set: set, changes: published.map { $0.eraseToAnyPublisher() })
    }
    if object is any Observation.Observable {
      let tracker = ObservationTracker(hop) { [weak object] in _ = object?[keyPath: keyPath] }
      return Self(
        identity: SideIdentity(object, keyPath),
        read: { [weak object] in object.map { get($0[keyPath: keyPath]) } },
        write: { [weak object] value in
          guard let object else { return false }
          tracker.write { object[keyPath: keyPath] = set(value) }
          return true
        }, changes: [tracker.changes.handleEvents(receiveCancel: { tracker.stop() }).eraseToAnyPublisher()])
    }
    fatalError(
      """
      \(keyPath) can't be observed: reading it reads no @Published property of \(type(of: object)), which is not \
      @Observable either. Mark the property @Published or the class @Observable, or say what tells of its changes: \
      PropertyChannel(object, keyPath, changes: publisher).
      """)
  }

  static func property<Root: AnyObject, Stored>(
    of object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Stored>, identity: SideIdentity? = nil,
    get: @escaping (Stored) -> Value, set: @escaping (Value) -> Stored, changes: [AnyPublisher<Void, Never>]
  ) -> Self {
    Self(
      identity: identity ?? SideIdentity(object, keyPath),
      read: { [weak object] in object.map { get($0[keyPath: keyPath]) } },
      write: { [weak object] value in
        object?[keyPath: keyPath] = set(value)
        return object != nil
      }, changes: changes)
  }

  /// The value of a relay or subject that an object has.
  static func holder<Root: AnyObject, Holder: CurrentValueHolder>(
    in object: Root, _ keyPath: KeyPath<Root, Holder>
  ) -> Self where Holder.Value == Value {
    let holder = object[keyPath: keyPath]
    return Self(
      identity: SideIdentity(holder), read: { [weak object] in object?[keyPath: keyPath].currentValue },
      write: { [weak object] value in
        object?[keyPath: keyPath].set(value)
        return object != nil
      }, changes: [holder.signals])
  }
}

/// What keeps a latest value as `value`.
protocol CurrentValueHolder: AnyObject, TwoWay {
  var valueKeyPath: AnyKeyPath { get }
  var signals: AnyPublisher<Void, Never> { get }
}

extension CurrentValueHolder {
  var signals: AnyPublisher<Void, Never> { changes.map { _ in () }.eraseToAnyPublisher() }
}

extension CurrentValueSubject: CurrentValueHolder where Failure == Never {
  var valueKeyPath: AnyKeyPath { \CurrentValueSubject.value }
}

extension CurrentValueRelay: CurrentValueHolder {
  var valueKeyPath: AnyKeyPath { \CurrentValueRelay.value }
}
