import Testing
import Weir

@testable import TestSupport
@testable import WeirRx

@Suite("Channel")
struct ChannelTests {
  let channel = Channel<Int, TestError>()

  @Test("sends the values of one end only to the other end's subscribers")
  func bothWays() {
    let leading = channel.leading.record(demanding: .unlimited)
    let following = channel.following.record(demanding: .unlimited)
    channel.leading.send(1)
    channel.following.send(2)
    #expect(following.events == [.subscription, .value(1)])
    #expect(leading.events == [.subscription, .value(2)])
  }

  @Test("a late subscriber receives the latest value from the following end, not from the leading end")
  func replay() {
    for value in 1...2 { channel.leading.send(value) }
    channel.following.send(3)
    #expect(channel.following.record(demanding: .unlimited).events == [.subscription, .value(2)])
    #expect(channel.leading.record(demanding: .unlimited).events == [.subscription])
  }

  @Test("an end releases an upstream's subscription when its binding is cancelled")
  func forgetsUpstream() {
    let (channel, upstream) = (Channel<Int, Never>(), ManualPublisher<Int, Never>())
    func upstreamCount() -> Int { channel.leading.core.state.withLock { $0.upstreams.count } }
    let bindings = [upstream.bind(to: channel.leading), upstream.bind(to: channel.leading)]
    #expect(upstreamCount() == 2)
    bindings[0].cancel()
    #expect(upstreamCount() == 1)
    let recorder = channel.following.record(demanding: .unlimited)
    upstream.send(1, to: 1)
    #expect(recorder.values == [1])
    bindings[1].cancel()
    #expect(upstreamCount() == 0)
  }

  @Test("a subscriber without demand receives the latest value at its next request")
  func demand() {
    let leading = channel.leading.record()
    let following = channel.following.record()
    for value in 1...3 {
      channel.leading.send(value)
      channel.following.send(-value)
    }
    #expect(leading.values.isEmpty && following.values.isEmpty)
    for recorder in [leading, following] { recorder.request(.max(1)) }
    #expect(leading.values == [-3])
    #expect(following.values == [3])
    channel.leading.send(4)
    channel.following.send(-4)
    #expect(leading.values == [-3])
    #expect(following.values == [3])
    for recorder in [leading, following] { recorder.request(.max(2)) }
    #expect(leading.values == [-3, -4])
    #expect(following.values == [3, 4])
  }

  @Test("a completion of either end completes both, and later events are ignored", arguments: [true, false])
  func ends(_ intoLeading: Bool) {
    for completion in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let channel = Channel<Int, TestError>()
      let leading = channel.leading.record(demanding: .unlimited)
      let following = channel.following.record(demanding: .unlimited)
      channel.leading.send(1)
      (intoLeading ? channel.leading : channel.following).send(completion: completion)
      channel.leading.send(2)
      channel.following.send(3)
      channel.leading.send(completion: .finished)
      let end: Event<Int> = completion == .finished ? .finished : .failed(.oops)
      #expect(leading.events == [.subscription, end])
      #expect(following.events == [.subscription, .value(1), end])
      #expect(channel.leading.record(demanding: .unlimited).events == [.subscription, end])
      #expect(channel.following.record(demanding: .unlimited).events == [.subscription, .value(1), end])
    }
  }

  @Test("an end as a subscriber requests unlimited demand, completes with one publisher, and cancels the others")
  func subscribes() {
    let (one, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let following = channel.following.record(demanding: .unlimited)
    one.subscribe(channel.leading)
    other.subscribe(channel.leading)
    #expect(one.events == [.requested(.unlimited)])
    one.send(1)
    other.send(2)
    one.send(completion: .failure(.oops))
    #expect(following.events == [.subscription, .value(1), .value(2), .failed(.oops)])
    #expect(other.isCancelledOnce)
    let late = ManualPublisher<Int, TestError>()
    late.subscribe(channel.following)
    #expect(late.events == [.cancelled])
  }

  @Test("an end doesn't cancel its only upstream when that has completed", arguments: [true, false])
  func completedUpstream(_ isBound: Bool) {
    let (channel, upstream) = (Channel<Int, Never>(), ManualPublisher<Int, Never>())
    let following = channel.following.record(demanding: .unlimited)
    var binding: AnyCancellable?
    if isBound { binding = upstream.bind(to: channel.leading) } else { upstream.subscribe(channel.leading) }
    upstream.send(completion: .finished)
    #expect(following.events == [.subscription, .finished])
    #expect(upstream.events == [.requested(.unlimited)])
    withExtendedLifetime(binding) {}
  }

  @Test("an end cancels its only upstream when the channel is completed by other code")
  func otherCompletion() {
    let upstream = ManualPublisher<Int, TestError>()
    upstream.subscribe(channel.leading)
    channel.leading.send(completion: .finished)
    #expect(upstream.events == [.requested(.unlimited), .cancelled])
  }

  @Test("an end cancels its upstreams in their order of arrival, except the one that has completed", arguments: 0..<4)
  func othersAreCancelled(_ completed: Int) {
    let channel = Channel<Int, Never>()
    let upstreams = (0..<4).map { _ in ManualPublisher<Int, Never>() }
    var cancelled: [Int] = []
    let observed = upstreams.enumerated().map { index, upstream in
      upstream.handleEvents(receiveCancel: { cancelled.append(index) })
    }
    let late = ManualPublisher<Int, Never>(subscribing: false)
    var bindings = [late.handleEvents(receiveCancel: { cancelled.append(4) }).bind(to: channel.leading)]
    bindings += [observed[0].bind(to: channel.leading), observed[1].bind(to: channel.following)]
    Empty<Int, Never>(completeImmediately: false).bind(to: channel.leading).cancel()
    observed[2].subscribe(channel.leading)
    bindings.append(observed[3].bind(to: channel.leading))
    late.sendSubscription()
    upstreams[completed].send(completion: .finished)
    #expect(cancelled == (0...4).filter { $0 != completed })
    withExtendedLifetime(bindings) {}
  }

  @Test("an end doesn't cancel its only direct upstream when that has completed", arguments: [true, false])
  func completedDirectUpstream(_ isBound: Bool) {
    let channel = Channel<Int, Never>()
    let (upstream, other) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
    upstream.subscribe(channel.leading)
    var binding: AnyCancellable?
    if isBound { binding = other.bind(to: channel.leading) } else { other.subscribe(channel.following) }
    upstream.send(completion: .finished)
    #expect(upstream.events == [.requested(.unlimited)])
    #expect(other.events == [.requested(.unlimited), .cancelled])
    withExtendedLifetime(binding) {}
  }

  @Test("upstreams whose bindings are cancelled in any order are released, and the others continue")
  func cancelsInAnyOrder() {
    let (channel, source) = (Channel<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = channel.following.record(demanding: .unlimited)
    var bindings = (0..<100).map { _ in Optional(source.bind(to: channel.leading)) }
    var random = SplitMix(seed: 3)
    for (count, index) in bindings.indices.shuffled(using: &random).enumerated() {
      #expect(channel.leading.core.state.withLock { $0.upstreams.count } == 100 - count)
      bindings[index] = nil
      source.send(count)
    }
    #expect(channel.leading.core.state.withLock { $0.upstreams.isEmpty })
    #expect(recorder.values == (0..<100).flatMap { Array(repeating: $0, count: 99 - $0) })
  }

  @Test("two channels that are subscribed to each other settle")
  func connected() {
    let other = Channel<Int, TestError>()
    channel.following.subscribe(other.leading)
    other.leading.subscribe(channel.following)
    let (one, two) = (
      channel.leading.record(demanding: .unlimited), other.following.record(demanding: .unlimited)
    )
    channel.leading.send(1)
    other.following.send(2)
    #expect(one.values == [2])
    #expect(two.values == [1])
  }

  @Test("releases subscribers at cancellation and at completion")
  func releases() {
    #expect(
      isReleased { token in
        let cancellable = channel.following.sink(
          receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
        channel.leading.send(1)
        cancellable.cancel()
      })
    let cancellable = CancelBag()
    #expect(
      isReleased { token in
        channel.leading.sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
          .store(in: cancellable)
        channel.leading.send(completion: .finished)
      })
  }

  @Test("the value of an end that is delivered last remains stored, unless one of the other end is newer")
  func storesLast() {
    let following = channel.following.record(demanding: .unlimited)
    following.onValue = { [channel] (value: Int) -> Subscribers.Demand in
      if value == 1 { onAnotherThread { for value in 2...3 { channel.leading.send(value) } } }
      if value == 2 { channel.leading.send(20) }
      if value == 4 { onAnotherThread { channel.leading.send(5) } }
      if value == 4 { channel.following.send(40) }
      return .none
    }
    channel.leading.send(1)
    #expect(following.values == [1, 2, 20, 3])
    #expect(channel.leading.core.state.withLock { [$0.latest, $0.latestOfLeading] } == [3, 3])
    channel.leading.send(4)
    #expect(following.values.suffix(2) == [4, 5])
    #expect(channel.leading.core.state.withLock { [$0.latest, $0.latestOfLeading] } == [40, 5])
  }

  @Test("any thread may send into either end")
  func races() {
    let channel = Channel<Int, Never>()
    let leading = channel.leading.record(demanding: .unlimited)
    let following = channel.following.record(demanding: .unlimited)
    race(
      { for value in 1...1000 { channel.leading.send(value) } },
      { for value in 1...1000 { channel.following.send(value) } })
    #expect(leading.values == Array(1...1000))
    #expect(following.values == Array(1...1000))
  }
}
