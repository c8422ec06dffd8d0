import Synchronization
public import Weir

/// The timer of a substream strategy.
@usableFromInline
struct SubstreamTimer {
  /// Starts a timer that fires until it is cancelled.
  @usableFromInline
  let start: (_ tick: @escaping () -> Void) -> any Cancellable

  /// Fires once, as soon as the scheduler allows.
  @usableFromInline
  let fireAgain: (_ tick: @escaping () -> Void) -> Void

  @inlinable
  init(
    start: @escaping (_ tick: @escaping () -> Void) -> any Cancellable,
    fireAgain: @escaping (_ tick: @escaping () -> Void) -> Void
  ) {
    self.start = start
    self.fireAgain = fireAgain
  }
}

extension Publisher {
  /// Attaches a downstream for the substreams into which a substream strategy distributes this publisher's values.
  @inlinable
  func split<Work: SubstreamStrategy>(
    for downstream: consuming Downstream<Work.Output, Failure>, _ work: Work, _ substreams: Work.Substreams,
    timer: SubstreamTimer? = nil
  ) where Work.Input == Output, Work.Failure == Failure {
    attach(.splitting(work, substreams, for: downstream, timer: timer))
  }
}

extension Downstream {
  /// Creates the subscriber of a substream strategy.
  @inlinable
  @inline(never)
  static func splitting<Work: SubstreamStrategy>(
    _ work: Work, _ substreams: Work.Substreams, for downstream: consuming Downstream<Work.Output, Failure>,
    timer: SubstreamTimer? = nil
  ) -> Downstream where Work.Input == Input, Work.Failure == Failure {
    let slot = TimerSlot()
    let sender = SubstreamSender<Work.Output, Work.Value, Failure>(downstream, name: substreams.name)
    let machine = SubstreamMachine<Work>(work, substreams, usesTimer: timer != nil)
    let coordinator = Coordinator(substreams.name, machine, downstream: .init(sender)) { coordinator, effect in
      switch effect {
      case .startTimer: if let timer { slot.start(0) { timer.start { coordinator.signal(SubstreamSignal.timeIsUp) } } }
      case .fireAgain: timer?.fireAgain { coordinator.signal(SubstreamSignal.timeIsUp) }
      case .stopTimer: slot.stop(.max)
      }
    }
    // Only the upstream and its subscriber retain the coordinator. A substream that outlives both has nothing to
    // report.
    sender.onCancel = { [weak coordinator] in coordinator?.signal(SubstreamSignal.downstreamCancelled) }
    substreams.notice.onEnd = { [weak coordinator] in coordinator?.signal(SubstreamSignal.substreamEnded) }
    return coordinator.inputs()
  }
}

/// Performs the commands of a ``SubstreamMachine``.
///
/// Only the coordinator calls it, and serializes the calls.
@usableFromInline
final class SubstreamSender<Output, Value, Failure: Error>: Subscriber {
  @usableFromInline
  typealias Input = SubstreamCommand<Output, Value, Failure>

  @usableFromInline
  var downstream: Downstream<Output, Failure>?

  @usableFromInline
  let name: StaticString

  @usableFromInline
  var subscription: SubstreamSenderSubscription?

  /// Set before the subscription exists.
  @usableFromInline
  var onCancel: () -> Void = {}

  @inlinable
  init(_ downstream: consuming Downstream<Output, Failure>, name: StaticString) {
    self.downstream = downstream
    self.name = name
  }

  @inlinable
  func receive(subscription: any Subscription) {
    let own = SubstreamSenderSubscription(name, of: subscription, onCancel: onCancel)
    self.subscription = own
    downstream?.begin(own)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    switch input {
    case .open(let output):
      guard let downstream, subscription?.isCancelled == false else { return .none }
      return downstream.next(output)
    case .feed(let substream, let value):
      substream.send(value)
    case .close(let substream, let completion):
      substream.send(completion: completion)
    case .release:
      // The coordinator retains this object, and the subscription the coordinator. (`WindowTests/cancelReleases`)
      _ = (downstream.take(), subscription.take())
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let downstream = downstream.take(), subscription?.isCancelled == false else { return }
    downstream.end(completion)
  }
}

/// The subscription of the substreams' downstream.
///
/// Cancelling it doesn't cancel open substreams.
@usableFromInline
final class SubstreamSenderSubscription: Subscription, CustomStringConvertible {
  private let name: StaticString
  private let coordinator: any Subscription
  private let onCancel: () -> Void
  private let cancelled = Atomic<Bool>(false)

  @usableFromInline
  init(_ name: StaticString, of coordinator: any Subscription, onCancel: @escaping () -> Void) {
    self.name = name
    self.coordinator = coordinator
    self.onCancel = onCancel
  }

  @usableFromInline
  var description: String { name.description }

  @usableFromInline
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if !isCancelled { coordinator.request(demand) }
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { coordinator._outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
  }
}
