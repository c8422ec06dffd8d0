import Synchronization

/// Schedules an action; returns `false`, and drops the action, if the scheduler would run it inside the call.
package func isDeferred(_ action: @escaping () -> Void, by schedule: (@escaping () -> Void) -> Void) -> Bool {
  enum Call {
    case running(thread: UInt)
    case hasRunAction
    case returned
  }
  let call = Locked(Call.running(thread: currentThread()))
  schedule {
    let isInside = call.withLock { call in
      guard case .running(currentThread()) = call else { return false }
      call = .hasRunAction
      return true
    }
    if !isInside { action() }
  }
  return call.withLock { last in
    defer { last = .returned }
    if case .hasRunAction = last { return false }
    return true
  }
}

/// Schedules deliveries, on each thread one after the other.
///
/// A scheduler that runs actions inline delivers inside the call that schedules. What such a delivery schedules waits
/// until that call has returned, so any number of deliveries use constant stack space. Other threads schedule meanwhile
/// themselves.
@usableFromInline
class SchedulingLoop {
  /// The thread that is scheduling, or 0.
  private final let thread = Atomic<UInt>(0)

  // Safety: only the thread that is scheduling accesses them, and not inside another access. (`StackTests/fed`)
  /// The effects that this thread schedules next; usually at most one.
  @exclusivity(unchecked)
  private final var waiting: [Int] = []

  @usableFromInline
  init() {}

  /// Schedules an effect, which has this number.
  @usableFromInline
  final func run(_ number: Int, _ schedule: (Int) -> Void) {
    let (current, busy) = (currentThread(), thread.load(ordering: .relaxed))
    if busy == current { return waiting.append(number) }
    let isFirst = busy == 0 && thread.compareExchange(expected: 0, desired: current, ordering: .acquiring).exchanged
    schedule(number)
    guard isFirst else { return }
    while waiting.count > 0 { schedule(waiting.removeFirst()) }
    thread.store(0, ordering: .releasing)
  }
}
