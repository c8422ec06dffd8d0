/// Stores the values of the upstreams of `zip` or `combineLatest`, and forms outputs from them.
@usableFromInline
package protocol CombiningStorage {
  associatedtype Input
  associatedtype Output

  init()

  mutating func put(_ input: Input)

  /// Returns the next output, if its values are present.
  mutating func take() -> Output?

  /// The upstream with this number has finished.
  mutating func finished(_ number: Int)

  /// Whether no output can follow when these upstreams have finished.
  func isExhausted(_ finished: UpstreamSet) -> Bool
}

extension CombiningStorage {
  @inlinable
  package mutating func finished(_ number: Int) {}
}

/// A set of upstreams, by their numbers.
@usableFromInline
package struct UpstreamSet {
  @usableFromInline
  var bits: UInt64 = 0

  /// The numbers that exceed the bits.
  @usableFromInline
  var others: Set<Int> = []

  @usableFromInline
  package private(set) var count = 0

  @inlinable
  init() {}

  @inlinable
  package func contains(_ number: Int) -> Bool {
    number < UInt64.bitWidth ? bits & 1 << UInt64(truncatingIfNeeded: number) != 0 : others.contains(number)
  }

  /// Inserts an upstream that the set does not contain.
  @usableFromInline
  mutating func insert(_ number: Int) {
    count += 1
    if number < UInt64.bitWidth { bits |= 1 << UInt64(number) } else { others.insert(number) }
  }
}

/// The state machine of `zip` and `combineLatest`, which differ in their stores.
@usableFromInline
package struct CombiningMachine<Store: CombiningStorage, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  package typealias Input = Store.Input

  @usableFromInline
  package typealias Output = Store.Output

  @usableFromInline
  var phase = SubscribingPhase.subscribing

  @usableFromInline
  var store: Store

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var upstreams: [OptionalSubscription]

  /// The number of upstreams that have not sent their subscriptions.
  @usableFromInline
  var missing: Int

  @usableFromInline
  var finished = UpstreamSet()

  /// The demand to request from each upstream, and the number of upstreams that have received the request.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var asked = 0

  /// The number of values that are requested ahead from each upstream; `nil` to forward the downstream's demand.
  @usableFromInline
  let prefetch: Int?

  @usableFromInline
  var failure: (any Error)?

  @usableFromInline
  var end = PendingTermination()

  @inlinable
  package init(count: Int, store: Store, prefetch: Int? = nil) {
    self.store = store
    self.prefetch = prefetch
    if let prefetch { toRequest = .max(prefetch) }
    missing = count
    upstreams = Array(repeating: OptionalSubscription(), count: count)
  }

  // MARK: Events

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    upstreams.lazy.compactMap { $0.outermostGate(of: thread) }.first
  }

  @inlinable
  package mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if phase == .subscribing, !upstreams[number].isFull {
      upstreams[number] = OptionalSubscription(subscription)
      missing -= 1
      if missing == 0 { phase = .announcing }
    } else {
      end.cancel(subscription)
    }
    return .undecided
  }

  @inlinable
  package mutating func completed(
    _ number: Int, _ completion: AnyCompletion
  ) -> EventOutcome {
    guard phase != .terminated, upstreams[number].isFull, !finished.contains(number) else {
      Reports.late(completion)
      return .nothing
    }
    finished.insert(number)
    store.finished(number)
    if case .failure(let error) = completion, failure == nil { failure = error }
    return .undecided
  }

  @inlinable
  package mutating func requested(_ more: Subscribers.Demand) {
    demand += more
    if prefetch == nil { toRequest += more }
  }

  @inlinable
  package mutating func cancelled() {
    if phase != .terminated { finish(nil) }
    end.completion = nil
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    for (number, upstream) in upstreams.enumerated().reversed() {
      if !finished.contains(number) { end.cancel(upstream) }
      upstreams[number] = OptionalSubscription()
    }
    store = Store()
  }

  @inlinable
  @inline(__always)
  package mutating func receive(_ input: Input, from number: Int) -> ValueOutcome<Output> {
    guard phase == .running || isEarly(number), !finished.contains(number) else { return .nothing }
    store.put(input)
    guard phase == .running, finished.count == 0 else { return .undecided }
    guard let output = nextOutput() else { return .nothing }
    return toRequest == .none ? .deliver(output) : .deliverFirst(output)
  }

  /// Returns the next output, if there is demand for it, and counts it.
  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Output? {
    guard demand > .none, let output = store.take() else { return nil }
    if demand != .unlimited { demand -= 1 }
    if prefetch != nil { toRequest += 1 }
    return output
  }

  /// Whether this upstream can send values before all others have sent their subscriptions.
  @inlinable
  func isEarly(_ number: Int) -> Bool {
    phase != .terminated && upstreams[number].isFull
  }

  // MARK: Decisions

  @inlinable
  package mutating func next() -> CoordinatorAction<Output, Never> {
    switch phase {
    case .running:
      if failure == nil, let output = nextOutput() { return .deliver(output) }
      return nextWithoutOutput()
    case .announcing:
      phase = .running
      return .announce
    case .subscribing, .terminated:
      return end.next()
    }
  }

  @inlinable
  package mutating func nextWithoutOutput() -> CoordinatorAction<Output, Never> {
    if let failure {
      finish(.failure(failure))
      return end.next()
    }
    if store.isExhausted(finished) {
      finish(.finished)
      return end.next()
    }
    if toRequest > .none {
      while asked < upstreams.count {
        let number = asked
        asked += 1
        if !finished.contains(number), let upstream = upstreams[number].content {
          return .request(UpstreamRequest(number, upstream, toRequest))
        }
      }
      asked = 0
      toRequest = .none
    }
    return end.next()
  }
}

/// A publisher that pairs values, with a configurable prefetch.
@usableFromInline
package protocol PrefetchingZip: Publisher {
  func attach(_ downstream: consuming Downstream<Output, Failure>, prefetch: Int?)
}

extension Publishers.Zip: PrefetchingZip {}
extension Publishers.Zip3: PrefetchingZip {}
extension Publishers.Zip4: PrefetchingZip {}
