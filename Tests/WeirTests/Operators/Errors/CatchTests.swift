import Testing
import Weir

@testable import TestSupport

@Suite("catch")
struct CatchTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "Catch", failingWith: nil) { source, token in
      source.catch { (_: TestError) -> Publishers.Sequence<[Int], Never> in
        withExtendedLifetime(token) { [7, 8].publisher }
      }
    }
  }

  @Test("passes demand, values and a normal end on and never calls its closure")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    var calls = 0
    let recorder = source.catch { (_: TestError) -> Just<Int> in
      calls += 1
      return Just(0)
    }.record(demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1))])
    #expect(calls == 0)
  }

  @Test("asks the other publisher for the demand that is left")
  func transfersDemand() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(3))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(other.events == [.requested(.max(2))])
    recorder.request(.max(4))
    #expect(other.events == [.requested(.max(2)), .requested(.max(4))])
    #expect(source.events == [.requested(.max(3))])
    other.send(2)
    other.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("asks the other publisher for nothing when no demand is left")
  func transfersNoDemand() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(other.subscriptions.count == 1)
    #expect(other.events == [])
    recorder.request(.unlimited)
    #expect(other.events == [.requested(.unlimited)])
  }

  @Test("asks the other publisher for what was requested while its subscription had not come")
  func requestsBetween() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>(subscribing: false)
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(1))
    source.send(completion: .failure(.oops))
    recorder.request(.max(2))
    other.sendSubscription()
    #expect(other.events == [.requested(.max(3))])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("calls its closure with the first failure only; the second is the end")
  func failsTwice() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, TestError>()
    var errors: [TestError] = []
    let recorder = source.catch { (error: TestError) -> ManualPublisher<Int, TestError> in
      errors.append(error)
      return other
    }.record()
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.oops))
    other.send(completion: .failure(.other))
    #expect(recorder.events == [.subscription, .failed(.other)])
    #expect(errors == [.oops])
  }

  @Test("cancels whichever publisher it is at, also when its subscription has yet to come")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let late = ManualPublisher<Int, Never>(subscribing: false)
    let first = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record()
    source.send(completion: .failure(.oops))
    first.cancel()
    #expect(other.events == [.cancelled])
    let second = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in late }.record()
    source.send(completion: .failure(.oops), to: 1)
    second.cancel()
    #expect(late.sendSubscription().events == [.cancelled])
    late.send(1)
    late.send(completion: .finished)
    #expect(second.events == [.subscription])
    #expect(source.events == [])
  }

  @Test("ignores what the first publisher sends after its failure, a subscription too")
  func misbehaving() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>(subscribing: false)
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(
      demanding: .max(1), returning: .max(1))
    source.send(completion: .failure(.oops))
    #expect(source.sendSubscription().events == [.cancelled])
    #expect(source.send(1) == .none)
    #expect(other.send(2) == .none)
    other.send(completion: .finished)
    other.sendSubscription()
    #expect(other.events == [.requested(.max(1))])
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(other.send(3) == .max(1))
    #expect(other.sendSubscription().events == [.cancelled])
    other.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(3), .finished])
  }

  @Test("passes demand on that is returned by the delivery in which the upstream fails")
  func failsInsideADelivery() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 { subject.send(completion: .failure(.oops)) }
      return .max(1)
    }
    subject.catch { (_: TestError) -> Publishers.Sequence<[Int], Never> in [7, 8].publisher }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(7), .value(8), .finished])
  }

  @Test("subscribes to nothing more when its closure cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    source.catch { (_: TestError) -> ManualPublisher<Int, Never> in
      recorder.cancel()
      return other
    }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(other.subscribers.isEmpty)
    #expect(recorder.events == [.subscription])
  }
}
