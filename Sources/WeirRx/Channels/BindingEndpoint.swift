public import Weir

/// A side of a binding, as functions that are created where its type is known.
///
/// Performance: so the binding itself isn't generic. It would look up its types for each change.
@usableFromInline
final class BindingEndpoint {
  let type: any Any.Type
  private let identity: BindingEndpointID?
  let access: (@escaping () -> Void) -> Void

  /// Subscribes to the side's changes.
  let observe: (_ onChange: @escaping () -> Void, _ onEnd: @escaping () -> Void) -> AnyCancellable

  /// Returns the value that the side has, unless it has none.
  private let present: () -> BindingValue?

  /// Returns the value that the other side must be set to, unless there is none: the first one, or a later one.
  let read: (_ isFirst: Bool) -> BindingValue?

  /// The value that the binding has set or seen here and whose event may arrive later.
  ///
  /// Such an event is late if it comes from another thread that was delivering, or from the first side of a cycle after
  /// the cycle has closed. Only `Equatable` values are recognized. Propagating any other value twice is harmless.
  private let expected = Locked<BindingValue?>(nil)

  @usableFromInline
  init(
    type: any Any.Type, identity: BindingEndpointID?, access: @escaping (@escaping () -> Void) -> Void,
    observe: @escaping (_ onChange: @escaping () -> Void, _ onEnd: @escaping () -> Void) -> AnyCancellable,
    present: @escaping () -> BindingValue?, read: @escaping (_ isFirst: Bool) -> BindingValue?
  ) {
    self.type = type
    self.identity = identity
    self.access = access
    self.observe = observe
    self.present = present
    self.read = read
  }

  /// The identity of the side, or of this object if the side has none.
  var id: BindingEndpointID { identity ?? BindingEndpointID(self) }

  /// The binding's observer of the side.
  var observer: ChangePropagation.Observer { ObjectIdentifier(self) }

  func expect(_ value: BindingValue?) {
    var value = value
    expected.withLock { swap(&$0, &value) }
  }

  /// Expects an event that announces the present value.
  func expectPresentValue() {
    expect(present())
  }

  /// Returns whether the side has the value that is expected, so that its event is no news; expects none afterwards.
  func takeExpectedValue() -> Bool {
    expected.withLock { $0.take() }?.isPresent() == true
  }
}

/// A value of a side, as functions that are created where its type is known.
@usableFromInline
struct BindingValue {
  /// Sets the side to the value.
  let set: () -> Void

  /// Returns whether the side has the value; `nil` if it has none, or values of its type can't be compared.
  let isPresent: () -> Bool?

  @inlinable
  init<Target: TwoWayBindable>(_ value: Target.Value, of target: Target) {
    self.init(
      set: { target.set(value) },
      isPresent: {
        guard let present = target.currentValue else { return nil }
        return areEqual(present, value)
      })
  }

  @usableFromInline
  init(set: @escaping () -> Void, isPresent: @escaping () -> Bool?) {
    self.set = set
    self.isPresent = isPresent
  }
}

extension BindingEndpoint {
  /// Creates a side from which a conversion leads to another.
  @inlinable
  convenience init<Source: TwoWayBindable, Target: TwoWayBindable>(
    _ source: Source, to target: Target, _ convert: @escaping (Source.Value) throws -> Target.Value,
    onFailure: @escaping (any Error) -> Void
  ) {
    self.init(
      type: Source.self, identity: source.identity, access: { source.access($0) },
      observe: { onChange, onEnd in
        source.changes.sink(receiveCompletion: { _ in onEnd() }, receiveValue: { _ in onChange() })
      },
      present: { source.currentValue.map { BindingValue($0, of: source) } },
      read: { isFirst in
        guard let value = isFirst ? source.initialValue : source.currentValue else { return nil }
        do {
          return BindingValue(try convert(value), of: target)
        } catch {
          onFailure(error)
          return nil
        }
      })
  }
}
