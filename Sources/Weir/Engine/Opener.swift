/// The number under which a coordinator's machine knows the upstream that brings the others.
@inlinable
var outerNumber: Int { -1 }

/// Hears an upstream, and opens a publisher for each of its values: in front of the machines of `flatMap` and
/// `switchToLatest`.
///
/// The machine is told of a publisher, by a signal with its number, before it is subscribed to: one that is still silent
/// counts.
@usableFromInline
final class Opener<Value, Opened: Publisher, Machine: CoordinatorMachine, Downstream: Subscriber>: Subscriber,
  Subscription, Described
where
  Opened.Output == Machine.Input, Opened.Failure == Machine.Failure, Downstream.Input == Machine.Output,
  Downstream.Failure == Machine.Failure
{
  @usableFromInline
  let coordinator: Coordinator<Machine, Downstream>

  @usableFromInline
  let open: (Value) -> Opened

  // Touched by the delivery of the upstream alone.
  @usableFromInline
  @exclusivity(unchecked)
  var opened = 0

  @usableFromInline
  @exclusivity(unchecked)
  var isOver = false

  @inlinable
  init(_ coordinator: Coordinator<Machine, Downstream>, open: @escaping (Value) -> Opened) {
    self.coordinator = coordinator
    self.open = open
  }

  @usableFromInline
  var description: String { coordinator.description }

  @usableFromInline
  var reflected: [Mirror.Child] { coordinator.reflected }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { coordinator.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    coordinator.subscribed(to: outerNumber, subscription)
  }

  @inlinable
  func receive(_ value: Value) -> Subscribers.Demand {
    if isOver || coordinator.isCancelled { return .none }
    let publisher = open(value)
    let number = opened
    opened += 1
    if let only = publisher._onlyValue, coordinator.receive(only: only, from: number) { return .none }
    coordinator.signal(number)
    publisher.subscribe(Inlet(Weir.Opened<Opened.Output>.self, coordinator, number: number))
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Machine.Failure>) {
    isOver = true
    coordinator.completed(outerNumber, completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    coordinator.request(demand)
  }

  @usableFromInline
  func cancel() {
    coordinator.cancel()
  }
}
