import Dispatch
import Weir
import WeirDispatch

/// Where pieces of work run one after the other, now or later: a queue, or a scheduler of virtual time.
struct Lane: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// Runs work on a scheduler, which has to run it serially.
  init<Context: Scheduler & Sendable>(_ scheduler: Context) {
    run = { work in scheduler.schedule(work) }
    runAfter = { wait, work in
      let nanoseconds = Int(wait / .nanoseconds(1))
      scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(nanoseconds)), work)
    }
  }
}

/// Makes lanes, one for each thing that must not wait for another.
struct Lanes: Sendable {
  let make: @Sendable (_ name: String) -> Lane

  /// Each lane is a queue of its own.
  static let queues = Lanes { name in Lane(DispatchQueue(label: name)) }

  /// All are the same scheduler.
  static func all(on scheduler: some Scheduler & Sendable) -> Lanes {
    let lane = Lane(scheduler)
    return Lanes { _ in lane }
  }
}
