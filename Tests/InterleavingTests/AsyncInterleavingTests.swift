import Dispatch
import Synchronization
import Testing
import Weir
import WeirRx

@testable import TestSupport

/// An actor whose jobs a thread of the test runs, when its turn comes.
@globalActor
private actor Lane {
  static let shared = Lane()

  nonisolated let executor = LaneExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private final class LaneExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Waits until this many calls have come to the actor, while no thread of a trial runs; gives up if they never do.
  func wait(for count: Int) {
    for _ in 0..<count where arrivals.wait(timeout: .now() + 300) == .timedOut { return }
  }

  func runNext() {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// Calls that are awaited end on one thread, while others send, request, complete or cancel.
@Suite("asyncMap, whatever the order of threads", .serialized)
struct AsyncInterleavingTests {
  private typealias Source = PassthroughSubject<Int, TestError>

  /// A pipeline with two calls in progress.
  private func begin(_ source: Source, _ witness: Witness) {
    source.asyncMap(maxPublishers: .max(3)) { @Lane (value: Int) async throws(TestError) -> Int in
      if value == 9 { throw .oops }
      return value * 10
    }.subscribe(witness)
    source.send(1)
    source.send(2)
    Lane.shared.executor.wait(for: 2)
  }

  private let runs: () -> Void = { for _ in 0..<2 { Lane.shared.executor.runNext() } }

  @Test("results ∥ completion: in order, then one end")
  func completes() async {
    await explore("asyncMap: results ∥ completion") {
      let (source, witness) = (Source(), Witness())
      begin(source, witness)
      return Trial(bodies: [runs, { source.send(completion: .finished) }]) {
        witness.faults
          + (witness.values == [10, 20] && witness.ends == [.finished]
            ? [] : ["got \(witness.values), \(witness.ends)"])
      }.releasing(witness, keeping: source)
    }
  }

  @Test("results ∥ failure: the failure comes after the results")
  func fails() async {
    await explore("asyncMap: results ∥ failure") {
      let (source, witness) = (Source(), Witness())
      begin(source, witness)
      return Trial(bodies: [runs, { source.send(completion: .failure(.oops)) }]) {
        witness.faults
          + (witness.values == [10, 20] && witness.ends == [.failed(.oops)]
            ? [] : ["got \(witness.values), \(witness.ends)"])
      }.releasing(witness, keeping: source)
    }
  }

  @Test("results ∥ cancel ∥ cancel: silent after it, and released")
  func cancels() async {
    await explore("asyncMap: results ∥ cancel ∥ cancel") {
      let (source, witness) = (Source(), Witness())
      begin(source, witness)
      return Trial(bodies: [runs, { witness.cancel() }, { witness.cancel() }]) {
        let count = witness.values.count
        source.send(3)
        return witness.faults + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: source)
    }
  }

  @Test("results ∥ request ∥ request: no more than requested, no demand lost")
  func requests() async {
    await explore("asyncMap: results ∥ request ∥ request") {
      let (source, witness) = (Source(), Witness(demanding: .max(2)))
      begin(source, witness)
      return Trial(bodies: [runs, { witness.request(.max(1)) }, { witness.request(.max(1)) }]) {
        source.send(3)
        source.send(4)
        Lane.shared.executor.wait(for: 2)
        runs()
        return witness.faults + (witness.values == [10, 20, 30, 40] ? [] : ["got \(witness.values)"])
      }
    }
  }
}

/// The closure of `create` runs, sends, and is cancelled on different threads.
@Suite("create, whatever the order of threads", .serialized)
struct CreateInterleavingTests {
  private typealias Emitter = Publishers.Create<Int, TestError>.Emitter

  private final class Studio {
    var emitter: Emitter?
    var runs = 0
    var cancels = 0

    var publisher: AnyPublisher<Int, TestError> {
      .create { emitter in
        self.runs += 1
        self.emitter = emitter
        Interleaver.step()
        return AnyCancellable { self.cancels += 1 }
      }
    }

    func fault(ran: ClosedRange<Int> = 1...1) -> [String] {
      (ran.contains(runs) ? [] : ["ran \(runs) times"])
        + (cancels == runs ? [] : ["cancelled \(cancels) times, having run \(runs) times"])
    }
  }

  @Test("send ∥ send and completion ∥ request: in order, one end, cleaned up once")
  func sends() async {
    await explore("create: send ∥ send and completion ∥ request") {
      let (studio, witness) = (Studio(), Witness(demanding: .max(1)))
      studio.publisher.subscribe(witness)
      return Trial(bodies: [
        { for value in 1...2 { studio.emitter?.send(value) } },
        {
          studio.emitter?.send(11)
          studio.emitter?.send(completion: .finished)
        }, { witness.request(.max(2)) },
      ]) {
        let first = witness.values.filter { $0 < 10 }
        return witness.faults + studio.fault()
          + (first == Array([1, 2].prefix(first.count)) && witness.values.contains(11) && witness.ends == [.finished]
            ? [] : ["got \(witness.values), \(witness.ends)"])
      }.releasing(witness, keeping: studio)
    }
  }

  @Test("request ∥ request ∥ cancel: runs once at most, and is cleaned up if it ran")
  func cancels() async {
    await explore("create: request ∥ request ∥ cancel") {
      let (studio, witness) = (Studio(), Witness(demanding: .none))
      studio.publisher.subscribe(witness)
      return Trial(bodies: [
        { witness.request(.max(1)) },
        {
          witness.request(.max(1))
          studio.emitter?.send(1)
        }, { witness.cancel() },
      ]) {
        let count = witness.values.count
        studio.emitter?.send(2)
        studio.emitter = nil
        return witness.faults + studio.fault(ran: 0...1)
          + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: studio)
    }
  }
}

/// Requests and the cancel go through a scheduler, whose thread is another one than the sender's.
@Suite("subscribe(on:), whatever the order of threads", .serialized)
struct SubscribeOnInterleavingTests {
  private func stage() -> Stage { Stage { a, _, scheduler in a.subscribe(on: scheduler).eraseToAnyPublisher() } }

  @Test("subscribe ∥ the scheduler ∥ cancel: the upstream is left if it was subscribed to")
  func subscribes() async {
    await explore("subscribe(on:): subscribe ∥ scheduler ∥ cancel") {
      let (stage, witness) = (stage(), Witness())
      return Trial(bodies: [
        { stage.publisher.subscribe(witness) }, { stage.runSome() }, { witness.cancel() }, { stage.a.send(1) },
      ]) {
        stage.settle()
        witness.cancel()
        stage.settle()
        let count = witness.values.count
        stage.a.send(2)
        return witness.faults + stage.faults + stage.faultsAtEnd
          + (witness.values.count == count ? [] : ["a value after the cancel"])
      }.releasing(witness, keeping: stage)
    }
  }

  @Test("send ∥ request ∥ the scheduler: no demand lost, none made up")
  func requests() async {
    await explore("subscribe(on:): send ∥ request ∥ scheduler") {
      let (stage, witness) = (stage(), Witness(demanding: .max(1)))
      stage.publisher.subscribe(witness)
      stage.settle()
      return Trial(bodies: [
        { for value in 1...2 { stage.a.send(value) } }, { for _ in 0..<2 { witness.request(.max(1)) } },
        { stage.runSome() },
      ]) {
        stage.settle()
        for value in 3...6 { stage.a.send(value) }
        return witness.faults + stage.faults
          + (witness.values.count == 3 && witness.values.first == 1
            ? [] : ["got \(witness.values), having asked for three"])
      }
    }
  }

  @Test("completion ∥ cancel ∥ the scheduler: one end at most, cancelled once at most")
  func completes() async {
    await explore("subscribe(on:): completion ∥ cancel ∥ scheduler") {
      let (stage, witness) = (stage(), Witness())
      stage.publisher.subscribe(witness)
      stage.settle()
      return Trial(bodies: [
        {
          stage.a.send(1)
          stage.a.send(completion: .finished)
        }, { witness.cancel() }, { stage.runSome() },
      ]) {
        stage.settle()
        return witness.faults + stage.faults + stage.faultsAtEnd
      }.releasing(witness, keeping: stage)
    }
  }
}
