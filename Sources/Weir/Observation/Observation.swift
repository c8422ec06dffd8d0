import Synchronization

/// The connection between an object and its `objectWillChange`.
///
///     object ──▶ storage of each @Published property ──▶ Observation ──▶ publisher
///                                 ObservedObjects, by address ┄┄▲ │
///                                                                 └┄┄▶ object's memory
///
/// The property storages retain it, so it is deallocated with the object. The table stores it under the object's
/// address. Until it is removed, no other object can have that address, because an unowned reference keeps the memory
/// allocated. So a lookup never finds another object's observation, even if a storage outlives its object.
///
/// If an object has no published property, or its own mirror, the table retains its observation. From time to time the
/// table removes the observations of deallocated objects. An object whose `deinit` is running counts as deallocated. If it reads its
/// `objectWillChange` after such a removal, it receives a new publisher, without subscribers.
@usableFromInline
final class Observation {
  @usableFromInline
  let publisher = ObservableObjectPublisher()

  let address: ObjectIdentifier
  private let table: ObservedObjects

  /// The object; `nil` when it has been deallocated.
  ///
  /// Invariant: written only in the initializer. Reading a weak reference is safe on any thread.
  weak var object: AnyObject?

  /// Whether the object has its own mirror, so that its properties find the observation when they are set.
  ///
  /// Such a mirror can hide the published properties, and can itself read `objectWillChange`.
  let isFoundLate: Bool

  private unowned let memory: AnyObject

  init(of object: AnyObject, in table: ObservedObjects) {
    self.table = table
    isFoundLate = object is any CustomReflectable
    address = ObjectIdentifier(object)
    self.object = object
    memory = object
  }

  deinit {
    table.remove(self)
  }
}

/// A property that notifies an observation before it changes.
protocol ObservedProperty {
  /// Stores the first observation; returns `false` if there is another one.
  func observe(_ observation: Observation) -> Bool

  /// Sends after each change, when the property has its new value, and finishes when it is deallocated.
  var changes: PassthroughSubject<Void, Never> { get }

  /// Starts to record the threads that read the property.
  func startWatching()

  /// Stops recording, and returns whether this thread has read the property since `startWatching`.
  func stopWatching() -> Bool
}

/// Returns the published properties of an object and of its superclasses.
func publishedProperties(of object: AnyObject) -> [any ObservedProperty] {
  var found: [any ObservedProperty] = []
  var mirror: Mirror? = Mirror(reflecting: object)
  while let part = mirror {
    found += part.children.compactMap { $0.value as? any ObservedProperty }
    mirror = part.superclassMirror
  }
  return found
}

/// Returns publishers that send after changes of those published properties that a closure reads.
///
/// A key path doesn't lead to its property's storage. So the closure reads the property, and the storages that record a
/// read are the ones it depends on. A property that is computed from several published ones has the publishers of all
/// of them. Each publisher finishes when the object is deallocated.
package func publishedChanges(in object: AnyObject, readBy read: () -> Void) -> [PassthroughSubject<Void, Never>] {
  let properties = publishedProperties(of: object)
  for property in properties { property.startWatching() }
  read()
  return properties.filter { $0.stopWatching() }.map(\.changes)
}

// Safety: the lock protects its only property. (`ObservationThreadTests`)
/// The table of all observations.
final class ObservedObjects: @unchecked Sendable {
  static let shared = ObservedObjects()

  struct State {
    // Safety: the `deinit` of an observation removes it under the lock, before its memory is freed.
    // (`ObservationThreadTests`)
    var observations: [ObjectIdentifier: Unmanaged<Observation>] = [:]

    /// The observations that no property retains.
    var unheld = WeakList<Observation> { $0.object }

    /// Adds an observation that no property retains; the caller must release the result outside the lock.
    mutating func keep(_ observation: Observation) -> WeakList<Observation>.Released {
      let released = unheld.append(observation)
      for removed in released.elements { forget(removed) }
      return released
    }

    mutating func forget(_ observation: Observation) {
      guard let found = observations[observation.address] else { return }
      // Safety: only the addresses are compared. (`ObservationThreadTests`)
      if found.toOpaque() == Unmanaged.passUnretained(observation).toOpaque() {
        observations[observation.address] = nil
      }
    }

    func publisher(at address: ObjectIdentifier) -> ObservableObjectPublisher? {
      // Safety: this runs under the lock, so the observation has not been freed; see `observations`.
      // (`ObservationThreadTests`)
      observations[address]?._withUnsafeGuaranteedRef { observation in
        #if canImport(ObjectiveC)
        // An unowned reference does not keep the memory of an Objective-C object allocated.
        if observation.object == nil { return nil }
        #endif
        return observation.publisher
      }
    }

    /// Returns the observation of an object with its own mirror.
    func lateObservation(of object: AnyObject) -> Observation? {
      // Safety: as above. The table retains such an observation until its object is deallocated.
      // (`ObservationThreadTests`)
      let found = observations[ObjectIdentifier(object)].flatMap { observation in
        observation._withUnsafeGuaranteedRef { $0.isFoundLate && $0.object != nil } ? observation : nil
      }
      return found?.takeUnretainedValue()
    }
  }

  /// The publisher of an object, and what is released outside the lock.
  private struct Added {
    let publisher: ObservableObjectPublisher
    var released: WeakList<Observation>.Released?
  }

  private let state = Locked(State())

  /// Whether there has been an observation that is found late.
  private let hasLate = Atomic<Bool>(false)

  /// The number of observations.
  var count: Int { state.withLock { $0.observations.count } }

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let address = ObjectIdentifier(object)
    if let known = state.withLock({ $0.publisher(at: address) }) { return known }
    let new = Observation(of: object, in: self)
    // The object is in its `deinit`. Properties of its subclasses may be deallocated, so a mirror can't read them, and
    // no other code can subscribe.
    if new.object == nil { return new.publisher }
    let properties = new.isFoundLate ? [] : publishedProperties(of: object)
    if new.isFoundLate { hasLate.store(true, ordering: .relaxed) }
    return state.withLock { state -> Added in
      // Another thread can have stored an observation in the meantime.
      if let known = state.publisher(at: address) { return Added(publisher: known) }
      state.observations[address] = .passUnretained(new)
      var isHeld = false
      for property in properties where property.observe(new) { isHeld = true }
      return Added(publisher: new.publisher, released: isHeld ? nil : state.keep(new))
    }.publisher
  }

  func lateObservation(of object: AnyObject) -> Observation? {
    hasLate.load(ordering: .relaxed) ? state.withLock { $0.lateObservation(of: object) } : nil
  }

  func remove(_ observation: Observation) {
    state.withLock { $0.forget(observation) }
  }
}
