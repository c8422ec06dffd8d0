import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("create")
struct CreateTests {
  typealias Emitter = Publishers.Create<Int, TestError>.Emitter

  /// Collects the emitters of a publisher, and counts the cancellations of its resources.
  final class Studio {
    var emitters: [Emitter] = []
    var cancels = 0

    var emitter: Emitter { emitters[0] }

    func publisher(_ strategy: BackpressureStrategy<TestError> = .bufferAll) -> AnyPublisher<Int, TestError> {
      .create(strategy) { emitter in
        self.emitters.append(emitter)
        return AnyCancellable { self.cancels += 1 }
      }
    }
  }

  let studio = Studio()

  @Test("the closure runs once for each subscriber, at its first request")
  func runs() {
    let publisher = studio.publisher()
    let idle = publisher.record()
    #expect(studio.emitters.isEmpty)
    #expect(idle.events == [.subscription])
    idle.request(.max(1))
    idle.request(.max(1))
    #expect(studio.emitters.count == 1)
    _ = publisher.record(demanding: .unlimited)
    #expect(studio.emitters.count == 2)
  }

  @Test("delivers synchronously sent values within the demand, later ones on demand, then the completion")
  func synchronous() {
    let publisher = AnyPublisher<Int, TestError>.create { emitter in
      for value in 1...3 { emitter.send(value) }
      emitter.send(completion: .finished)
      return AnyCancellable {}
    }
    #expect(
      publisher.record(demanding: .unlimited).events == [.subscription, .value(1), .value(2), .value(3), .finished])
    let slow = publisher.record(demanding: .max(2))
    #expect(slow.events == [.subscription, .value(1), .value(2)])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(studio.publisher().record().subscription.map { String(describing: $0) } == "Create")
  }

  // MARK: Without demand

  @Test("buffers all values, and delivers the failure after them")
  func bufferAll() {
    let recorder = studio.publisher().record(demanding: .max(1))
    for value in 1...5 { studio.emitter.send(value) }
    studio.emitter.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(4))
    #expect(recorder.values == Array(1...5))
    #expect(recorder.events.last == .failed(.oops))
  }

  @Test("buffers at most its size, and drops the newest or the oldest value, or fails")
  func bufferSome() {
    let newest = studio.publisher(.buffer(size: 2, whenFull: .dropNewest)).record(demanding: .max(1))
    let oldest = studio.publisher(.buffer(size: 2, whenFull: .dropOldest)).record(demanding: .max(1))
    let failing = studio.publisher(.buffer(size: 2, whenFull: .customError { .other })).record(demanding: .max(1))
    for emitter in studio.emitters {
      for value in 1...5 { emitter.send(value) }
    }
    #expect(studio.emitters.map { $0.isTerminated } == [false, false, true])
    #expect(studio.cancels == 1)
    for recorder in [newest, oldest, failing] { recorder.request(.unlimited) }
    #expect(newest.values == [1, 2, 3])
    #expect(oldest.values == [1, 4, 5])
    #expect(failing.events == [.subscription, .value(1), .value(2), .value(3), .failed(.other)])
  }

  @Test("drops values without demand, or keeps the latest")
  func dropAndLatest() {
    let dropping = studio.publisher(.drop).record(demanding: .max(1))
    let latest = studio.publisher(.latest).record(demanding: .max(1))
    for emitter in studio.emitters {
      for value in 1...3 { emitter.send(value) }
    }
    for recorder in [dropping, latest] { recorder.request(.max(1)) }
    for emitter in studio.emitters { emitter.send(4) }
    #expect(dropping.values == [1, 4])
    #expect(latest.values == [1, 3])
    latest.request(.max(1))
    #expect(latest.values == [1, 3, 4])
  }

  // MARK: Termination

  @Test("ignores events after the completion, and cancels the resource once, after the completion")
  func ends() {
    let recorder = studio.publisher().record(demanding: .unlimited)
    recorder.onCompletion = { #expect(studio.cancels == 0) }
    studio.emitter.send(1)
    #expect(!studio.emitter.isTerminated)
    studio.emitter.send(completion: .finished)
    #expect(studio.emitter.isTerminated)
    studio.emitter.send(2)
    studio.emitter.send(completion: .failure(.oops))
    recorder.cancel()
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(studio.cancels == 1)
  }

  @Test("ignores events after a cancellation, which cancels the resource once")
  func cancels() {
    let recorder = studio.publisher().record(demanding: .unlimited)
    studio.emitter.send(1)
    recorder.cancel()
    recorder.cancel()
    studio.emitter.send(2)
    studio.emitter.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(studio.emitter.isTerminated)
    #expect(studio.cancels == 1)
  }

  @Test("a cancellation before the first request prevents the closure from running")
  func cancelBeforeRequest() {
    let recorder = studio.publisher().record()
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(studio.emitters.isEmpty)
    #expect(recorder.events == [.subscription])
  }

  @Test("cancels the resource once if the subscription terminates during the closure", arguments: Ending.allCases)
  func endsInsideClosure(_ ending: Ending) {
    var cancels = 0
    let resource = ManualSubscription()
    resource.onCancel = { cancels += 1 }
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { _ in
      if ending == .cancel { recorder.cancel() }
      return .none
    }
    AnyPublisher<Int, TestError>.create { emitter in
      emitter.send(1)
      switch ending {
      case .finish: emitter.send(completion: .finished)
      case .failure: emitter.send(completion: .failure(.oops))
      case .cancel: #expect(emitter.isTerminated)
      }
      #expect(cancels == 0)
      return resource
    }.subscribe(recorder)
    #expect(cancels == 1)
    recorder.cancel()
    #expect(cancels == 1)
    #expect(recorder.events.count == (ending == .cancel ? 2 : 3))
  }

  @Test("delivers re-entrant values afterwards, in order")
  func nested() {
    let recorder = studio.publisher().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        studio.emitter.send(2)
        studio.emitter.send(completion: .finished)
        #expect(recorder.values == [1])
      }
      return .none
    }
    studio.emitter.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(studio.cancels == 1)
  }

  @Test("releases the closure, the subscriber and the resource at termination", arguments: Ending.allCases)
  func releases(_ ending: Ending) {
    let kept = Box<Emitter?>(nil)
    #expect(
      isReleased { token in
        let recorder = AnyPublisher<Int, TestError>.create { emitter in
          kept.value = emitter
          return AnyCancellable { withExtendedLifetime(token) {} }
        }.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.record(demanding: .unlimited)
        switch ending {
        case .finish: kept.value?.send(completion: .finished)
        case .failure: kept.value?.send(completion: .failure(.oops))
        case .cancel: recorder.cancel()
        }
      })
    #expect(kept.value?.isTerminated == true)
  }

  @Test("runs the deinit of a value and the cancellation of a resource outside all locks")
  func lastWords() {
    let emitters = Box<[Publishers.Create<LastWords, TestError>.Emitter]>([])
    var count = 0
    let publisher = AnyPublisher<LastWords, TestError>.create(.latest) { emitter in
      emitters.value.append(emitter)
      let words = LastWords { emitter.send(LastWords()) }
      return AnyCancellable { withExtendedLifetime(words) { count += 1 } }
    }
    let box = Box<(any Subscription)?>(nil)
    publisher.subscribe(
      AnySubscriber<LastWords, TestError>(receiveSubscription: {
        box.value = $0
        $0.request(.max(1))
      }))
    emitters.value[0].send(LastWords())
    emitters.value[0].send(LastWords { box.value?.cancel() })
    emitters.value[0].send(LastWords())
    #expect(count == 1)
    #expect(emitters.value[0].isTerminated)
  }

  // MARK: Threads

  @Test("a value from another thread is delivered by the thread that is delivering")
  func leavesWithTheOwner() {
    let recorder = studio.publisher().record(demanding: .unlimited)
    var inside = 0
    recorder.onValue = { value in
      inside += 1
      #expect(inside == 1)
      if value == 1 {
        onAnotherThread {
          studio.emitter.send(2)
          studio.emitter.send(completion: .finished)
        }
        #expect(recorder.values == [1])
      }
      inside -= 1
      return .none
    }
    studio.emitter.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("concurrent senders lose no value, and each sender's values keep their order")
  func senders() {
    let emitters = Box<[Publishers.Create<[Int], TestError>.Emitter]>([])
    let recorder = AnyPublisher<[Int], TestError>.create { emitter in
      emitters.value.append(emitter)
      return AnyCancellable {}
    }.record(demanding: .max(1), returning: .max(1))
    let emitter = emitters.value[0]
    let send: (Int) -> () -> Void = { (thread: Int) in { for value in 1...2_000 { emitter.send([thread, value]) } } }
    race(send(0), send(1), send(2))
    for thread in 0..<3 {
      #expect(recorder.values.filter { $0[0] == thread }.map { $0[1] } == Array(1...2_000))
    }
  }

  @Test("racing completions and a cancellation deliver at most one completion, last, and cancel the resource once")
  func racingEnds() {
    for _ in 0..<Effort.rounds(500) {
      let cancels = LiveCount()
      let emitters = Box<[Emitter]>([])
      let recorder = AnyPublisher<Int, TestError>.create { emitter in
        emitters.value.append(emitter)
        return AnyCancellable { cancels.add(1) }
      }.record(demanding: .unlimited)
      let emitter = emitters.value[0]
      race(
        { for value in 1...10 { emitter.send(value) } }, { emitter.send(completion: .finished) },
        { emitter.send(completion: .failure(.oops)) }, { recorder.cancel() })
      let ends = recorder.events.filter { $0 == .finished || $0 == .failed(.oops) }
      #expect(ends.count <= 1)
      if let end = ends.first { #expect(recorder.events.last == end) }
      #expect(cancels.value == 1)
      let delivered = recorder.events.count
      emitter.send(11)
      #expect(recorder.events.count == delivered)
    }
  }

  @Test("a cancellation that races with the closure's return cancels the resource once")
  func cancelDuringClosure() {
    for _ in 0..<Effort.rounds(200) {
      let cancels = LiveCount()
      let recorder = AnyPublisher<Int, TestError>.create { _ in AnyCancellable { cancels.add(1) } }.record()
      let runs = LiveCount()
      race(
        {
          recorder.request(.max(1))
          runs.add(1)
        }, { recorder.cancel() })
      #expect(cancels.value <= 1)
      recorder.cancel()
      #expect(recorder.events == [.subscription])
    }
  }

  @Test("applies its strategy while one thread sends and another delivers")
  func secondThread() {
    let emitter = Box<Publishers.Create<Int, Never>.Emitter?>(nil)
    let recorder = AnyPublisher<Int, Never>.create(.latest) {
      emitter.value = $0
      return AnyCancellable {}
    }.record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 0 { onAnotherThread { for value in 1...3 { emitter.value?.send(value) } } }
      return .none
    }
    emitter.value?.send(0)
    #expect(recorder.values == [0, 3])
    emitter.value = nil
  }
}
