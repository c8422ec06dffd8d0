#if !WEIR_BARE
import Foundation
import Weir

#if canImport(CoreFoundation)
import CoreFoundation
#endif

extension RunLoop {
  /// Runs the action at a date, and again after each interval if there is one, until the result is called.
  func startTimer(
    at date: Date, every interval: TimeInterval? = nil, tolerance: TimeInterval = 0, in mode: RunLoop.Mode = .default,
    _ action: @escaping () -> Void
  ) -> () -> Void {
    let slot = ActionSlot(action, isKept: interval != nil)
    // Foundation's shortest interval. With a shorter one, the timer would not repeat.
    let interval = interval.map { max($0, 0.0001) } ?? 0
    let tolerance = max(tolerance, 0)
    #if canImport(CoreFoundation)
    if let loop = coreRunLoop, let mode = mode.core {
      let timer = CFRunLoopTimerCreateWithHandler(nil, date.timeIntervalSinceReferenceDate, interval, 0, 0) { _ in
        slot.run()
      }
      CFRunLoopTimerSetTolerance(timer, tolerance)
      CFRunLoopAddTimer(loop, timer, mode)
      return {
        CFRunLoopTimerInvalidate(timer)
        slot.empty()
      }
    }
    #endif
    let timer = Timer(fire: date, interval: interval, repeats: interval > 0) { _ in
      RunLoop.rememberCore()
      slot.run()
    }
    timer.tolerance = tolerance
    add(timer, forMode: mode)
    return {
      timer.invalidate()
      slot.empty()
    }
  }

  #if canImport(CoreFoundation)
  /// The Core Foundation run loop, if it is accessible.
  ///
  /// A `Timer` is never released outside Apple's platforms, so only the first ones on another thread's run loop are
  /// timers of that kind.
  var coreRunLoop: CFRunLoop? {
    if self === RunLoop.main { return CFRunLoopGetMain() }
    if self === RunLoop.current { return CFRunLoopGetCurrent() }
    return coreRunLoops.object(for: self)
  }

  /// Remembers the Core Foundation run loop of this thread, which no other thread can get.
  fileprivate static func rememberCore() {
    let loop = RunLoop.current
    if loop !== RunLoop.main { _ = coreRunLoops.object(for: loop, orInsert: CFRunLoopGetCurrent()) }
  }
  #else
  fileprivate static func rememberCore() {}
  #endif
}

#if canImport(CoreFoundation)
/// The Core Foundation run loops of threads on which an action has run.
private let coreRunLoops = RunLoopTable<CFRunLoop>()

extension RunLoop.Mode {
  /// The Core Foundation mode, if a constant exists for it.
  fileprivate var core: CFRunLoopMode? {
    switch self {
    case .default: kCFRunLoopDefaultMode
    case .common: kCFRunLoopCommonModes
    default: nil
    }
  }
}
#endif

// Safety: its state is behind the lock. For the action, see `Action`. (`RunLoopTests`)
/// Holds an action until it has run or is no longer needed.
///
/// Foundation's timers never release their closures, even after they are invalidated.
final class ActionSlot: @unchecked Sendable {
  private let action: Locked<(() -> Void)?>
  private let isKept: Bool

  init(_ action: @escaping () -> Void, isKept: Bool) {
    self.action = Locked(action)
    self.isKept = isKept
  }

  func run() {
    let found = action.withLock { action in
      defer { if !isKept { action = nil } }
      return action
    }
    found?()
  }

  func empty() {
    let released = action.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
#endif
