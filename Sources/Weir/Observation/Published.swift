/// A property of a class whose changes are published.
///
///     number =       -1-2-   3
///     model.$number  01-2-   3
///     later          ----(^2)3
///
/// - Demand: each subscriber has its own. Values that are set while a subscriber has no demand are dropped for it,
///   except the last one. It receives that value at its next request.
/// - Completion and cancellation: the publisher never completes. No value is delivered after the object has been
///   deallocated.
/// - Threading: can be read and set on any thread. Subscribers receive a value on the thread that sets it, before the
///   property has the value. A thread that sets the property during another thread's delivery does not block: its value
///   is stored immediately and enqueued for the delivering thread. A value that is set inside the delivery of another
///   is replaced by that other value, as in a `willSet`.
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
  /// The setter exists only for `assign(to:)`, and has no effect.
  @inlinable
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    nonmutating set {}
  }

  /// The value, which is available only in a class.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("@Published is only available on properties of classes.") }
    set { fatalError("@Published is only available on properties of classes.") }
  }

  /// Accesses the property's value in an object.
  @inlinable
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue, in: object) }
  }
}

extension Published {
  /// The publisher of a published property.
  ///
  /// It does not retain the object. While it is retained, publishers that are assigned to the property with
  /// `assign(to:)` stay subscribed.
  public struct Publisher: _DirectPublisher {
    /// The type of the property.
    public typealias Output = Value

    /// This publisher never fails.
    public typealias Failure = Never

    @usableFromInline
    let storage: PublishedStorage<Value>

    @usableFromInline
    package let assemblySite = AssemblySite()

    @inlinable
    init(_ storage: PublishedStorage<Value>) {
      self.storage = storage
    }

    /// Attaches a downstream, which receives the property's value at its first request.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
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
