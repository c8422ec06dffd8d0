// A request of a server: a pipeline, its source and its cancellation.

import Dispatch
import Synchronization
import Weir
import WeirDispatch
import WeirRx

typealias Source = PassthroughSubject<Payload, Oops>

/// The state that all requests share, as in a server.
final class Shared: Sendable {
  let clock = ClockScheduler(ContinuousClock())
  let queue = DispatchQueue(label: "timers")
  let mail = Mail()
}

/// Work for the next thread: it fulfills the futures of others.
final class Mail: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])

  func post(_ item: @escaping @Sendable () -> Void) { work.withLock { $0.append(item) } }

  func takeAll() -> [@Sendable () -> Void] {
    work.withLock { work in
      defer { work = [] }
      return work
    }
  }
}

final class Request: Sendable {
  /// The number of live requests.
  static let living = Atomic<Int>(0)

  private let left = Source()
  private let right = Source()
  private let hasCompleted = Atomic<Bool>(false)
  private let cancellable: AnyCancellable

  init(_ kind: Kind, counting count: Count, sharing shared: Shared, using random: inout Random) {
    let pipeline = Pipeline(left: left, right: right, count: count, shared: shared)
    cancellable = pipeline.attach(kind, using: &random)
    count.made()
    Request.living.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Request.living.wrappingSubtract(1, ordering: .relaxed) }

  func send(_ payload: Payload) {
    (payload.number.isMultiple(of: 4) ? right : left).send(payload)
  }

  /// Completes the pipeline's source; returns `false` if it has already completed.
  func complete(_ completion: Subscribers.Completion<Oops>) -> Bool {
    if hasCompleted.exchange(true, ordering: .relaxed) { return false }
    left.send(completion: completion)
    right.send(completion: .finished)
    return true
  }

  func cancel() { cancellable.cancel() }
}

private struct Pipeline {
  let left: Source
  let right: Source
  let count: Count
  let shared: Shared

  func attach(_ kind: Kind, using random: inout Random) -> AnyCancellable {
    switch kind {
    case .map: return sink(left.map { Payload($0.number + 1) }.filter { !$0.number.isMultiple(of: 3) })
    case .share:
      let shared = left.map { Payload($0.number + 1) }.share()
      return both(sink(shared.filter { !$0.number.isMultiple(of: 3) }), sink(shared))
    case .merge: return sink(left.merge(with: right))
    case .flatMap: return sink(left.flatMap { [$0, Payload($0.number)].publisher.setFailureType(to: Oops.self) })
    case .flatMapLatest:
      let right = right
      return sink(left.flatMapLatest { payload in right.prepend(payload) })
    case .combineLatest:
      let currents = [CurrentValueSubject<Payload, Oops>(Payload(0)), CurrentValueSubject(Payload(1))]
      let feeds = both(left.subscribe(currents[0]), right.subscribe(currents[1]))
      return both(feeds, sink(currents[0].combineLatest(currents[1]).map { $0.number > $1.number ? $0 : $1 }))
    case .buffer:
      // Requests one value at a time, after the subscriber has handled the previous one.
      let paced = left.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest)
        .flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: Oops.self) }
      return sinkSlowly(paced)
    case .backpressureLatest: return sinkSlowly(left.onBackpressureLatest())
    case .futures:
      let mail = shared.mail
      return sink(left.flatMap { payload in future(of: payload, by: mail) })
    case .values: return awaitValues()
    case .retry:
      let tried = left.tryMap { payload in
        if payload.number.isMultiple(of: 5) { throw Oops() }
        return payload
      }
      return sink(tried.retry(2).mapError { _ in Oops() })
    case .catching:
      let right = right
      return sink(left.catch { (_: Oops) in right.prepend(Payload(0)) })
    case .delayOnClock: return delay(on: shared.clock, &random)
    case .delayOnQueue: return delay(on: shared.queue, &random)
    case .debounceOnClock: return debounce(on: shared.clock, &random)
    case .debounceOnQueue: return debounce(on: shared.queue, &random)
    case .timeoutOnClock: return timeOut(on: shared.clock, &random)
    case .timeoutOnQueue: return timeOut(on: shared.queue, &random)
    case .collectOnClock: return collect(on: shared.clock, &random)
    case .collectOnQueue: return collect(on: shared.queue, &random)
    }
  }

  // MARK: Timers

  private func delay<S: Scheduler>(on scheduler: S, _ random: inout Random) -> AnyCancellable {
    sink(left.delay(for: .milliseconds(.random(in: 1...100, using: &random)), scheduler: scheduler))
  }

  private func debounce<S: Scheduler>(on scheduler: S, _ random: inout Random) -> AnyCancellable {
    sink(left.debounce(for: .milliseconds(.random(in: 1...50, using: &random)), scheduler: scheduler))
  }

  private func timeOut<S: Scheduler>(on scheduler: S, _ random: inout Random) -> AnyCancellable {
    let interval = S.SchedulerTimeType.Stride.milliseconds(.random(in: 20...200, using: &random))
    return sink(left.timeout(interval, scheduler: scheduler) { Oops() }.retry(1))
  }

  private func collect<S: Scheduler>(on scheduler: S, _ random: inout Random) -> AnyCancellable {
    let interval = S.SchedulerTimeType.Stride.milliseconds(.random(in: 10...100, using: &random))
    let strategy: Publishers.TimeGroupingStrategy<S> =
      random.isOne(in: 2) ? .byTime(scheduler, interval) : .byTimeOrCount(scheduler, interval, 3)
    let count = count
    return left.collect(strategy).sink(
      receiveCompletion: { _ in count.completed() }, receiveValue: { count.delivered($0.count) })
  }

  // MARK: Subscribers

  private func sink(_ publisher: some Publisher<Payload, some Error>) -> AnyCancellable {
    let count = count
    return publisher.sink(receiveCompletion: { _ in count.completed() }, receiveValue: { _ in count.delivered() })
  }

  private func sinkSlowly(_ publisher: some Publisher<Payload, Oops>) -> AnyCancellable {
    let count = count
    return publisher.sink(
      receiveCompletion: { _ in count.completed() },
      receiveValue: { _ in
        pause(.milliseconds(1))
        count.delivered()
      })
  }

  private func awaitValues() -> AnyCancellable {
    let (left, count) = (left, count)
    let task = Task.detached {
      do {
        for try await _ in left.values { count.delivered() }
        if !Task.isCancelled { count.completed() }
      } catch {
        count.completed()
      }
    }
    return AnyCancellable { task.cancel() }
  }

  private func both(_ first: AnyCancellable, _ second: AnyCancellable) -> AnyCancellable {
    AnyCancellable {
      first.cancel()
      second.cancel()
    }
  }
}

private func future(of payload: Payload, by mail: Mail) -> Future<Payload, Oops> {
  Future { promise in
    mail.post {
      switch payload.number % 50 {
      // This one is never fulfilled, so a cancellation must release its subscriber.
      case 0: break
      case 1: promise(.failure(Oops()))
      default: promise(.success(payload))
      }
    }
  }
}
