/// A property of a class whose changes are published.
///
///     number =       -1-2-   3
///     model.$number  01-2-   3
///     later          ----(^2)3
///
/// - Demand: each subscriber's own. One without demand misses what is set meanwhile, save the last, which it gets when
///   it asks again.
/// - Completion and cancellation: the publisher never ends. When the object goes, nothing more comes.
/// - Threading: may be read and set on any thread. Subscribers get the value where it is set, before the property has
///   it; a thread that sets it while another one delivers leaves its value with that one and does not wait, so then the
///   property has it first. A value that is set from inside the delivery of another is replaced by that, as in a
///   `willSet`.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline
  let storage: PublishedStorage<Value>

  /// Creates a property with an initial value.
  @inlinable
  public init(initialValue: Value) {
    storage = PublishedStorage(initialValue)
  }

  /// Creates a property with an initial value.
  @inlinable
  public init(wrappedValue: Value) {
    storage = PublishedStorage(wrappedValue)
  }

  /// The property's publisher.
  ///
  /// It is set by `assign(to:)` only, and what is set makes no difference.
  @inlinable
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    nonmutating set {}
  }

  /// The value, which only a property of a class has.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("@Published is only available on properties of classes.") }
    set { fatalError("@Published is only available on properties of classes.") }
  }

  /// The value of the property of an object.
  @inlinable
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue) }
  }
}

extension Published {
  /// What a published property has as its projected value.
  ///
  /// It does not keep the object, but what is assigned to the property with `assign(to:)` goes on as long as it is
  /// kept.
  public struct Publisher: _DirectPublisher {
    /// The type of the property.
    public typealias Output = Value

    /// This publisher never fails.
    public typealias Failure = Never

    @usableFromInline
    let storage: PublishedStorage<Value>

    @usableFromInline
    package let place = Place()

    @inlinable
    init(_ storage: PublishedStorage<Value>) {
      self.storage = storage
    }

    /// Attaches a downstream, which gets the property's value at its first demand.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      storage.subject.attach(downstream)
    }
  }
}

extension Published: ObservedProperty {
  func observe(_ observation: Observation) -> Bool {
    storage.observe(observation)
  }

  var changes: PassthroughSubject<Void, Never> { storage.changes }

  func startWatching() {
    storage.startWatching()
  }

  func stopWatching() -> Bool {
    storage.stopWatching()
  }
}
