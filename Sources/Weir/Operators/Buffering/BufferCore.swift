/// What the gates above a buffer know of it.
///
///     subject ──▶ merge ──▶ buffer ──▶ subscriber
///        gate      gate      lock
///
/// While a gate is taken, what other threads send waits before it, without a limit. So a buffer doesn't deliver while its
/// thread owns a gate above it: it delivers when the thread has left that gate. Then other threads get through to the
/// buffer, which keeps to its bound. (`BoundsTests`)
@usableFromInline
package class BufferCore: CoordinatorSubscription {
  /// The gates that values come through.
  @usableFromInline
  final let register = GateRegister()

  @usableFromInline
  override init(_ name: StaticString, act: @escaping (CoordinatorSubscription, Action) -> Void) {
    super.init(name, act: act)
  }

  deinit {
    register.close()
  }

  /// The owner of a gate above, if this thread is one.
  @inlinable
  final func keeperHere() -> (any GateKeeper)? { register.keeperHere() }

  /// This thread has left a gate through which values have come.
  @usableFromInline
  package func gateIsLeft() {}
}

/// The buffers that deliver when a gate is left.
@usableFromInline
struct WaitingBuffers {
  // Optional, as it costs less to take nothing.
  @usableFromInline
  var buffers: ContiguousArray<BufferCore>?

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { buffers == nil }

  @usableFromInline
  mutating func add(_ buffer: BufferCore) {
    if buffers?.contains(where: { $0 === buffer }) ?? false { return }
    buffers = (buffers.take() ?? []) + [buffer]
  }

  @inlinable
  mutating func add(_ others: WaitingBuffers) {
    for buffer in others.buffers ?? [] { add(buffer) }
  }

  @inlinable
  mutating func take() -> WaitingBuffers {
    var taken = WaitingBuffers()
    swap(&taken, &self)
    return taken
  }

  @inlinable
  func gateIsLeft() {
    guard let buffers else { return }
    for buffer in buffers { buffer.gateIsLeft() }
  }
}
