import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("merge, zip and combineLatest of a collection, and zip with a prefetch")
struct ZipAndCombineLatestManyTests {
  typealias Source = ManualPublisher<Int, TestError>

  let sources = [Source(), Source(), Source()]

  @Test("conform to the operator contract")
  func rules() {
    func keep(_ token: Token) -> ([Int]) -> [Int] { { values in withExtendedLifetime(token) { values } } }
    checkCommonRules(named: "ZipMany") { source, token in
      [(10...20).publisher.setFailureType(to: TestError.self).eraseToAnyPublisher(), source].zip().map(keep(token))
    }
    checkCommonRules(named: "CombineLatestMany") { source, token in [source].combineLatest().map(keep(token)) }
    // A failure may overtake buffered values, and their number depends on the demand.
    checkCommonRules(named: "Zip", failingWith: nil) { source, token in
      (10...20).publisher.zip(source.ignoreFailure(), prefetch: 2)
        .map { (pair: (Int, Int)) -> [Int] in keep(token)([pair.0, pair.1]) }
    }
  }

  @Test("merge forwards the values of all publishers")
  func merges() {
    let recorder = sources.merge().record(demanding: .unlimited)
    sources[2].send(1)
    sources[0].send(2)
    for source in sources { source.send(completion: .finished) }
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect([Source]().merge().record().events == [.subscription, .finished])
  }

  @Test("zip groups values by their position")
  func zips() {
    let recorder = sources.zip().record(demanding: .max(2))
    #expect(sources.allSatisfy { $0.events == [.requested(.max(2))] })
    for value in 1...2 { sources[0].send(value) }
    for value in 11...12 { sources[1].send(value) }
    #expect(recorder.values == [])
    sources[2].send(21)
    #expect(recorder.values == [[1, 11, 21]])
    sources[2].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 11, 21]), .finished])
    #expect(sources.map(\.isCancelledOnce) == [true, true, false])
    #expect([Source]().zip().record().events == [.subscription, .finished])
  }

  @Test("zip of many requests nothing from one that ends while another answers a request")
  func endsInRequest() {
    for fails in [false, true] {
      let many = (0..<40).map { _ in Source() }
      let recorder = many.zip().record()
      many[0].subscriptions[0].onRequest = { [first = many[0], last = many[39]] _ in
        if fails { return first.send(completion: .failure(.oops)) }
        last.send(1)
        last.send(completion: .finished)
      }
      recorder.request(.max(1))
      #expect(many[39].events == (fails ? [.cancelled] : []))
      #expect(many[1..<39].allSatisfy { $0.events == [fails ? .cancelled : .requested(.max(1))] })
      many[0].subscriptions[0].onRequest = { _ in }
    }
  }

  @Test("combineLatest sends the latest values of all publishers")
  func combines() {
    let recorder = sources.combineLatest().record(demanding: .unlimited)
    sources[0].send(1)
    sources[1].send(2)
    sources[0].send(3)
    sources[2].send(4)
    sources[1].send(5)
    sources[0].send(completion: .finished)
    sources[2].send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value([3, 2, 4]), .value([3, 5, 4]), .failed(.oops)])
    #expect(sources.map(\.isCancelledOnce) == [false, true, false])
    #expect([Source]().combineLatest().record().events == [.subscription, .finished])
  }

  @Test("accept any number of publishers", arguments: [1, 2, 64, 65, 200])
  func many(_ count: Int) {
    let several = (0..<count).map { (n: Int) in [n, n + 1000].lazy.publisher }
    let both = [Array(0..<count), Array(1000..<(1000 + count))]
    #expect(
      several.zip().record(demanding: .unlimited).events == [.subscription] + both.map { .value($0) } + [.finished])
    let subjects = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = subjects.combineLatest().record(demanding: .unlimited)
    for (number, subject) in subjects.enumerated() { subject.send(number) }
    #expect(recorder.values == [Array(0..<count)])
    for subject in subjects {
      #expect(!recorder.isFinished)
      subject.send(completion: .finished)
    }
    #expect(recorder.isFinished)
  }

  @Test("zip loses no value when several threads send")
  func races() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = subjects.zip().record(demanding: .unlimited)
    race(
      { for value in 0..<2000 { subjects[0].send(value) } }, { for value in 0..<2000 { subjects[1].send(value) } },
      { for value in 0..<2000 { subjects[2].send(value) } })
    #expect(recorder.values == (0..<2000).map { [$0, $0, $0] })
  }

  // MARK: Prefetch

  @Test("requests the prefetch from each side, and one more with each delivered pair")
  func prefetches() {
    let recorder = sources[0].zip(sources[1], prefetch: 3).map { (pair: (Int, Int)) -> Int in pair.0 * pair.1 }
      .record(demanding: .max(1))
    #expect(sources[0].events == [.requested(.max(3))])
    #expect(sources[1].events == [.requested(.max(3))])
    for value in 1...3 { #expect(sources[0].send(value) == .none) }
    #expect(sources[1].send(10) == .max(1))
    #expect(sources[0].events == [.requested(.max(3)), .requested(.max(1))])
    #expect(sources[1].send(20) == .none)
    #expect(recorder.values == [10])
    recorder.request(.unlimited)
    #expect(recorder.values == [10, 40])
    #expect(sources[0].events == [.requested(.max(3)), .requested(.max(1)), .requested(.max(1))])
    #expect(sources[1].events == [.requested(.max(3)), .requested(.max(1))])
  }

  @Test("buffers at most the prefetch for a slow side")
  func bounded() {
    var sent = 0
    let fast = (0..<1000).lazy.publisher.handleEvents(receiveOutput: { _ in sent += 1 })
    let slow = PassthroughSubject<Int, Never>()
    let recorder = fast.zip(slow, prefetch: 5).map { (pair: (Int, Int)) -> Int in pair.0 }.record(demanding: .unlimited)
    #expect(sent == 5)
    for value in 0..<100 { slow.send(value) }
    #expect(sent == 105)
    #expect(recorder.values == Array(0..<100))
  }

  @Test("forwards all values of three or four publishers with any prefetch", arguments: [1, 2, 50])
  func arities(_ prefetch: Int) {
    let numbers = (0..<20).lazy.publisher
    let three = numbers.zip(numbers, numbers, prefetch: prefetch).map { (all: (Int, Int, Int)) -> Int in
      all.0 + all.1 + all.2
    }
    let four = numbers.zip(numbers, numbers, numbers, prefetch: prefetch).map { (all: (Int, Int, Int, Int)) -> Int in
      all.0 + all.1 + all.2 + all.3
    }
    #expect(three.record(demanding: .unlimited).values == (0..<20).map { $0 * 3 })
    #expect(four.record(demanding: .max(1), returning: .max(1)).values == (0..<20).map { $0 * 4 })
  }

  @Test("requires a prefetch of at least 1")
  func badPrefetch() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).zip(Just(2), prefetch: 0) }
  }
}
