#if canImport(Dispatch)
import Dispatch
import Weir

/// Sees what a subscriber receives, whichever threads deliver it.
///
/// Safety: what changes is behind its lock, or set before threads start. (`VerifyTests`)
final class Witness: @unchecked Sendable {
  /// A value, or the completion.
  struct Delivery {
    let text: String
    let isCompletion: Bool
    let thread: UInt
    /// Which action of the scheduler delivered it, or 0.
    let action: Int
  }

  private struct State {
    var deliveries: [Delivery] = []
    var thread: UInt = 0
    var depth = 0
    var credit = Subscribers.Demand.none
    var faults: [String] = []
    var isOver = false
    var isCancelled = false
    var hasSubscription = false
  }

  private let state = Shared(State())
  private let activity = DispatchSemaphore(value: 0)
  /// The upstream sends what was not requested, or before its subscription: that may be passed on, as in Combine.
  var allowsUnexpected = false
  /// Runs inside each delivery, with its number.
  var onDelivery: (@Sendable (Int) -> Void)?

  var deliveries: [Delivery] { state.withLock { $0.deliveries } }
  var texts: [String] { deliveries.map(\.text) }
  var count: Int { state.withLock { $0.deliveries.count } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var fault: String? { state.withLock { $0.faults.first } }

  func asks(_ demand: Subscribers.Demand) { state.withLock { $0.credit += demand } }
  func cancelled() { state.withLock { $0.isCancelled = true } }

  /// False for a second subscription.
  func subscribed() -> Bool {
    state.withLock { state in
      defer { state.hasSubscription = true }
      if state.hasSubscription { state.faults.append("The subscriber received a second subscription.") }
      return !state.hasSubscription
    }
  }

  func deliver(_ text: String, isCompletion: Bool) {
    let (me, action) = (currentThread(), VirtualTimeScheduler.action)
    let allowsUnexpected = allowsUnexpected
    let number = state.withLock { state in
      if state.depth > 0, state.thread != me {
        state.faults.append("\(text) was delivered while another thread was inside the subscriber.")
      }
      if state.isOver { state.faults.append("\(text) was delivered after the completion.") }
      if !state.hasSubscription, !allowsUnexpected {
        state.faults.append("\(text) was delivered before the subscription.")
      }
      if isCompletion {
        state.isOver = true
      } else if state.credit > .none {
        state.credit -= 1
      } else if !allowsUnexpected {
        state.faults.append("\(text) was delivered without demand.")
      }
      if state.depth == 0 { state.thread = me }
      state.depth += 1
      state.deliveries.append(Delivery(text: text, isCompletion: isCompletion, thread: me, action: action))
      return state.deliveries.count - 1
    }
    onDelivery?(number)
    state.withLock { $0.depth -= 1 }
    activity.signal()
  }

  /// Waits until there are this many deliveries, or the completion, and tells whether it is so.
  func waits(for count: Int) -> Bool {
    while !state.withLock({ ($0.isOver || $0.deliveries.count >= count) && $0.depth == 0 }) {
      if activity.wait(timeout: .now() + patience) == .timedOut { return false }
    }
    return true
  }
}

/// How long a thread may take that need not wait; only a broken rule makes anything wait as long.
let patience = DispatchTimeInterval.seconds(5)

/// A subscriber that tells a witness.
///
/// Safety: what changes is behind its lock. (`VerifyTests`)
final class WitnessSubscriber<Input, Failure: Error>: Subscriber, WitnessHandle, @unchecked Sendable {
  // What changes is behind its lock.
  private let witness: Witness
  private let held = Shared<(any Subscription)?>(nil)

  init(_ witness: Witness) {
    self.witness = witness
  }

  func receive(subscription: any Subscription) {
    guard witness.subscribed() else { return subscription.cancel() }
    held.withLock { $0 = subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    witness.deliver("value(\(input))", isCompletion: false)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: witness.deliver("finished", isCompletion: true)
    case .failure(let error): witness.deliver("failure(\(error))", isCompletion: true)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    witness.asks(demand)
    held.withLock { $0 }?.request(demand)
  }

  func cancel() {
    witness.cancelled()
    held.withLock { $0 }?.cancel()
  }

  func letGo() {
    let subscription = held.withLock { $0.take() }
    withExtendedLifetime(subscription) {}
  }
}

/// What rules of several threads do with their subscriber.
protocol WitnessHandle: AnyObject, Sendable {
  func request(_ demand: Subscribers.Demand)
  func cancel()
  func letGo()
}

/// Threads of a rule's own, and which of them still run.
///
/// Safety: what changes is behind its lock. (`VerifyTests`)
final class Helpers: @unchecked Sendable {
  private final class Helper: Sendable {
    let done = DispatchGroup()
    let thread = Shared<UInt>(0)
  }

  private let helpers = Shared<[Helper]>([])

  /// Runs a body on a thread of its own, which reports for this one's rule.
  func run(_ body: @escaping () -> Void) {
    let helper = Helper()
    helpers.withLock { $0.append(helper) }
    let log = ReportLog.current
    // Safety: the thread that started it waits where it matters. (`VerifyTests`)
    nonisolated(unsafe) let body = body
    // A queue of its own gets a thread however many others wait for one.
    DispatchQueue(label: "weir.verification").async(group: helper.done) {
      helper.thread.withLock { $0 = currentThread() }
      ReportLog.$current.withValue(log) { body() }
      helper.thread.withLock { $0 = 0 }
    }
  }

  var isEmpty: Bool { helpers.withLock { $0.isEmpty } }

  /// Waits for all but the thread that calls; false if one had to wait itself.
  ///
  /// One that goes on to make progress doesn't wait, however slow the machine is.
  func wait(whileChanging progress: () -> Int = { 0 }) -> Bool {
    let me = currentThread()
    var isDone = true
    for helper in helpers.withLock({ $0 }) where helper.thread.withLock({ $0 }) != me {
      var known = progress()
      while helper.done.wait(timeout: .now() + patience) == .timedOut {
        let now = progress()
        if now == known {
          isDone = false
          break
        }
        known = now
      }
    }
    return isDone
  }
}
#endif
