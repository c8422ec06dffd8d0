import Weir
import WeirDispatch
import WeirRx
import WeirTesting

extension TimedModel {
  @Sendable
  private static func driver(_ upstream: Upstream, _ scheduler: VirtualTimeScheduler) -> Driver<Int> {
    SharingScheduler.mock(scheduler: scheduler) { upstream.ignoreFailure().asDriver() }
  }

  /// The events of drivers, which finish instead of failing.
  private static func driven(_ inputs: [Input]) -> [Input] {
    inputs.map { input in
      input.end == nil ? input : Input(time: input.time, source: input.source, value: nil, end: .finished)
    }
  }

  /// Replaces the failure with a 7.
  private static func recovered(_ inputs: [Input]) -> [Output] {
    inputs.flatMap { input in
      input.end == .failed ? [Output(input.time, "7"), Output(input.time, .finished)] : [passed(input)]
    }
  }

  static let shared: [TimedModel] = making + sharedOperators

  private static let making: [TimedModel] = [
    TimedModel("asDriver", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].ignoreFailure().asDriver() }
    } list: { inputs, _ in
      driven(inputs).map(passed)
    },
    TimedModel("asDriver(onErrorJustReturn:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asDriver(onErrorJustReturn: 7) }
    } list: { inputs, _ in
      recovered(inputs)
    },
    TimedModel("asDriver(onErrorDriveWith:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asDriver(onErrorDriveWith: .just(7)) }
    } list: { inputs, _ in
      recovered(inputs)
    },
    TimedModel("asDriver(onErrorRecover:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asDriver { _ in .just(7) } }
    } list: { inputs, _ in
      recovered(inputs)
    },
    TimedModel("asSignal", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].ignoreFailure().asSignal() }
    } list: { inputs, _ in
      driven(inputs).map(passed)
    },
    TimedModel("asSignal(onErrorJustReturn:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asSignal(onErrorJustReturn: 7) }
    } list: { inputs, _ in
      recovered(inputs)
    },
    TimedModel("asSignal(onErrorSignalWith:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asSignal(onErrorSignalWith: .just(7)) }
    } list: { inputs, _ in
      recovered(inputs)
    },
    TimedModel("asSignal(onErrorRecover:)", timed: true) { upstreams, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstreams[0].asSignal { _ in .just(7) } }
    } list: { inputs, _ in
      recovered(inputs)
    },
  ]

  private static func sums(_ inputs: [Input]) -> [Output] {
    var sum = 10
    return each(inputs) {
      sum += $0
      return [sum]
    }
  }

  private static let sharedOperators: [TimedModel] = [
    TimedModel("SharedSequence.map", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).map { $0 * 2 }
    } list: { inputs, _ in
      each(driven(inputs)) { [$0 * 2] }
    },
    TimedModel("SharedSequence.compactMap", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).compactMap { $0 > 1 ? $0 : nil }
    } list: { inputs, _ in
      each(driven(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("SharedSequence.filter", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).filter { $0 > 1 }
    } list: { inputs, _ in
      each(driven(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("SharedSequence.scan", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).scan(10, +)
    } list: { inputs, _ in
      sums(driven(inputs))
    },
    TimedModel("SharedSequence.scan(accumulator:)", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).scan(10, accumulator: +)
    } list: { inputs, _ in
      sums(driven(inputs))
    },
    TimedModel("SharedSequence.scan(into:accumulator:)", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).scan(into: 10) { (sum: inout Int, value: Int) in sum += value }
    } list: { inputs, _ in
      sums(driven(inputs))
    },
    TimedModel("SharedSequence.startWith", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).startWith(9)
    } list: { inputs, _ in
      [Output(0, "9")] + driven(inputs).map(passed)
    },
    TimedModel("SharedSequence.distinctUntilChanged", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).distinctUntilChanged()
    } list: { inputs, _ in
      var last: Int?
      return each(driven(inputs)) { value in
        defer { last = value }
        return value == last ? [] : [value]
      }
    },
    TimedModel("SharedSequence.flatMap", sources: 3, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).flatMap { driver(upstreams[inner($0)], scheduler) }
    } list: { inputs, _ in
      flat(driven(inputs), switching: false)
    },
    TimedModel("SharedSequence.flatMapLatest", sources: 3, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).flatMapLatest { driver(upstreams[inner($0)], scheduler) }
    } list: { inputs, _ in
      flat(driven(inputs), switching: true)
    },
    TimedModel("SharedSequence.flatMapFirst", sources: 2, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).flatMapFirst { _ in driver(upstreams[1], scheduler) }
    } list: { inputs, _ in
      flatFirst(driven(inputs))
    },
    TimedModel("SharedSequence.debounce", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).debounce(.milliseconds(10))
    } list: { inputs, _ in
      debounced(driven(inputs))
    },
    TimedModel("SharedSequence.throttle", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).throttle(.milliseconds(10))
    } list: { inputs, now in
      throttled(driven(inputs), now, latest: true)
    },
    TimedModel("SharedSequence.throttle, without the latest value", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).throttle(.milliseconds(10), latest: false)
    } list: { inputs, _ in
      var end = 0
      return driven(inputs).filter { input in
        guard input.value != nil else { return true }
        guard input.time >= end else { return false }
        end = input.time + 10
        return true
      }.map(passed)
    },
    TimedModel("SharedSequence.delay", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).delay(.milliseconds(10))
    } list: { inputs, _ in
      driven(inputs).map { Output($0.time + 10, passed($0).text) }
    },
    TimedModel("SharedSequence.merge", sources: 3, timed: true) { upstreams, scheduler in
      Driver.merge(upstreams.map { driver($0, scheduler) })
    } list: { inputs, _ in
      merged(driven(inputs), 3)
    },
    TimedModel("SharedSequence.merge(with:)", sources: 2, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).merge(with: driver(upstreams[1], scheduler))
    } list: { inputs, _ in
      merged(driven(inputs), 2)
    },
    TimedModel("SharedSequence.combineLatest", sources: 2, timed: true) { upstreams, scheduler in
      Driver.combineLatest(driver(upstreams[0], scheduler), driver(upstreams[1], scheduler))
    } list: { inputs, _ in
      combined(driven(inputs), 2)
    },
    TimedModel("SharedSequence.zip", sources: 2, timed: true) { upstreams, scheduler in
      Driver.zip(driver(upstreams[0], scheduler), driver(upstreams[1], scheduler))
    } list: { inputs, _ in
      zipped(driven(inputs), 2)
    },
    TimedModel("SharedSequence.withLatestFrom(resultSelector:)", sources: 2, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).withLatestFrom(driver(upstreams[1], scheduler), resultSelector: { ($0, $1) })
    } list: { inputs, _ in
      latestFrom(driven(inputs))
    },
    TimedModel("SharedSequence.withLatestFrom", sources: 2, timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).withLatestFrom(driver(upstreams[1], scheduler))
    } list: { inputs, _ in
      latestFrom(driven(inputs)) { "\($1)" }
    },
    TimedModel("SharedSequence.combineLatest(resultSelector:)", sources: 2, timed: true) { upstreams, scheduler in
      Driver.combineLatest(driver(upstreams[0], scheduler), driver(upstreams[1], scheduler), resultSelector: -)
    } list: { inputs, _ in
      combined(driven(inputs), 2) { "\($0[0] - $0[1])" }
    },
    TimedModel("SharedSequence.zip(resultSelector:)", sources: 2, timed: true) { upstreams, scheduler in
      Driver.zip(driver(upstreams[0], scheduler), driver(upstreams[1], scheduler), resultSelector: -)
    } list: { inputs, _ in
      zipped(driven(inputs), 2) { "\($0[0] - $0[1])" }
    },
    TimedModel("SharedSequence.asDriver", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).asDriver()
    } list: { inputs, _ in
      driven(inputs).map(passed)
    },
    TimedModel("SharedSequence.asSignal", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).asSignal()
    } list: { inputs, _ in
      driven(inputs).map(passed)
    },
    TimedModel("SharedSequence.asPublisher", timed: true) { upstreams, scheduler in
      driver(upstreams[0], scheduler).asPublisher()
    } list: { inputs, _ in
      driven(inputs).map(passed)
    },
  ]
}
