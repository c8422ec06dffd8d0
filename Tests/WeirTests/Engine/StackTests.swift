import Testing
import Weir

@testable import TestSupport

/// An operator that needs stack for each step stops the program here, on a stack of 512 KiB.
@Suite("the stack")
struct StackTests {
  struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The number of values for a number of steps.
    let count: @Sendable (Int) -> Int
    let make: @Sendable (Int) -> any Publisher<Int, Never>

    init(
      _ name: String, count: @escaping @Sendable (Int) -> Int = { $0 },
      _ make: @escaping @Sendable (Int) -> any Publisher<Int, Never>
    ) {
      testDescription = name
      self.count = count
      self.make = make
    }
  }

  private static func numbers(_ count: Int) -> Publishers.Sequence<LazySequence<Range<Int>>, Never> {
    (0..<count).lazy.publisher
  }

  static let chains: [Chain] = [
    Chain("map, filter") { n in
      numbers(n).map { (v: Int) -> Int in v }.filter { (_: Int) -> Bool in true }.eraseToAnyPublisher()
    },
    Chain("filter that drops all but the last", count: { _ in 1 }) { n in
      numbers(n).filter { (v: Int) -> Bool in v == n - 1 }
    },
    Chain("drop", count: { _ in 1 }) { n in numbers(n).dropFirst(n - 1) },
    Chain("prefix") { n in numbers(n + 9).prefix(n) },
    Chain("removeDuplicates, of equal values", count: { _ in 1 }) { n in
      numbers(n).map { (_: Int) -> Int in 1 }.removeDuplicates()
    },
    Chain("scan, tryMap") { n in
      numbers(n).scan(0) { (sum: Int, _: Int) -> Int in sum &+ 1 }.tryMap { (v: Int) throws -> Int in v }
        .assertNoFailure()
    },
    Chain("append") { n in numbers(n / 2).append(numbers(n / 2)) },
    Chain("append, as many times as there are values") { n in
      numbers(n / 2).flatMap(maxPublishers: .max(1)) { (v: Int) -> AnyPublisher<Int, Never> in
        [v].lazy.publisher.append([v].lazy.publisher).eraseToAnyPublisher()
      }
    },
    Chain("prepend") { n in numbers(n / 2).prepend(numbers(n / 2)) },
    Chain("retry", count: { _ in 0 }) { n in
      Fail<Int, TestError>(error: .oops).retry(n).catch { (_: TestError) -> Empty<Int, Never> in Empty() }
    },
    Chain("catch, then retry", count: { $0 }) { n in
      var left = n
      return Deferred { () -> AnyPublisher<Int, TestError> in
        left -= 1
        return left > 0
          ? Just(left).setFailureType(to: TestError.self).append(Fail(error: .oops)).eraseToAnyPublisher()
          : Just(0).setFailureType(to: TestError.self).eraseToAnyPublisher()
      }
      .catch { (error: TestError) -> Fail<Int, TestError> in Fail(error: error) }
      .retry(n).catch { (_: TestError) -> Empty<Int, Never> in Empty() }
    },
    Chain("flatMap") { n in numbers(n).flatMap { (v: Int) -> Just<Int> in Just(v) } },
    Chain("flatMap of erased publishers") { n in
      numbers(n).flatMap { (v: Int) -> AnyPublisher<Int, Never> in [v].lazy.publisher.eraseToAnyPublisher() }
    },
    Chain("flatMap, one at a time") { n in
      numbers(n).flatMap(maxPublishers: .max(1)) { (v: Int) -> AnyPublisher<Int, Never> in
        [v].lazy.publisher.eraseToAnyPublisher()
      }
    },
    Chain("flatMap of empty publishers", count: { _ in 0 }) { n in
      numbers(n).flatMap(maxPublishers: .max(1)) { (_: Int) -> Empty<Int, Never> in Empty() }
    },
    Chain("merge") { n in numbers(n / 2).merge(with: numbers(n / 2)) },
    Chain("zip") { n in numbers(n).zip(numbers(n)) { (a: Int, _: Int) -> Int in a } },
    Chain("combineLatest") { n in Just(1).combineLatest(numbers(n)) { (_: Int, b: Int) -> Int in b } },
    Chain("buffer") { n in numbers(n).buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest) },
    Chain("receive(on:)") { n in numbers(n).receive(on: ImmediateScheduler.shared) },
    Chain("handleEvents") { n in numbers(n).handleEvents(receiveOutput: { (_: Int) -> Void in }) },
    Chain("multicast, autoconnect", count: { _ in 1 }) { n in
      numbers(n).multicast(subject: PassthroughSubject<Int, Never>()).autoconnect().first()
    },
  ]

  @Test("nested requests, each in a delivery", arguments: chains)
  func requests(_ chain: Chain) {
    let steps = Effort.steps
    let (count, deepest, isFinished) = run(chain.make(steps), demand: .max(1)) { $0.request(.max(1)) }
    #expect(count == chain.count(steps))
    #expect(deepest <= 1)
    #expect(isFinished)
  }

  @Test("synchronous steps, all requested together", arguments: chains)
  func steps(_ chain: Chain) {
    let steps = Effort.steps
    let (count, deepest, isFinished) = run(chain.make(steps), demand: .unlimited) { _ in }
    #expect(count == chain.count(steps))
    #expect(deepest <= 1)
    #expect(isFinished)
  }

  @Test("switchToLatest, with as many publishers as values")
  func switches() {
    let steps = Effort.steps
    var made = 0
    let publisher = Self.numbers(steps).map { (v: Int) -> AnyPublisher<Int, Never> in
      made += 1
      return [v].lazy.publisher.eraseToAnyPublisher()
    }.switchToLatest()
    let (count, deepest, isFinished) = run(publisher, demand: .unlimited) { _ in }
    // A new publisher replaces one with a pending value, so only the last value is certain.
    #expect(count >= 1)
    #expect(made == steps)
    #expect(deepest <= 1)
    #expect(isFinished)
  }

  /// Operators whose deliveries send the next value, on a scheduler that runs actions inline.
  enum Fed: CaseIterable {
    case receive, receiveOnce, delay, throttle, collect

    fileprivate func make(_ source: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> {
      let scheduler = ImmediateScheduler.shared
      return switch self {
      case .receive: AnyPublisher(source.receive(on: scheduler))
      case .receiveOnce: AnyPublisher(source.receive(on: scheduler, hops: .oneForAll))
      case .delay: AnyPublisher(source.delay(for: 1, scheduler: scheduler))
      case .throttle: AnyPublisher(source.throttle(for: 1, scheduler: scheduler, latest: true))
      case .collect: AnyPublisher(source.collect(.byTimeOrCount(scheduler, 1, 1)).map { (a: [Int]) -> Int in a[0] })
      }
    }
  }

  @Test("values that deliveries of a scheduler send", arguments: Fed.allCases)
  func fed(_ tested: Fed) {
    let steps = Effort.steps
    let source = PassthroughSubject<Int, Never>()
    var count = 0
    onSmallStack {
      let cancellable = tested.make(source).sink { (value: Int) -> Void in
        count += 1
        source.send(value < steps ? value + 1 : 0)
        if value == steps { source.send(completion: .finished) }
      }
      source.send(1)
      cancellable.cancel()
    }
    #expect(count >= steps)
  }

  private func run(
    _ publisher: any Publisher<Int, Never>, demand: Subscribers.Demand, _ onValue: @escaping (any Subscription) -> Void
  ) -> (count: Int, deepest: Int, isFinished: Bool) {
    var (count, depth, deepest, isFinished) = (0, 0, 0, false)
    onSmallStack {
      var subscription: (any Subscription)?
      AnyPublisher(publisher).subscribe(
        AnySubscriber<Int, Never>(
          receiveSubscription: { (new: any Subscription) -> Void in
            subscription = new
            new.request(demand)
          },
          receiveValue: { (_: Int) -> Subscribers.Demand in
            depth += 1
            count += 1
            deepest = max(deepest, depth)
            if let subscription { onValue(subscription) }
            depth -= 1
            return .none
          },
          receiveCompletion: { (_: Subscribers.Completion<Never>) -> Void in
            isFinished = true
            subscription = nil
          }))
    }
    return (count, deepest, isFinished)
  }

  struct Link: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let add: @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>

    static let all: [Link] = [
      Link(testDescription: "map") { $0.map { (v: Int) -> Int in v }.eraseToAnyPublisher() },
      Link(testDescription: "prefix") { $0.prefix(100).eraseToAnyPublisher() },
      Link(testDescription: "append") { $0.append(Empty()).eraseToAnyPublisher() },
      Link(testDescription: "merge") { $0.merge(with: Empty()).eraseToAnyPublisher() },
    ]
  }

  /// The number of bytes for each operator by which the stack of a chain grows.
  static let bytesPerOperator = 16 * 1024

  @Test("a chain of 10,000 operators subscribes, runs, is cancelled and is deallocated", arguments: Link.all)
  func longChains(_ link: Link) {
    #if WEIR_PTHREAD_LOCK
    // Thread Sanitizer has its own stack of 65,536 calls, which a chain of 10,000 overflows.
    let length = 1_000
    #else
    let length = 10_000
    #endif
    onAnotherThread(stack: length * Self.bytesPerOperator) {
      let subject = PassthroughSubject<Int, Never>()
      let isGone =
        isReleased { token in
          var chain = subject.eraseToAnyPublisher()
          for _ in 0..<length { chain = link.add(chain) }
          var values: [Int] = []
          let cancellable = chain.sink { (value: Int) -> Void in withExtendedLifetime(token) { values.append(value) } }
          for value in 1...3 { subject.send(value) }
          #expect(values == [1, 2, 3])
          cancellable.cancel()
          subject.send(4)
          #expect(values == [1, 2, 3])
        }
      #expect(isGone)
    }
  }
}
