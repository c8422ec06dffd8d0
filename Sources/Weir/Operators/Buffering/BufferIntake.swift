/// The subscriber that a buffer attaches to its upstream.
///
/// Any number of threads can send values to it concurrently. A value that arrives through a gate is announced, and so
/// delivered, when its thread has left that gate: see ``_Gated/whenLeft(_:)``.
@usableFromInline
final class BufferIntake<Value, Failure: Error>: UpstreamSubscriber<BufferMachine<Value, Failure>> {
  @usableFromInline
  let buffered: BufferedValues<Value, Failure>

  @inlinable
  init(_ coordinator: Coordinator<BufferMachine<Value, Failure>>, _ buffered: BufferedValues<Value, Failure>) {
    self.buffered = buffered
    super.init(coordinator, number: 0)
  }

  /// The downstream of the upstream.
  ///
  /// Performance: its three functions capture only this object, so they need no allocation.
  @inlinable
  var events: Downstream<Value, Failure> {
    Downstream(
      face: Face({ self }, type: BufferIntake.self), begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: { self.receive($0) })
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard let first = buffered.attach(subscription) else { return subscription.cancel() }
    if first != .none { subscription.request(first) }
    coordinator.subscribed(to: 0, subscription)
    if let gate = buffered.gateOfEarlyValues(currentThread()) {
      gate.whenLeft(GateListener(self) { self.gateIsLeft() })
    } else {
      gateIsLeft()
    }
  }

  @inlinable
  func receive(_ value: Value) -> Subscribers.Demand {
    let thread = currentThread()
    return take(
      value, buffered.admit(value, by: thread, isNested: coordinator.gate.isOwned(by: thread), isLast: false), thread)
  }

  @inlinable
  func take(
    _ value: Value, _ admission: consuming BufferAdmission, _ thread: UInt
  ) -> Subscribers.Demand {
    switch admission {
    case .ignored, .early:
      return .none
    case .admitted:
      return coordinator.receive(.arrived, from: 0)
    case .postponed(let gate):
      gate.whenLeft(GateListener(self) { self.gateIsLeft() })
      return .none
    case .full:
      let more = announce()
      let isNested = coordinator.gate.isOwned(by: thread)
      return more + take(value, buffered.admit(value, by: thread, isNested: isNested, isLast: true), thread)
    case .dropped(let drop):
      drop()
      return .none
    case .failed(let drop, let makeError, let upstream):
      drop()
      let error = makeError()
      // The machine may be told much later. An upstream that sends without end would not return until then.
      upstream.cancel()
      end(.overflowed(error))
      return .none
    }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if buffered.stopAdmitting() { end(.completed(completion.erased)) } else { Reports.late(completion) }
  }

  @inlinable
  func end(_ ending: BufferEnding) {
    if buffered.postpone(ending) { return }
    switch ending {
    case .completed(let completion): coordinator.completed(0, completion)
    case .overflowed(let error): coordinator.receive(.overflowed(error), from: 0)
    }
  }

  /// Announces the events that were postponed until a gate was left, or until the downstream had its subscription.
  ///
  /// Returns the demand for the upstream.
  @inlinable
  func announce() -> Subscribers.Demand {
    let postponed = buffered.takePostponed()
    var more = Subscribers.Demand.none
    for _ in 0..<postponed.arrived { more += coordinator.receive(.arrived, from: 0) }
    if let ending = postponed.ending { end(ending) }
    return more
  }

  @inlinable
  func gateIsLeft() {
    let more = announce()
    if more != .none, let upstream = buffered.upstream.content {
      coordinator.makeInTurn(UpstreamRequest(0, upstream, more))
    }
  }
}

extension Publisher {
  /// Attaches a downstream behind a buffer.
  @inlinable
  package func attach(
    _ downstream: consuming Downstream<Output, Failure>, buffering policy: BufferPolicy<Output, Failure>,
    named name: StaticString
  ) {
    attach(downstream.buffered(policy, named: name))
  }
}

extension Downstream {
  /// The subscriber that a buffer attaches to its upstream.
  @inlinable
  @inline(never)
  package func buffered(_ policy: BufferPolicy<Input, Failure>, named name: StaticString) -> Downstream {
    let machine = BufferMachine<Input, Failure>(policy)
    let buffered = machine.buffered
    let coordinator = Coordinator(name, consume machine, downstream: self, answersRequests: true)
    return BufferIntake(coordinator, buffered).events
  }
}
