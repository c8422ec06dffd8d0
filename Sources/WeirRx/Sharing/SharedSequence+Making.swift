#if WEIR_BARE
public import Weir  // whose clock measures the intervals
#else
public import Weir
public import WeirDispatch
#endif

// Each subscriber receives all these values separately, so sharing is not necessary.
extension SharedSequence {
  /// Sends one value and finishes.
  ///
  ///     Driver.just(1)  (1|)
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func just(_ element: Element) -> SharedSequence {
    SharedSequence(Just(element))
  }

  /// Finishes immediately.
  ///
  ///     Driver<Int>.empty()  |
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func empty() -> SharedSequence {
    SharedSequence(Empty())
  }

  /// Sends no event.
  ///
  ///     Driver<Int>.never()  ----!
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func never() -> SharedSequence {
    SharedSequence(Empty(completeImmediately: false))
  }

  /// Sends some values and finishes.
  ///
  ///     demand              1--∞
  ///     Driver.of(1, 2, 3)  1--(23|)
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func of(_ elements: Element...) -> SharedSequence {
    from(elements)
  }

  /// Sends the elements of a sequence and finishes.
  ///
  ///     Signal.from(1...3)  (123|)
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func from(_ elements: some Sequence<Element>) -> SharedSequence {
    SharedSequence(Publishers.Sequence(sequence: elements))
  }

  /// Sends the value of an optional, if there is one, and finishes.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public static func from(optional element: Element?) -> SharedSequence {
    SharedSequence(element.publisher)
  }

  /// Creates a new sequence for each connection.
  ///
  ///     driver                      --^1-2-|
  ///     Driver.deferred { driver }  --^1-2-|
  ///
  /// - Demand, completion and cancellation: see ``SharedSequence``.
  /// - Threading: the closure runs on the main actor.
  @inlinable
  public static func deferred(_ factory: @escaping () -> SharedSequence) -> SharedSequence {
    SharedSequence(sharing: Deferred { factory().source }, on: .current)
  }

  /// Counts from zero, once in each interval.
  ///
  ///     Signal<Int>.interval(2)  --0-1-2-
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts at zero.
  @inlinable
  public static func interval(_ period: SharingScheduler.SchedulerTimeType.Stride) -> SharedSequence
  where Element: FixedWidthInteger {
    timer(period, period: period)
  }

  /// Sends zero after a delay, and then counts, once in each interval; without a period, finishes.
  ///
  ///     Signal<Int>.timer(1, period: 3)  -0--1--2-
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts at zero.
  @inlinable
  public static func timer(
    _ dueTime: SharingScheduler.SchedulerTimeType.Stride, period: SharingScheduler.SchedulerTimeType.Stride? = nil
  ) -> SharedSequence where Element: FixedWidthInteger {
    let scheduler = SharingScheduler.current
    guard let period else {
      return SharedSequence(sharing: Just(0).delay(for: dueTime, scheduler: scheduler), on: scheduler)
    }
    let ticks = AnyPublisher<Element, Never>.create { emitter in
      // A substitute for the main actor can run actions concurrently.
      let count = Locked(0)
      return scheduler.schedule(after: scheduler.now.advanced(by: dueTime), interval: period) {
        let number = count.withLock { count in
          defer { count &+= 1 }
          return count
        }
        emitter.send(Element(truncatingIfNeeded: number))
      }
    }
    return SharedSequence(sharing: ticks, on: scheduler)
  }
}

extension Publisher {
  /// Hops to the scheduler first, so that the replacement of a failure follows all values.
  @inlinable
  func asSharedSequence<Strategy: SharingStrategy>(
    _ handled: (Publishers.ReceiveOn<Self, SharingScheduler>) -> some Publisher<Output, Never>
  ) -> SharedSequence<Strategy, Output> {
    let scheduler = SharingScheduler.current
    return SharedSequence(sharing: handled(receive(on: scheduler)), on: scheduler)
  }
}
