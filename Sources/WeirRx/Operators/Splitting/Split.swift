import Synchronization
import Weir

/// How a splitter hears of the time.
struct SplitTimer {
  /// Starts a timer that ticks until it is cancelled.
  let start: (_ tick: @escaping () -> Void) -> any Cancellable

  /// Ticks once, as soon as the scheduler can.
  let tellAgain: (_ tick: @escaping () -> Void) -> Void
}

extension Publisher {
  /// Attaches a subscriber for the parts that a splitter makes of this publisher's values.
  func split<Work: Splitter, S: Subscriber>(
    for subscriber: S, _ work: Work, _ parts: Work.Parts,
    timer: SplitTimer? = nil
  ) where Work.Input == Output, Work.Failure == Failure, S.Input == Work.Output, S.Failure == Failure {
    typealias Machine = SplitMachine<Work>
    let slot = TimerSlot()
    let feeder = Feeder<Work.Value, S>(subscriber, name: parts.name)
    let machine = Machine(work, parts, usesTimer: timer != nil)
    let coordinator = Coordinator(parts.name, machine, downstream: feeder) { coordinator, effect in
      switch effect {
      case .startTimer: if let timer { slot.start(0) { timer.start { coordinator.signal(Machine.Signal.timeIsUp) } } }
      case .tellAgain: timer?.tellAgain { coordinator.signal(Machine.Signal.timeIsUp) }
      case .stopTimer: slot.stop(.max)
      }
    }
    // Only the upstream, and who has asked it, keep the coordinator: a part that outlives them has nothing to tell.
    feeder.onCancel = { [weak coordinator] in coordinator?.signal(Machine.Signal.downstreamCancelled) }
    parts.notice.onEnd = { [weak coordinator] in coordinator?.signal(Machine.Signal.partEnded) }
    subscribe(Inlet(Plain<Output>.self, coordinator, number: 0))
  }
}

/// Carries out what a ``SplitMachine`` has decided.
///
///     downstream ──holds──▶ FeederSubscription ──holds──▶ coordinator ──holds──▶ Feeder ──holds──▶ downstream
///
/// Only the coordinator calls it, so its calls don't overlap.
///
/// Invariant: a completion or a cancel releases the downstream, which breaks the cycle. The feeder itself doesn't hold the
/// subscription. A cycle of the machine's own objects would outlive a cancel. (`SplitReleaseTests`)
private final class Feeder<Value, Downstream: Subscriber>: Subscriber {
  typealias Input = SplitCommand<Downstream.Input, Value, Downstream.Failure>
  typealias Failure = Downstream.Failure

  #if DEBUG
  private let liveObject = LiveObject("Feeder")
  #endif

  private var downstream: Downstream?
  private let name: StaticString
  private let cancellation = FeederCancellation()

  /// Set before there is a subscription.
  var onCancel: () -> Void = {}

  init(_ downstream: Downstream, name: StaticString) {
    self.downstream = downstream
    self.name = name
  }

  func receive(subscription: any Subscription) {
    downstream?.receive(subscription: FeederSubscription(name, of: subscription, cancellation, onCancel: onCancel))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    switch input {
    case .open(let output):
      guard let downstream, !cancellation.isCancelled else { return .none }
      return downstream.receive(output)
    case .feed(let part, let value):
      part.send(value)
    case .close(let part, let completion):
      part.send(completion: completion)
    case .release:
      // Taken first: a subscriber's `deinit` may re-enter this.
      let released = downstream.take()
      withExtendedLifetime(released) {}
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard let downstream = downstream.take(), !cancellation.isCancelled else { return }
    downstream.receive(completion: completion)
  }
}

/// Whether the downstream of a splitter has cancelled.
private final class FeederCancellation: Sendable {
  private let cancelled = Atomic<Bool>(false)

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// False if it was cancelled before.
  func cancel() -> Bool {
    !cancelled.exchange(true, ordering: .acquiringAndReleasing)
  }
}

/// What the downstream of a splitter gets: its cancel ends nothing that is out.
private final class FeederSubscription: Subscription, CustomStringConvertible {
  private let name: StaticString
  private let coordinator: any Subscription
  private let cancellation: FeederCancellation
  private let onCancel: () -> Void

  init(
    _ name: StaticString, of coordinator: any Subscription, _ cancellation: FeederCancellation,
    onCancel: @escaping () -> Void
  ) {
    self.name = name
    self.coordinator = coordinator
    self.cancellation = cancellation
    self.onCancel = onCancel
  }

  var description: String { name.description }

  func request(_ demand: Subscribers.Demand) {
    if !cancellation.isCancelled { coordinator.request(demand) }
  }

  func cancel() {
    if cancellation.cancel() { onCancel() }
  }
}
