import Weir

/// One end of a binding, without the type of its side.
class AnyBindingEndpoint {
  private let identity: BindingEndpointID?

  init(identity: BindingEndpointID?) {
    self.identity = identity
  }

  /// The identity of the side, or of this object if the side has none.
  final var id: BindingEndpointID { identity ?? BindingEndpointID(self) }

  /// The binding's observer of the side.
  final var observer: ChangePropagation.Observer { ObjectIdentifier(self) }

  /// Expects an event that announces the present value.
  func expectCurrentValue() {
    fatalError("AnyBindingEndpoint is abstract.")
  }

  /// Returns whether the side has the value that is expected, so that its event is no news; expects none afterwards.
  func takeExpectedValue() -> Bool {
    fatalError("AnyBindingEndpoint is abstract.")
  }
}

/// One end of a binding: a side, and the value that the binding has set or seen there and whose event may arrive later.
///
/// Such an event is late if it comes from another thread that was delivering, or from the first side of a cycle after
/// the cycle has closed. Only `Equatable` values are recognized. Propagating any other value twice is harmless.
final class BindingEndpoint<Side: TwoWayBindable>: AnyBindingEndpoint {
  let side: Side

  private let expected = Locked<Side.Value?>(nil)

  init(_ side: Side) {
    self.side = side
    super.init(identity: side.identity)
  }

  func expect(_ value: Side.Value?) {
    var value = value
    expected.withLock { swap(&$0, &value) }
  }

  override func expectCurrentValue() {
    expect(side.currentValue)
  }

  override func takeExpectedValue() -> Bool {
    guard let known = expected.withLock({ $0.take() }), let now = side.currentValue else { return false }
    return areEqual(known, now) == true
  }
}
