/// What ties an object to its `objectWillChange`.
///
///     object ──▶ storage of each @Published property ──▶ Observation ──▶ publisher
///                                 ObservedObjects, by address ┄┄▲ │
///                                                                 └┄┄▶ object's memory
///
/// The storages hold it, so it goes with the object. It stands in the table under the object's address, and as long as
/// it does no other object has that address: an unowned reference keeps the memory, though not the object. So what is
/// found under an address is never another object's, even if someone holds a storage for longer than the object.
///
/// An object without a published property has nothing that could hold it. The table does then, and looks from time to
/// time for those whose object has gone. An object whose `deinit` is running counts as gone. If it reads its
/// `objectWillChange` after the table was swept, it gets a new publisher, without subscribers.
@usableFromInline
final class Observation {
  @usableFromInline
  let publisher = ObservableObjectPublisher()

  let address: ObjectIdentifier
  private let table: ObservedObjects

  /// Tells whether the object is still there.
  ///
  /// Written only in the initializer. Reading a weak reference is safe on any thread.
  weak var object: AnyObject?

  private unowned let memory: AnyObject

  init(of object: AnyObject, in table: ObservedObjects) {
    self.table = table
    address = ObjectIdentifier(object)
    self.object = object
    memory = object
  }

  deinit {
    table.remove(self)
  }
}

/// A property that tells an observation before it changes.
protocol ObservedProperty {
  /// Takes the first observation that comes; false if there is another already.
  func observe(_ observation: Observation) -> Bool

  /// Sends after each change, when the property has its new value, and finishes when it is deallocated.
  var changes: PassthroughSubject<Void, Never> { get }

  /// Notes from now on which threads read the property.
  func startWatching()

  /// Ends what `startWatching` began, and tells whether this thread has read the property since.
  func stopWatching() -> Bool
}

/// The published properties of an object, with those of its superclasses.
func publishedProperties(of object: AnyObject) -> [any ObservedProperty] {
  var found: [any ObservedProperty] = []
  var mirror: Mirror? = Mirror(reflecting: object)
  while let part = mirror {
    found += part.children.compactMap { $0.value as? any ObservedProperty }
    mirror = part.superclassMirror
  }
  return found
}

/// Publishers that send after a change of those published properties of an object that a closure reads.
///
/// A key path doesn't lead to its property's storage, so the property is read, and the storage that is asked is it. A
/// property that is computed of published ones has the publishers of all of them. Each finishes when the object goes.
package func publishedChanges(in object: AnyObject, readBy read: () -> Void) -> [PassthroughSubject<Void, Never>] {
  let properties = publishedProperties(of: object)
  for property in properties { property.startWatching() }
  read()
  return properties.filter { $0.stopWatching() }.map(\.changes)
}

// Safety: its only property is behind the lock. (`ObservationThreadTests`)
/// The table of all observations.
final class ObservedObjects: @unchecked Sendable {
  static let shared = ObservedObjects()

  struct State {
    // Safety: the deinit of an observation removes it under the lock, before its memory is freed. (`ObservationThreadTests`)
    var observations: [ObjectIdentifier: Unmanaged<Observation>] = [:]

    /// Those that no property holds.
    var unheld: [Observation] = []

    /// How many there may be before those whose objects have gone are looked for.
    ///
    /// A handful, or twice as many as were left the last time: so one more costs the same however many there are.
    var limit = 16

    /// Takes out the observations whose objects have gone.
    ///
    /// The result is to be let go of outside the lock: also the living, since the last other reference to one may go
    /// meanwhile.
    mutating func sweep() -> (gone: [Observation], living: [AnyObject]) {
      let living = unheld.map(\.object)
      let gone = zip(unheld, living).compactMap { $1 == nil ? $0 : nil }
      unheld = zip(unheld, living).compactMap { $1 == nil ? nil : $0 }
      for observation in gone { forget(observation) }
      limit = max(16, 2 * unheld.count)
      return (gone, living.compactMap { $0 })
    }

    mutating func forget(_ observation: Observation) {
      guard let found = observations[observation.address] else { return }
      // Safety: only the addresses are compared. (`ObservationThreadTests`)
      if found.toOpaque() == Unmanaged.passUnretained(observation).toOpaque() {
        observations[observation.address] = nil
      }
    }

    func publisher(at address: ObjectIdentifier) -> ObservableObjectPublisher? {
      // Safety: this runs under the lock, so the observation is not freed yet, see `observations`. (`ObservationThreadTests`)
      observations[address]?._withUnsafeGuaranteedRef { observation in
        #if canImport(ObjectiveC)
        // An unowned reference does not keep the memory of an object of Objective-C.
        if observation.object == nil { return nil }
        #endif
        return observation.publisher
      }
    }
  }

  private let state = Locked(State())

  /// How many observations there are.
  var count: Int { state.withLock { $0.observations.count } }

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let address = ObjectIdentifier(object)
    if let known = state.withLock({ $0.publisher(at: address) }) { return known }
    let new = Observation(of: object, in: self)
    // In its `deinit`: what its subclasses stored may be gone, so it can't be read, and nobody else can subscribe.
    if new.object == nil { return new.publisher }
    // A mirror may be the user's code, so it is not asked under the lock.
    let properties = publishedProperties(of: object)
    let (publisher, released) = state.withLock { state in
      // Another thread may have been first.
      if let known = state.publisher(at: address) { return (known, ([Observation](), [AnyObject]())) }
      state.observations[address] = .passUnretained(new)
      var isHeld = false
      for property in properties where property.observe(new) { isHeld = true }
      if isHeld { return (new.publisher, ([], [])) }
      state.unheld.append(new)
      return (new.publisher, state.unheld.count > state.limit ? state.sweep() : ([], []))
    }
    withExtendedLifetime(released) {}
    return publisher
  }

  func remove(_ observation: Observation) {
    state.withLock { $0.forget(observation) }
  }
}
