import Testing
import Weir

/// Accepts types that several threads may use.
///
/// The test is that this file compiles.
private func require<T: Sendable>(_: T.Type) {}

/// Types that are not `Sendable`: `false` here, and `true` in an overload that a conformance would select.
private func isSendable<T>(_: T.Type) -> Bool { false }
private func isSendable<T: Sendable>(_: T.Type) -> Bool { true }

private final class Shared: @unchecked Sendable {}
private final class Unshared {}

@Suite("What is Sendable")
struct SendableTests {
  @Test("basic types, subjects of Sendable values, schedulers, and operators with Sendable parts")
  func sendable() {
    require(Subscribers.Demand.self)
    require(Subscribers.Completion<any Error>.self)
    require(CombineIdentifier.self)
    require(AnyCancellable.self)
    require(PassthroughSubject<Int, Never>.self)
    require(CurrentValueSubject<Shared, any Error>.self)
    require(ObservableObjectPublisher.self)
    require(Future<Int, Never>.self)
    require(ImmediateScheduler.self)
    require(ClockScheduler<ContinuousClock>.self)
    require(ClockScheduler<SuspendingClock>.SchedulerTimeType.self)
    require(ActorScheduler.self)
    require(DurationStride.self)
    require(Just<Int>.self)
    require(Empty<Unshared, Never>.self)
    require(Fail<Unshared, any Error>.self)
    require(Record<Int, Never>.self)
    require(Optional<Int>.Publisher.self)
    require(Result<Int, any Error>.Publisher.self)
    require(Publishers.Sequence<[Int], Never>.self)
    typealias Source = PassthroughSubject<Int, Never>
    require(Publishers.Drop<Publishers.First<Source>>.self)
    require(Publishers.ReceiveOn<Source, ActorScheduler>.self)
    require(Publishers.SubscribeOn<Source, ImmediateScheduler>.self)
    require(Publishers.Delay<Source, ClockScheduler<ContinuousClock>>.self)
    require(Publishers.Debounce<Source, ActorScheduler>.self)
    require(Publishers.Merge<Source, Source>.self)
    require(Publishers.Merge8<Source, Source, Source, Source, Source, Source, Source, Source>.self)
    require(Publishers.Zip3<Source, Source, Source>.self)
    require(Publishers.CombineLatest4<Source, Source, Source, Source>.self)
    require(Publishers.Throttle<Source, ActorScheduler>.self)
    require(Publishers.MeasureInterval<Source, ActorScheduler>.self)
    require(Publishers.Concatenate<Source, Just<Int>>.self)
    require(Publishers.ReplaceError<Source>.self)
    require(Publishers.AssertNoFailure<Source>.self)
    require(Publishers.CollectByTime<Source, ActorScheduler>.self)
  }

  @Test("not types that contain a closure or a value that isn't Sendable")
  func notSendable() {
    #expect(!isSendable(PassthroughSubject<Unshared, Never>.self))
    #expect(!isSendable(CurrentValueSubject<Unshared, Never>.self))
    #expect(!isSendable(Just<Unshared>.self))
    #expect(!isSendable(Publishers.First<PassthroughSubject<Unshared, Never>>.self))
    #expect(!isSendable(AnyPublisher<Int, Never>.self))
    #expect(!isSendable(AnySubscriber<Int, Never>.self))
    #expect(!isSendable(Publishers.Map<Just<Int>, Int>.self))
    #expect(!isSendable(Subscribers.Sink<Int, Never>.self))
    #expect(isSendable(PassthroughSubject<Int, Never>.self))
  }
}
