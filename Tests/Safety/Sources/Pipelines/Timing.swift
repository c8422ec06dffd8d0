// The table of the operators that schedule work. Their scheduler is the program's own: its `schedule` is user code.

import Weir
import WeirRx

/// A scheduler whose time a test advances in steps of one.
private final class HookedScheduler: Scheduler {
  typealias SchedulerOptions = Never

  struct Time: Strideable {
    struct Stride: Comparable, SignedNumeric, SchedulerTimeIntervalConvertible {
      var magnitude: Int

      init(_ value: Int) { magnitude = value }

      init(integerLiteral value: Int) { magnitude = value }

      init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
      static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
      static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
      static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
      static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
      static func seconds(_ count: Int) -> Self { Self(count) }
      static func seconds(_ count: Double) -> Self { Self(Int(count)) }
      static func milliseconds(_ count: Int) -> Self { Self(0) }
      static func microseconds(_ count: Int) -> Self { Self(0) }
      static func nanoseconds(_ count: Int) -> Self { Self(0) }
    }

    var number: Int

    func distance(to other: Self) -> Stride { Stride(other.number - number) }

    func advanced(by stride: Stride) -> Self { Time(number: number + stride.magnitude) }
  }

  private struct Work {
    let id: Int
    let due: Int
    let interval: Int?
    let action: () -> Void
  }

  private(set) var now = Time(number: 0)
  private var works: [Work] = []
  private var count = 0
  private unowned let hook: Hook

  var minimumTolerance: Time.Stride { 0 }

  init(_ hook: Hook) { self.hook = hook }

  func schedule(options: Never?, _ action: @escaping () -> Void) { add(due: now.number, nil, action) }

  func schedule(after date: Time, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void) {
    add(due: date.number, nil, action)
  }

  func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = add(due: date.number, max(1, interval.magnitude), action)
    return AnyCancellable { [weak self] in
      // Released after the removal from the list, because the release runs user code.
      let (gone, kept) = (self?.works.filter { $0.id == id }, self?.works.filter { $0.id != id } ?? [])
      self?.works = kept
      withExtendedLifetime(gone) {}
    }
  }

  @discardableResult
  private func add(due: Int, _ interval: Int?, _ action: @escaping () -> Void) -> Int {
    hook.reach(.schedule)
    count += 1
    let id = count
    works.append(Work(id: id, due: due, interval: interval, action: action))
    hook.reach(.schedule)
    return id
  }

  /// Runs the work that is due at the next time, but no work that is scheduled meanwhile.
  func advance() {
    now.number += 1
    let time = now.number
    for id in works.filter({ $0.due <= time }).map(\.id) {
      guard let index = works.firstIndex(where: { $0.id == id }) else { continue }
      let work = works.remove(at: index)
      if let interval = work.interval {
        works.insert(Work(id: id, due: time + interval, interval: interval, action: work.action), at: index)
      }
      work.action()
    }
  }
}

extension Entry {
  /// Creates the entry of an operator with a scheduler.
  fileprivate init<Output, Failure: Error>(
    timed name: String, _ places: [Place], demand: Subscribers.Demand = .unlimited, _ traits: Traits = [],
    _ make: @escaping (Tokens, HookedScheduler, Hook) -> AnyPublisher<Output, Failure>
  ) {
    self.init(name, places, demand: demand, traits) { (hook: Hook) in
      let subject = PassthroughSubject<Token, Oops>()
      let scheduler = HookedScheduler(hook)
      return Stage(
        publisher: shown(make(subject.eraseToAnyPublisher(), scheduler, hook)), send: { subject.send($0) },
        complete: { subject.send(completion: $0) }, advance: { scheduler.advance() })
    }
  }
}

package var timings: [Entry] {
  [
    Entry(timed: "debounce", [.schedule, .release]) { source, scheduler, _ in
      source.debounce(for: 1, scheduler: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "throttle", [.schedule, .release]) { source, scheduler, _ in
      source.throttle(for: 2, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    },
    Entry(timed: "throttle-to-the-first", [.schedule, .release]) { source, scheduler, _ in
      source.throttle(for: 2, scheduler: scheduler, latest: false).eraseToAnyPublisher()
    },
    Entry(timed: "delay", [.schedule]) { source, scheduler, _ in
      source.delay(for: 1, scheduler: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "timeout", [.schedule]) { source, scheduler, _ in
      source.timeout(2, scheduler: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "timeout-that-fails", [.schedule, .closure]) { source, scheduler, hook in
      source.timeout(1, scheduler: scheduler) {
        hook.reach(.closure)
        return hook.error()
      }.eraseToAnyPublisher()
    },
    Entry(timed: "collect(.byTime)", [.schedule, .release]) { source, scheduler, _ in
      source.collect(.byTime(scheduler, 2)).eraseToAnyPublisher()
    },
    Entry(timed: "collect(.byTimeOrCount)", [.schedule, .release]) { source, scheduler, _ in
      source.collect(.byTimeOrCount(scheduler, 2, 2)).eraseToAnyPublisher()
    },
    Entry(timed: "receive(on:)", [.schedule]) { source, scheduler, _ in
      source.receive(on: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "receive(on:)-at-once", [.schedule], .letsReceiversOvertake) { source, scheduler, _ in
      source.receive(on: scheduler, hops: .oneForAll).eraseToAnyPublisher()
    },
    Entry(timed: "subscribe(on:)", [.schedule], .takesTime) { source, scheduler, _ in
      source.subscribe(on: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "asDriver", [.schedule, .release], [.letsReceiversOvertake, .sharesLater]) { source, scheduler, hook in
      SharingScheduler.mock(scheduler: scheduler) {
        source.asDriver(onErrorJustReturn: hook.token(0)).asPublisher()
      }
    },
    Entry(timed: "asSignal", [.schedule, .closure], [.letsReceiversOvertake, .sharesLater]) { source, scheduler, hook in
      SharingScheduler.mock(scheduler: scheduler) {
        source.asSignal { (_: Oops) -> Signal<Token> in
          hook.reach(.closure)
          return .just(hook.token(6))
        }.asPublisher()
      }
    },
    Entry(timed: "window", [.schedule]) { source, scheduler, _ in
      source.window(time: 2, scheduler: scheduler).flatMap { $0.collect() }.eraseToAnyPublisher()
    },
  ]
}

/// The operators with a scheduler that have no case of their own above.
package var delays: [Entry] {
  [
    Entry(timed: "measureInterval", []) { source, scheduler, _ in
      source.measureInterval(using: scheduler).map(\.magnitude).eraseToAnyPublisher()
    },
    Entry(timed: "retry-with-a-backoff", []) { source, scheduler, _ in
      source.retry(3, backoff: .constant(.seconds(2)), scheduler: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "window-to-windows-that-are-kept", []) { source, scheduler, _ in
      source.window(time: 2, scheduler: scheduler).collect().map(\.count).eraseToAnyPublisher()
    },
    Entry(timed: "delay-of-many", []) { source, scheduler, _ in
      source.delay(for: 9, scheduler: scheduler).eraseToAnyPublisher()
    },
    Entry(timed: "debounce-of-a-driver", []) { source, scheduler, hook in
      SharingScheduler.mock(scheduler: scheduler) {
        source.asDriver(onErrorJustReturn: hook.token(0)).debounce(.seconds(2)).asPublisher()
      }
    },
  ]
}
