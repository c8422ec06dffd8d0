import Dispatch
import Weir
import WeirDispatch

/// A serial executor of work, now or later: a queue, or a virtual-time scheduler.
struct Lane: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// Runs work on a scheduler, which must be serial.
  init<Context: Scheduler & Sendable>(_ scheduler: Context) {
    run = { work in scheduler.schedule(work) }
    runAfter = { wait, work in
      let nanoseconds = Int(wait / .nanoseconds(1))
      scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(nanoseconds)), work)
    }
  }
}

/// Creates lanes, one for each part that must not block another.
struct Lanes: Sendable {
  let make: @Sendable (_ name: String) -> Lane

  /// Each lane has its own queue.
  static let queues = Lanes { name in Lane(DispatchQueue(label: name)) }

  /// All lanes use the same scheduler.
  static func all(on scheduler: some Scheduler & Sendable) -> Lanes {
    let lane = Lane(scheduler)
    return Lanes { _ in lane }
  }
}
