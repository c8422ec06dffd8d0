/// The number under which a coordinator's machine knows the upstream that brings the others.
@inlinable
var outerNumber: Int { -1 }

/// Hears an upstream, and opens a publisher for each of its values: in front of the machines of `flatMap` and
/// `switchToLatest`.
///
/// The machine is told of a publisher, by a signal with its number, before it is subscribed to: one that is still silent
/// counts.
@usableFromInline
final class Opener<Value, Opened: Publisher, Machine: CoordinatorMachine, Downstream: Subscriber>: _GuardedSubscriber,
  Subscription, Described
where
  Opened.Output == Machine.Input, Opened.Failure == Machine.Failure, Downstream.Input == Machine.Output,
  Downstream.Failure == Machine.Failure
{
  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("Opener")
  #endif

  @usableFromInline
  let coordinator: Coordinator<Machine, Downstream>

  @usableFromInline
  let open: (Value) -> Opened

  // Safety: one thread at a time delivers, because a `StrictSubscriber` stands in front of every upstream that isn't
  // this library's. Only that thread accesses the properties below. `reentrancy` keeps calls out that `open` makes.
  // (`StrictSubscriberTests`, `ReentrancyTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var opened = 0

  @usableFromInline
  @exclusivity(unchecked)
  var isOver = false

  @usableFromInline
  @exclusivity(unchecked)
  var reentrancy = ReentrancyGuard<Value, Machine.Failure>()

  @inlinable
  init(_ coordinator: Coordinator<Machine, Downstream>, open: @escaping (Value) -> Opened) {
    self.coordinator = coordinator
    self.open = open
  }

  @inlinable
  var _gates: AnyObject? { coordinator.gates }

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
    guard reentrancy.begin() else { return enqueue(value) }
    let publisher = open(value)
    reentrancy.end()
    subscribe(to: publisher)
    if reentrancy.isPending { drain() }
    return .none
  }

  @inlinable
  @inline(__always)
  func subscribe(to publisher: Opened) {
    let number = opened
    opened += 1
    if let only = publisher._onlyValue, coordinator.receive(only: only, from: number) { return }
    coordinator.signal(number)
    publisher.subscribe(Inlet(Weir.Opened<Opened.Output>.self, coordinator, number: number))
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Machine.Failure>) {
    guard reentrancy.begin() else { return reentrancy.enqueue(.completion(completion)) }
    reentrancy.end()
    isOver = true
    coordinator.completed(outerNumber, completion)
  }

  @inlinable
  @inline(never)
  func enqueue(_ value: Value) -> Subscribers.Demand {
    reentrancy.enqueue(.value(value))
    return .none
  }

  /// Handles what arrived while the closure ran.
  ///
  /// Performance: never specialized, see `Driver.drain(answering:)`.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func drain() {
    while let events = reentrancy.takePending() {
      for event in events {
        switch event {
        case .value(let value): if !isOver, !coordinator.isCancelled { subscribe(to: open(value)) }
        case .completion(let completion):
          isOver = true
          coordinator.completed(outerNumber, completion)
        }
      }
    }
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
