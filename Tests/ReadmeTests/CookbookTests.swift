import Foundation
import Testing
import Weir
import WeirControls
import WeirRx
import WeirTesting

/// Every Swift block of the cookbook stands here word for word, and runs.
@Suite("Cookbook")
struct CookbookTests {
  @Test("has no Swift block that isn't run here")
  func blocks() throws {
    try checkBlocks(of: "Sources/Weir/Weir.docc/Cookbook.md", count: 23)
  }
}

// MARK: A search box over an async function

@MainActor
final class SearchBox<Clock: Scheduler> {
  let text = CurrentValueSubject<String, Never>("")
  let results = CurrentValueSubject<[String], Never>([])
  private var bag = Set<AnyCancellable>()

  init(clock: Clock, search: @escaping @Sendable (String) async throws -> [String]) {
    text
      .dropFirst()
      .debounce(for: .milliseconds(300), scheduler: clock)
      .removeDuplicates()
      .map { text in Just(text).tryAsyncMap { try await search($0) }.replaceError(with: []) }
      .switchToLatest()
      .sink(on: MainActor.shared) { [results] in results.send($0) }
      .store(in: &bag)
  }
}

@Test @MainActor func aNewTextCancelsTheSearchBefore() async {
  let clock = VirtualTimeScheduler()
  let (log, entries) = AsyncStream.makeStream(of: String.self)
  let box = SearchBox(clock: clock) { text in
    entries.yield("searches \(text)")
    if text == "swift" { return ["swift.org"] }
    let silence = AsyncStream<Int> { _ in }
    for await _ in silence {}  // until a cancel
    entries.yield("cancelled \(text)")
    return []
  }
  var iterator = log.makeAsyncIterator()

  box.text.send("s")
  box.text.send("sw")
  clock.advance(by: .milliseconds(300))
  #expect(await iterator.next() == "searches sw")

  box.text.send("swift")
  clock.advance(by: .milliseconds(300))
  #expect(await box.results.filter { !$0.isEmpty }.first == ["swift.org"])
  let rest = [await iterator.next(), await iterator.next()]
  #expect(Set(rest) == ["cancelled sw", "searches swift"])
}

// MARK: Polling

extension Scheduler {
  /// Asks immediately, and again when the interval has passed since the last answer.
  func poll<Answers: Publisher>(
    every interval: SchedulerTimeType.Stride, _ ask: @escaping () -> Answers
  ) -> some Publisher<Answers.Output, Answers.Failure> {
    Just(())
      .append(Just(()).delay(for: interval, scheduler: self).repeated())
      .setFailureType(to: Answers.Failure.self)
      .flatMap(maxPublishers: .max(1)) { _ in ask() }
  }
}

@Test func theIntervalBeginsWithTheAnswer() throws {
  let clock = VirtualTimeScheduler()
  var count = 0
  let answers = clock.poll(every: 10) { () -> Publishers.Delay<Just<Int>, VirtualTimeScheduler> in
    count += 1
    return Just(count).delay(for: 2, scheduler: clock)
  }
  try verify(answers, on: clock) {
    request(.unlimited)
    advance(by: 2)
    next(1)
    noEvent(for: 11)
    advance(by: 1)
    next(2)
  }
}

// MARK: Work at fixed times

extension Scheduler {
  /// Sends the time at each interval; a slow subscriber receives only the last one that it has missed.
  func ticks(every interval: SchedulerTimeType.Stride) -> AnyPublisher<SchedulerTimeType, Never> {
    .create(.latest) { ticks in
      schedule(after: now.advanced(by: interval), interval: interval) { ticks.send(now) }
    }
  }
}

@Test func aSlowSubscriberMissesTicks() throws {
  let clock = VirtualTimeScheduler()
  let lateness = clock.ticks(every: 60).map { $0.distance(to: clock.now) }
  try verify(lateness, on: clock) {
    request(1)
    noEvent(for: 59)
    advance(by: 1)
    next(0)
    noEvent(for: 200)
    request(1)
    next(20)
  }
}

// MARK: Pagination by demand

struct Page {
  var items: [String]
  var next: Int?
}

@MainActor
final class Feed {
  let scrolledToEnd = PassthroughSubject<Void, Never>()
  private(set) var items: [String] = []
  private var next: Int? = 0
  private var bag = Set<AnyCancellable>()

  init(load: @escaping (Int) -> AnyPublisher<Page, Never>) {
    scrolledToEnd
      .prepend(())
      .compactMap { [unowned self] _ in next }
      .flatMap(maxPublishers: .max(1)) { load($0) }
      .sink { [unowned self] page in
        items += page.items
        next = page.next
      }
      .store(in: &bag)
  }
}

@Test @MainActor func eachPageIsRequestedOnce() {
  let clock = VirtualTimeScheduler()
  var requested: [Int] = []
  let feed = Feed { number in
    requested.append(number)
    let page = Page(items: ["item \(number)"], next: number < 2 ? number + 1 : nil)
    return Just(page).delay(for: 1, scheduler: clock).eraseToAnyPublisher()
  }
  feed.scrolledToEnd.send()  // the first page is still being loaded
  clock.advance(by: 1)
  #expect(feed.items == ["item 0"])

  for _ in 1...5 {
    feed.scrolledToEnd.send()
    feed.scrolledToEnd.send()
    clock.advance(by: 1)
  }
  #expect(feed.items == ["item 0", "item 1", "item 2"])
  #expect(requested == [0, 1, 2])
}

// MARK: Retry with backoff

extension Publisher {
  /// Tries again after one, two and four seconds.
  func retryPatiently(on clock: some Scheduler, jitter: Double = 0.2) -> some Publisher<Output, Failure> {
    retry(3, backoff: .exponential(.seconds(1), maximum: .seconds(30)), jitter: jitter, scheduler: clock)
  }
}

struct Offline: Error {}

@Test func waitsTwiceAsLongBeforeTheNextAttempt() throws {
  let clock = VirtualTimeScheduler()
  var attempts = 0
  let source = Deferred { () -> Result<String, Offline>.Publisher in
    attempts += 1
    let answer: Result<String, Offline> = attempts < 3 ? .failure(Offline()) : .success("hello")
    return answer.publisher
  }
  try verify(source.retryPatiently(on: clock, jitter: 0), on: clock) {
    request(1)
    noEvent(for: .milliseconds(2999))
    then { #expect(attempts == 2) }
    advance(by: .milliseconds(1))
    next("hello")
    finished()
  }
}

// MARK: A file as a publisher

extension URL {
  /// The content of the file, in chunks.
  func chunks(of size: Int = 64 * 1024) -> some Publisher<Data, any Error> {
    Deferred { Result { try FileHandle(forReadingFrom: self) }.publisher }
      .map { file in
        repeatElement(file, count: .max).lazy.publisher
          .tryMap { try $0.read(upToCount: size) ?? Data() }
          .prefix { !$0.isEmpty }
      }
      .switchToLatest()
  }
}

@Test func aChunkIsReadWhenItIsRequested() throws {
  let file = FileManager.default.temporaryDirectory.appending(path: "cookbook-\(UUID())")
  try Data("abcdefg".utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }

  try verify(file.chunks(of: 3)) {
    request(1)
    next(Data("abc".utf8))
    noEvent()
    request(.unlimited)
    next(Data("def".utf8), Data("g".utf8))
    finished()
  }
  try verify(URL(filePath: "/no/such/file").chunks()) {
    request(1)
    failure()
  }
}

// MARK: Progress of several downloads

extension Collection {
  /// Runs a download for each element, at most `limit` at a time, and sends what part of them has completed.
  func progress<Download: Publisher>(
    atMost limit: Int = 3, _ download: @escaping (Element) -> Download
  ) -> some Publisher<Double, Download.Failure> {
    let total = Double(count)
    return
      publisher
      .setFailureType(to: Download.Failure.self)
      .flatMap(maxPublishers: .max(limit)) { element in download(element).last() }
      .scan(0) { (completed: Double, _: Download.Output) -> Double in completed + 1 }
      .map { $0 / total }
  }
}

@Test func threeDownloadsRunAtOnce() throws {
  let clock = VirtualTimeScheduler()
  var (running, most) = (0, 0)
  let progress = ["a", "b", "c", "d", "e"].progress { name in
    Just(name).delay(for: 1, scheduler: clock).handleEvents(
      receiveSubscription: { _ in
        running += 1
        most = max(most, running)
      },
      receiveCompletion: { _ in running -= 1 })
  }
  try verify(progress, on: clock) {
    request(.unlimited)
    advance(by: 1)
    next(0.2, 0.4, 0.6)
    advance(by: 1)
    next(0.8, 1)
    finished()
  }
  #expect(most == 3)
}

// MARK: A form

@MainActor
final class LoginForm {
  let name = TextField()
  let password = TextField()
  let login = Button(title: "Log in")
  private let bag = CancelBag()

  init(submit: @escaping (String, String) -> AnyPublisher<Void, Never>) {
    let entered = name.rx.text.orEmpty.combineLatest(password.rx.text.orEmpty)
    entered
      .map { name, password in !name.isEmpty && password.count >= 8 }
      .bind(to: login.rx.isEnabled)
      .store(in: bag)
    login.rx.tap
      .withLatestFrom(entered)
      .flatMap(maxPublishers: .max(1)) { name, password in submit(name, password) }
      .sink { _ in }
      .store(in: bag)
  }
}

@Test @MainActor func aFormIsSubmittedOnce() {
  var submitted: [String] = []
  let answer = PassthroughSubject<Void, Never>()
  let form = LoginForm { name, _ in
    submitted.append(name)
    return answer.first().eraseToAnyPublisher()
  }
  form.name.type("ada")
  form.password.type("lovelac")
  #expect(!form.login.isEnabled)
  form.login.tap()
  form.password.type("e")
  form.login.tap()
  form.login.tap()
  #expect(submitted == ["ada"])
  answer.send()
  form.login.tap()
  #expect(submitted == ["ada", "ada"])
}

// MARK: A countdown

extension Scheduler {
  /// Sends how many are left, from `count` down to 0.
  func countdown(
    from count: Int, every interval: SchedulerTimeType.Stride = .seconds(1)
  ) -> some Publisher<Int, Never> {
    Just(())
      .delay(for: interval, scheduler: self)
      .repeated(count)
      .scan(count) { left, _ in left - 1 }
      .prepend(count)
  }
}

@Test func countsToZero() throws {
  let clock = VirtualTimeScheduler()
  try verify(clock.countdown(from: 3), on: clock) {
    request(.unlimited)
    next(3)
    noEvent(for: .milliseconds(999))
    advance(by: .milliseconds(1))
    next(2)
    advance(by: 2)
    next(1, 0)
    finished()
  }
}

// MARK: A cache

final class Cache<Key: Hashable, Value> {
  private var entries: [Key: AnyPublisher<Value, any Error>] = [:]
  private let load: (Key) -> AnyPublisher<Value, any Error>

  init(load: @escaping (Key) -> AnyPublisher<Value, any Error>) {
    self.load = load
  }

  func value(for key: Key) -> AnyPublisher<Value, any Error> {
    if let entry = entries[key] { return entry }
    let entry = load(key)
      .handleEvents(receiveCompletion: { [weak self] in
        if case .failure = $0 { self?.entries[key] = nil }
      })
      .share(replay: 1, scope: .forever)
      .eraseToAnyPublisher()
    entries[key] = entry
    return entry
  }
}

@Test func aValueIsLoadedOnceAndAFailureIsNotKept() throws {
  var loads = 0
  var answers = PassthroughSubject<String, any Error>()
  let cache = Cache<Int, String> { _ in
    loads += 1
    answers = PassthroughSubject()
    return answers.first().eraseToAnyPublisher()
  }
  func subscriber() -> TestSubscriber<String, any Error> {
    let subscriber = TestSubscriber<String, any Error>(demanding: .unlimited)
    cache.value(for: 7).subscribe(subscriber)
    return subscriber
  }
  let failed = subscriber()
  answers.send(completion: .failure(Offline()))
  #expect(failed.failure is Offline)

  let (first, second) = (subscriber(), subscriber())
  answers.send("ada")
  let late = subscriber()
  #expect([first, second, late].map(\.values) == [["ada"], ["ada"], ["ada"]])
  #expect(loads == 2)
}

// MARK: A delegate as a publisher

protocol CompassDelegate: AnyObject {
  func compassDidTurn(to degrees: Double)
}

final class Compass {
  weak var delegate: (any CompassDelegate)?
}

final class Headings: DelegatePublisher<Double>, CompassDelegate {
  private let compass: Compass

  init(of compass: Compass) {
    self.compass = compass
  }

  override func install() { compass.delegate = self }
  override func remove() { compass.delegate = nil }

  func compassDidTurn(to degrees: Double) { send(degrees) }
}

@Test func theDelegateIsInstalledWhileSomebodyListens() throws {
  let compass = Compass()
  try verify(Headings(of: compass).map { Int($0) }.removeDuplicates()) {
    request(.unlimited)
    then { compass.delegate?.compassDidTurn(to: 90.2) }
    next(90)
    then { compass.delegate?.compassDidTurn(to: 90.4) }
    noEvent()
    cancel()
    then { #expect(compass.delegate == nil) }
  }
}
