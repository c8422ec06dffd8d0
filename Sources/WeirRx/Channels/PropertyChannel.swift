internal import Observation
public import Weir

/// A property of an object as one end of a two-way connection: publishes its changes, and sets it.
///
///     accept                            -1-2-
///     PropertyChannel(volume, \.relay)  01-2-
///     later                             ----(^2)
///
///     let channel = PropertyChannel(model, \.username)     // @Published var username
///     channel.sink { print($0) }                           // the value now, then what others set
///     channel.send("ada")                                  // sets it, and is not sent back
///
/// The channel holds the object weakly.
///
/// These properties can be observed:
///
/// - `@Published` properties, and properties computed from them.
/// - Properties of an `@Observable` class.
/// - The `value` of a `CurrentValueRelay` or `CurrentValueSubject`, also by a key path to the relay.
/// - Any other property whose changes a publisher announces.
///
/// For any other property, the program stops with a message.
///
/// - Demand: each subscriber's own. The property is a state: a slow subscriber receives the latest value at its request.
/// - Completion and cancellation: finishes when the object is deallocated. A relay, a subject, or a publisher that
///   doesn't finish can't announce that; the channel then finishes when ``send(_:)`` finds that the object is missing.
/// - Threading: a channel that is created on an actor, such as the main actor, reads and sets the property only there,
///   because a key path doesn't tell to which actor its property belongs. It delivers values there, and must be
///   subscribed to there. What is sent elsewhere is set a hop later, in order. Without an actor, and for the value of a
///   relay or subject, the channel delivers where the property is set, and sets it where ``send(_:)`` is called.
///
///   An `@Observable` class announces a change before the change happens. Its value is delivered a hop later, on the
///   actor. Without an actor it is delivered on the scheduler that the initializer received. The hop coalesces all
///   changes until then, and skips a value that is equal to the previous one.
public final class PropertyChannel<Value>: _DirectPublisher, TwoWayBindable {
  /// The property's type.
  public typealias Output = Value

  /// It can't fail.
  public typealias Failure = Never

  /// Access to a property, with the types of the object and of the stored value erased.
  @usableFromInline
  struct Access {
    let identity: BindingEndpointID
    /// Where `read` and `write` may be called.
    let place: AccessPlace

    /// Returns `nil` after the object has been deallocated.
    @usableFromInline
    let read: () -> Value?

    /// Returns `false` after the object has been deallocated.
    let write: (Value) -> Bool
    /// Publishers that announce changes, and finish when the object is deallocated.
    ///
    /// They are not merged. A merge defers a re-entrant send, and then the sender can't be identified.
    let changes: [AnyPublisher<Void, Never>]
  }

  private struct State {
    /// The threads that are setting the property through this channel, each with the number of changes that it has
    /// announced.
    var writers: [(thread: UInt, count: Int)] = []
    var subscriptions: [AnyCancellable] = []
    var isTerminated = false
  }

  @usableFromInline
  let access: Access

  private let state = Locked(State())

  /// Announces all changes; `others` announces those that this channel has not made.
  private let all = PassthroughSubject<Void, Never>()

  @usableFromInline
  let others = PassthroughSubject<Void, Never>()

  @usableFromInline
  package let assemblySite = AssemblySite()

  init(_ access: Access) {
    self.access = access
    // The subscriptions don't retain the channel, so that a channel without owners stops observing.
    let subscriptions = access.changes.map { changes in
      changes.sink(
        receiveCompletion: { [weak self] _ in self?.finish() }, receiveValue: { [weak self] in self?.changed() })
    }
    state.withLock { state in
      if !state.isTerminated { state.subscriptions = subscriptions }
    }
  }

  /// Attaches a downstream, which receives the property's value at its first demand.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Value, Never>) {
    requireSubscriberOnActor()
    others.merge(with: Just(()))
      .compactMap { [self] _ in access.read() }
      .onBackpressureLatest()
      ._attach(downstream)
  }

  @usableFromInline
  func requireSubscriberOnActor() {
    access.place.actor?.requireSubscriber(to: "A PropertyChannel")
  }

  /// Sets the property.
  ///
  /// This channel's own subscribers receive the value only if a setter changes it, or if another thread announces it. A
  /// relay or subject does so if that thread is delivering another value at that moment.
  public func send(_ value: Value) {
    access.place.perform { [self] in write(value) }
  }

  // MARK: As a side of a binding

  /// The property's value, or `nil` off its actor and after the object has been deallocated.
  public var currentValue: Value? { access.place.isHere ? access.read() : nil }

  /// Announces all changes.
  public var changes: PassthroughSubject<Void, Never> { all }

  /// Sets the property: immediately if the caller is on its actor, otherwise after a hop.
  public func set(_ value: Value) {
    // On the actor it doesn't wait for what was sent elsewhere, because a binding observes the property behind the call.
    if access.place.isHere { write(value) } else { send(value) }
  }

  /// Runs the body on the property's actor: immediately if the caller is there, otherwise after a hop.
  public func access(_ body: @escaping () -> Void) {
    access.place.perform(body)
  }

  private func write(_ value: Value) {
    let me = currentThread()
    state.withLock { $0.writers.append((me, 0)) }
    let isThere = access.write(value)
    let count = state.withLock { state in
      state.writers.lastIndex { $0.thread == me }.map { state.writers.remove(at: $0).count } ?? 0
    }
    if !isThere { return finish() }
    // A setter may correct the value and announce only the result.
    if count <= 1, let now = access.read(), areEqual(now, value) == false { others.send(()) }
  }

  /// The identity of the object and the key path, which all channels for the property share.
  public var identity: BindingEndpointID? { access.identity }

  // MARK: The property's changes

  private func changed() {
    let me = currentThread()
    let isOwn = state.withLock { state in
      guard let index = state.writers.lastIndex(where: { $0.thread == me }) else { return false }
      state.writers[index].count += 1
      return state.writers[index].count == 1
    }
    all.send(())
    if !isOwn { access.place.perform { [others] in others.send(()) } }
  }

  private func finish() {
    let released = state.withLock { state in
      state.isTerminated = true
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in released { subscription.cancel() }
    all.send(completion: .finished)
    others.send(completion: .finished)
  }
}

extension PropertyChannel {
  /// Creates a channel for a property that can be observed.
  ///
  /// - Parameters:
  ///   - object: The object, which is held weakly.
  ///   - keyPath: The property. The initializer reads it once, to find out how it is observed.
  ///   - isolation: The actor on which the property is read and set: the caller's. Without an actor any thread may read
  ///     and set it, and the object must allow that.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, isolation: (any Actor)? = #isolation
  ) {
    self.init(.property(of: object, keyPath, get: { $0 }, set: { $0 }, hop: LaterExecution(on: isolation)))
  }

  /// Creates a channel for a property of an `@Observable` class, whose changes it notices on a scheduler.
  ///
  /// The property is read and set on the caller's actor nevertheless.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, on scheduler: some Scheduler,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      .property(
        of: object, keyPath, get: { $0 }, set: { $0 }, hop: LaterExecution(on: scheduler, at: AccessPlace(isolation))))
  }

  /// Creates a channel for an optional property; `nilValue` stands for `nil`.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value?>, nilValue: Value,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      .property(
        of: object, keyPath, get: { $0 ?? nilValue }, set: { Optional($0) }, hop: LaterExecution(on: isolation)))
  }

  /// Creates a channel for a property whose changes a publisher announces.
  ///
  /// - Parameters:
  ///   - object: The object, which is held weakly.
  ///   - keyPath: The property.
  ///   - changes: A publisher that sends an element after each change. It may finish when the object is deallocated.
  ///     Its elements are ignored.
  ///   - isolation: The actor on which the property is read and set: the caller's.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, changes: some Publisher<some Any, Never>,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      .property(
        of: object, keyPath, get: { $0 }, set: { $0 }, AccessPlace(isolation),
        changes: [changes.map { _ in () }.eraseToAnyPublisher()]))
  }

  /// Creates a channel for the value of an object's relay.
  public convenience init<Root: AnyObject>(_ object: Root, _ keyPath: KeyPath<Root, CurrentValueRelay<Value>>) {
    self.init(.holder(in: object, keyPath))
  }

  /// Creates a channel for the value of an object's subject.
  public convenience init<Root: AnyObject>(
    _ object: Root, _ keyPath: KeyPath<Root, CurrentValueSubject<Value, Never>>
  ) {
    self.init(.holder(in: object, keyPath))
  }
}

extension PropertyChannel.Access {
  /// Access to a property, which is observed by the means of its class.
  static func property<Root: AnyObject, Stored>(
    of object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Stored>, get: @escaping (Stored) -> Value,
    set: @escaping (Value) -> Stored, hop: LaterExecution
  ) -> Self {
    if let holder = object as? any CurrentValueHolder, keyPath == holder.valueKeyPath {
      return property(
        of: object, keyPath, identity: BindingEndpointID(object), get: get, set: set, .anywhere,
        changes: [holder.signals])
    }
    let published = publishedChanges(in: object) { _ = object[keyPath: keyPath] }
    if !published.isEmpty {
      return property(
        of: object, keyPath, get: get, set: set, hop.place, changes: published.map { $0.eraseToAnyPublisher() })
    }
    if object is any Observation.Observable {
      let tracker = ObservationTracker(hop) { [weak object] in _ = object?[keyPath: keyPath] }
      return Self(
        identity: BindingEndpointID(object, keyPath), place: hop.place,
        read: { [weak object] in object.map { get($0[keyPath: keyPath]) } },
        write: { [weak object] value in
          guard let object else { return false }
          tracker.write { object[keyPath: keyPath] = set(value) }
          return true
        }, changes: [tracker.changes.handleEvents(receiveCancel: { tracker.stop() }).eraseToAnyPublisher()])
    }
    let isHidden = object is any CustomReflectable
    fatalError(
      """
      A property channel can't observe \(keyPath): its getter reads no @Published property\
      \(isHidden ? " that the class's own mirror shows" : ""), and \(type(of: object)) is not @Observable. Mark the \
      property @Published, mark the class @Observable, or pass a publisher of its changes: PropertyChannel(object, \
      keyPath, changes: publisher).
      """)
  }

  static func property<Root: AnyObject, Stored>(
    of object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Stored>, identity: BindingEndpointID? = nil,
    get: @escaping (Stored) -> Value, set: @escaping (Value) -> Stored, _ place: AccessPlace,
    changes: [AnyPublisher<Void, Never>]
  ) -> Self {
    Self(
      identity: identity ?? BindingEndpointID(object, keyPath), place: place,
      read: { [weak object] in object.map { get($0[keyPath: keyPath]) } },
      write: { [weak object] value in
        object?[keyPath: keyPath] = set(value)
        return object != nil
      }, changes: changes)
  }

  /// Access to the value of an object's relay or subject.
  static func holder<Root: AnyObject, Holder: CurrentValueHolder>(
    in object: Root, _ keyPath: KeyPath<Root, Holder>
  ) -> Self where Holder.Value == Value {
    let holder = object[keyPath: keyPath]
    // Not through the key path, because any thread may use a relay, but not an object that has one.
    return Self(
      identity: BindingEndpointID(holder), place: .anywhere,
      read: { [weak object, weak holder] in object == nil ? nil : holder?.currentValue },
      write: { [weak object, weak holder] value in
        if object != nil { holder?.set(value) }
        return object != nil
      }, changes: [holder.signals])
  }
}

/// An object that stores its latest value as `value`.
protocol CurrentValueHolder: AnyObject, TwoWayBindable {
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
