import Dispatch
import Foundation
import Testing
import Weir
import WeirControls
import WeirDispatch
import WeirFoundation
import WeirRx
import WeirTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every Swift block of the page on coming from Rx stands here word for word.
@Suite("The page on coming from Rx")
@MainActor
struct ComingFromRxTests {
  let source = PassthroughSubject<Int, Never>()
  let other = PassthroughSubject<Int, Never>()
  let failing = PassthroughSubject<Int, any Error>()
  let publishers = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
  let flags = PassthroughSubject<Bool, Never>()
  let scheduler = DispatchQueue.main
  let bag = CancelBag()
  let object = Log()
  let model = Model()
  let name = CurrentValueRelay("")
  let url = URL(filePath: "/")
  let label = Label()
  let button = Button()
  let toggle = Switch()
  let pages = PageControl()
  let field = TextField()
  let search = SearchField()

  struct Failed: Error {}

  final class Log {
    var values: [Int] = []
  }

  final class Model: ObservableObject {
    @Published var name = "ada"
  }

  @Test("has no block that isn't here, and a line of code for each row that differs")
  func page() throws {
    let page = try DocumentedPage("Sources/Weir/Weir.docc/ComingFromRx.md")
    let source = DocumentedPage.squeezed(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    #expect(page.sections.count == 16)
    for section in page.sections {
      #expect(section.blocks.count == 1, "in \(section.title)")
      for block in section.blocks {
        let isHere = source.contains(DocumentedPage.squeezed(block))
        #expect(isHere, "not compiled:\n\(block)")
      }
      for row in section.rows where !row.here.hasPrefix("the same") && !row.here.hasPrefix("none") {
        let name = try #require(row.names.first, "in \(section.title)")
        #expect(section.shows(name), "no example of \(name) in \(section.title)")
      }
    }
  }

  @Test("makes publishers")
  func makingPublishers() {
    _ = AnyPublisher<Int, Never>.create { emitter in  // create
      emitter.send(1)
      emitter.send(completion: .finished)
      return AnyCancellable { print("no longer wanted") }
    }
    _ = Just(1)  // just
    _ = [1, 2, 3].publisher  // of, from
    _ = Optional(1).publisher  // from(optional:)
    _ = Empty<Int, Never>()  // empty
    _ = Empty<Int, Never>(completeImmediately: false)  // never
    _ = Fail<Int, any Error>(error: Failed())  // error
    _ = Deferred { Just(1) }  // deferred
    _ = (1...3).publisher  // range
    _ = sequence(first: 1) { $0 * 2 }.publisher  // generate
    _ = repeatElement(1, count: 3).publisher  // repeatElement
    _ = Just(1).repeated()  // repeatElement, for ever
    _ = Timer.publish(every: 1, on: .main, in: .common).autoconnect().scan(-1) { count, _ in count + 1 }  // interval
    _ = Just(0).delay(for: .seconds(1), scheduler: scheduler)  // timer
    _ = AnyPublisher<Int, Never>.using({ AnyCancellable {} }, { _ in Just(1) })  // using
  }

  @Test("transforms")
  func transforming() {
    _ = source.scan([]) { $0 + [$1] }  // scan(into:)
    _ = source.collect().asSingle()  // toArray
    _ = source.collect(.byTimeOrCount(scheduler, .seconds(1), 10))  // buffer(timeSpan:count:scheduler:)
    _ = source.window(time: .seconds(1), scheduler: scheduler)  // window(timeSpan:count:scheduler:)
    _ = source.window(count: 10)  // window, by count
    _ = source.groupBy { $0 % 2 }.flatMap { group in group.map { (group.key, $0) } }  // groupBy(keySelector:)
    _ = publishers.flatMap { $0 }  // merge()
    _ = publishers.flatMap(maxPublishers: .max(2)) { $0 }  // merge(maxConcurrent:)
    _ = publishers.concatMap { $0 }  // concat()
    _ = publishers.switchToLatest()  // switchLatest
    _ = source.compactMap { [weak object] value in object.map { ($0, value) } }  // withUnretained
    _ = source.compactMap { $0 as Any as? Int }  // cast
  }

  @Test("filters")
  func filtering() {
    _ = source.removeDuplicates()  // distinctUntilChanged
    _ = source.first()  // first
    _ = source.output(at: 2)  // element(at:)
    _ = source.ignoreOutput()  // ignoreElements
    _ = source.asSingle()  // single
    _ = source.dropFirst(2)  // skip
    _ = source.drop(untilOutputFrom: Just(()).delay(for: .seconds(1), scheduler: scheduler))  // skip(_:scheduler:)
    _ = source.drop { $0 < 2 }  // skip(while:)
    _ = source.drop(untilOutputFrom: other)  // skip(until:)
    _ = source.prefix(2)  // take
    _ = source.prefix(untilOutputFrom: Just(()).delay(for: .seconds(1), scheduler: scheduler))  // take(for:scheduler:)
    _ = source.prefix { $0 < 2 }  // take(while:)
    _ = source.take(until: { $0 >= 2 }, behavior: .inclusive)  // take(while:behavior:)
    _ = source.collect().flatMap { $0.suffix(2).publisher }  // takeLast
    _ = source.debounce(for: .milliseconds(300), scheduler: scheduler)  // debounce(_:scheduler:)
    _ = source.throttle(for: .seconds(1), scheduler: scheduler, latest: true)  // throttle(_:latest:scheduler:)
  }

  @Test("combines")
  func combining() {
    _ = source.withLatestFrom(other) { $0 + $1 }  // withLatestFrom(_:resultSelector:)
    _ = source.prepend(0)  // startWith
    _ = source.append(other)  // concat
    _ = source.merge(with: other)  // merge
    _ = [source, other].merge()  // merge of a collection
    _ = source.combineLatest(other) { $0 + $1 }  // combineLatest
    _ = [source, other].combineLatest()  // combineLatest of a collection
    _ = source.zip(other)  // zip
    _ = [source, other].zip()  // zip of a collection
    _ = source.amb(with: other)  // amb
    _ = source.replaceEmpty(with: 0)  // ifEmpty(default:)
    _ = source.map { Just($0).eraseToAnyPublisher() }.replaceEmpty(with: other.eraseToAnyPublisher())
      .flatMap { $0 }  // ifEmpty(switchTo:)
  }

  @Test("handles failures and time")
  func failuresAndTime() {
    _ = failing.catch { _ in source }  // catchError
    _ = failing.replaceError(with: 0)  // catchAndReturn
    _ = failing.catch { _ in failing }.catch { _ in source }  // catch(sequence:)
    _ = failing.retry(.max)  // retry()
    _ = failing.retry(2)  // retry(_:), with 3 in RxSwift
    _ = failing.timeout(.seconds(1), scheduler: scheduler, customError: { Failed() })  // timeout(_:scheduler:)
    _ = failing.timeout(.seconds(1), scheduler: scheduler, customError: { Failed() })
      .catch { _ in source }  // timeout(_:other:scheduler:)
    _ = source.receive(on: scheduler)  // observe(on:)
    _ = source.delay(for: .seconds(1), scheduler: scheduler)  // delay(_:scheduler:)
    _ = Just(()).delay(for: .seconds(1), scheduler: scheduler).flatMap { source }  // delaySubscription
    _ = source.handleEvents(receiveOutput: { _ in }, receiveCancel: {})  // do
    _ = source.print("source")  // debug
  }

  @Test("shares")
  func sharing() {
    let connection = source.makeConnectable().connect()  // publish
    connection.cancel()
    _ = source.multicast { ReplaySubject<Int, Never>(bufferSize: 3) }  // replay(_:)
    _ = source.multicast { ReplaySubject<Int, Never>() }  // replayAll
    _ = source.share()  // refCount, after publish
    _ = source.multicast { ReplaySubject<Int, Never>() }.autoconnect()  // refCount, after replayAll
    func connect(_ publisher: some ConnectablePublisher<Int, Never>) -> any Cancellable {  // ConnectableObservable
      publisher.connect()
    }
  }

  @Test("subscribes")
  func subscribingBindingLettingGo() {
    // subscribe(onNext:onError:onCompleted:onDisposed:)
    _ = source.handleEvents(receiveCancel: {}).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    _ = source.bind(with: object) { object, value in object.values.append(value) }  // subscribe(with:onNext:)
    _ = source.bind(to: { $0.sink { object.values.append($0) } })  // bind(to:curriedArgument:)
    source.subscribe(AnySubscriber(receiveSubscription: { $0.request(.max(1)) }))  // subscribe(_:)
    let subscription: any Cancellable = source.sink { _ in }  // Disposable
    subscription.cancel()  // dispose
    source.sink { _ in }.store(in: bag)  // disposed(by:)
    bag.insert(source.sink { _ in })  // DisposeBag.insert
    _ = AnyCancellable { print("gone") }  // Disposables.create
    let all = CancelBag()  // CompositeDisposable
    all.insert(source.sink { _ in })
    all.cancel()
    var latest: AnyCancellable?  // SerialDisposable
    latest = source.sink { _ in }
    latest = other.sink { _ in }  // the one before is cancelled
    latest?.cancel()
  }

  @Test("has types for")
  func typesSubjectsAndRelays() {
    let numbers: AnyPublisher<Int, Never> = source.eraseToAnyPublisher()  // Observable, asObservable
    func doubled(_ publisher: some Publisher<Int, Never>) -> some Publisher<Int, Never> {  // ObservableType
      publisher.map { $0 * 2 }
    }
    func fill(_ subscriber: some Subscriber<Int, Never>) {  // ObserverType
      numbers.subscribe(subscriber)
    }
    fill(AnySubscriber(PassthroughSubject<Int, Never>()))  // AnyObserver
    _ = failing.materialize().filter { if case .value = $0 { true } else { false } }  // Event
    let subject = PublishSubject<Int, any Error>()
    subject.send(1)  // on, onNext
    subject.send(completion: .failure(Failed()))  // onError, onCompleted
    // Infallible, asInfallible(onErrorJustReturn:)
    let safe: some Publisher<Int, Never> = failing.replaceError(with: 0)
    _ = safe.groupBy { $0 }.map { (group: GroupedPublisher<Int, Int, Never>) in group.key }  // GroupedObservable
    _ = ReplaySubject<Int, Never>(bufferSize: 2)  // ReplaySubject.create(bufferSize:)
    _ = ReplaySubject<Int, Never>()  // ReplaySubject.createUnbounded
    _ = source.last().share(replay: 1, scope: .forever)  // AsyncSubject
    _ = BehaviorSubject<Int, Never>(1).value  // value()
    func send(_ value: Int, to subject: some Subject<Int, Never>) {  // asObserver, SubjectType
      subject.send(value)
    }
    fill(
      AnySubscriber(receiveValue: { value in  // mapObserver
        object.values.append(value * 2)
        return .none
      }))
    let interval: DispatchQueue.SchedulerTimeType.Stride = .seconds(1)  // RxTimeInterval
    send(interval.magnitude, to: source)
    _ = TraitError.noElements  // RxError
  }

  @Test("has traits")
  func singleMaybeCompletable() {
    let single = Single<Int, any Error>.create { promise in
      promise(.success(1))
      return AnyCancellable {}
    }
    _ = failing.asSingle(orFailWith: { $0 })  // asSingle()
    _ = single.handleEvents(receiveCancel: {}).asSingle().subscribe()  // subscribe(onSuccess:onFailure:onDisposed:)
    _ = single.receive(on: scheduler)  // observe(on:)
    _ = single.delay(for: .seconds(1), scheduler: scheduler)  // delay(_:scheduler:)
    _ = single.timeout(.seconds(1), scheduler: scheduler, customError: { Failed() })  // timeout(_:scheduler:)
    _ = single.retry(2)  // retry(_:)
    _ = single.handleEvents(receiveOutput: { _ in }).asSingle()  // do
    _ = Completable<any Error>.zip(.empty(), .empty())  // Completable.merge
    _ = single.asPublisher()  // asObservable
    func answer() async throws -> Int? {  // value
      try await single.first
    }
  }

  @Test("has drivers and signals")
  func driverAndSignal() {
    let driver = source.asDriver()
    _ = Driver.just(driver).flatMapLatest { $0 }  // switchLatest
    _ = driver.asPublisher().append(other).asDriver()  // concat
    _ = driver.asPublisher().print("driver").asDriver()  // debug
    _ = driver.drive(with: object, onNext: { object, value in object.values.append(value) })  // withUnretained
    _ = driver.asPublisher()  // asObservable
    _ = driver.handleEvents(receiveCancel: {}).sink { _ in }  // drive(onNext:onCompleted:onDisposed:)
    _ = SharingScheduler.current  // SharingScheduler.make
    let states: SharedSequence<DriverSharing, Int> = driver  // DriverSharingStrategy
    let events: SharedSequence<SignalSharing, Int> = driver.asSignal()  // SignalSharingStrategy
    func last<Strategy: SharingStrategy>(_ sequence: SharedSequence<Strategy, Int>) {}  // SharingStrategyProtocol
    last(states)
    last(events)
  }

  @Test("has schedulers")
  func schedulers() {
    _ = source.receive(on: MainScheduler.instance)  // MainScheduler.instance
    _ = source.receive(on: DispatchQueue.main)  // MainScheduler.asyncInstance
    _ = source.receive(on: DispatchQueue(label: "work", qos: .utility))  // SerialDispatchQueueScheduler
    _ = source.receive(on: DispatchQueue.global())  // ConcurrentDispatchQueueScheduler
    _ = source.receive(on: OperationQueue())  // OperationQueueScheduler
    _ = source.receive(on: ImmediateScheduler.shared)  // CurrentThreadScheduler
    func run(on scheduler: some Scheduler) {  // SchedulerType
      scheduler.schedule {}  // schedule(_:action:)
      let soon = scheduler.now.advanced(by: .seconds(1))
      scheduler.schedule(after: soon) {}  // scheduleRelative
      scheduler.schedule(after: soon, interval: .seconds(1)) {}.cancel()  // schedulePeriodic
    }
  }

  @Test("tests")
  func rxtestAndRxblocking() throws {
    let clock = VirtualTimeScheduler()  // VirtualTimeScheduler, TestScheduler
    let hot = TestPublisher<Int, Never>(.hot, on: clock, [.at(1, .value(7)), .at(4, .finished)])  // createHotObservable
    let observer = TestSubscriber<Int, Never>(demanding: .unlimited, clock: clock)  // createObserver
    hot.delay(for: 2, scheduler: clock).subscribe(observer)
    clock.advance(by: 10)  // start
    _ = observer.history  // Recorded
    try observer.expect(marbles: "---7--|")  // XCTAssertEqual
    let latest = { await source.last }  // toBlocking, last
    _ = latest
  }

  @Test("offers controls")
  func rxcocoaWhatControlsOffer() {
    source.map { "\($0)" }.bind(to: label.rx.text).store(in: bag)  // label.rx.text
    source.bind(to: Binder(pages) { $0.numberOfPages = $1 }).store(in: bag)  // titleForSegment(at:)
    toggle.rx.isOn.bind(to: button.rx.isEnabled).store(in: bag)  // value
    search.rx.didBeginEditing.sink { print("searching") }.store(in: bag)  // textDidBeginEditing
    field.rx.text.orEmpty.changed.bind(to: label.rx.text).store(in: bag)  // didChange
    label.rx.gesture(.tap()).sink { _ in print("tapped") }.store(in: bag)  // event
    _ = PropertyChannel(model, \.name)  // observe
    final class Names: DelegatePublisher<String> {  // DelegateProxy
      override func install() {}  // delegate = self
      override func remove() {}  // delegate = nil
    }
    _ = NotificationCenter.default.publisher(for: Notification.Name("saved"))  // NotificationCenter.rx.notification
    _ = URLSession.shared.dataTaskPublisher(for: url)  // URLSession.rx.response
    // URLSession.rx.json
    _ = URLSession.shared.dataTaskPublisher(for: url).map(\.data).decode(type: [Int].self, decoder: JSONDecoder())
    (field.rx.text.orEmpty <-> name).store(in: bag)  // TextInput
    bind(field.rx.text.orEmpty, to: model, \.name).store(in: bag)  // the same with a @Published property
  }

  @Test("replaces signals")
  func reactiveobjcSignals() {
    let signal: some Publisher<Int, Never> = source  // RACSignal
    _ = source.zip(other)  // zipWith:, combineLatestWith:
    _ = PassthroughSubject<Int, Never>()  // RACSubject
    _ = AnyPublisher<Int, Never>.create { _ in AnyCancellable {} }  // createSignal:
    _ = Just(1)  // return:
    _ = Deferred { source }  // defer:
    _ = Result { try JSONDecoder().decode(Int.self, from: Data()) }.publisher  // try:
    _ = Future<Int, Never> { $0(.success(1)) }  // startEagerlyWithScheduler:block:
    _ = source.scan((0, 0)) { ($0.1, $1) }.flatMap { [$0.0, $0.1].publisher }  // bind:
    _ = source.flatMap { Just($0) }  // flattenMap:
    _ = publishers.flatMap(maxPublishers: .max(2)) { $0 }  // flatten, flatten:
    _ = source.append(other)  // concat:
    _ = source.map { _ in 1 }  // mapReplace:
    _ = source.zip(other).map { $0 + $1 }  // reduceEach:
    _ = source.filter { $0 != 1 }  // ignore:
    _ = source.ignoreOutput()  // ignoreValues
    _ = source.prepend(0)  // startWith:
    _ = source.dropFirst(2).prefix(2)  // skip:, take:
    _ = source.drop { $0 < 2 }  // skipUntilBlock:
    _ = source.prefix { $0 < 2 }  // takeUntilBlock:
    _ = source.prefix(untilOutputFrom: other)  // takeUntil:
    _ = source.prefix(untilOutputFrom: other).merge(with: other)  // takeUntilReplacement:
    _ = source.scan(0) { $0 + $1 }  // scanWithStart:reduce:
    _ = source.reduce(0) { $0 + $1 }  // aggregateWithStart:reduce:
    _ = source.prepend(0).pairwise().map { $1 - $0 }  // combinePreviousWithStart:reduce:
    _ = source.removeDuplicates()  // distinctUntilChanged
    _ = source.merge(with: other)  // merge:
    _ = source.combineLatest(other) { $0 + $1 }  // combineLatest:reduce:
    _ = source.asCompletable().andThen(other)  // then:
    _ = source.handleEvents(receiveOutput: { _ in }, receiveCompletion: { _ in })  // doNext:, finally:
    _ = source.debounce(for: .seconds(1), scheduler: scheduler)  // throttle:
    _ = source.map { Just($0).delay(for: .seconds($0 > 1 ? 1 : 0), scheduler: scheduler) }
      .switchToLatest()  // throttle:valuesPassingTest:
    _ = source.delay(for: .seconds(1), scheduler: scheduler)  // delay:
    _ = Timer.publish(every: 1, tolerance: 0.1, on: .main, in: .common)  // interval:onScheduler:
    _ = source.collect(.byTime(scheduler, .seconds(1)))  // bufferWithTime:onScheduler:
    _ = failing.timeout(.seconds(1), scheduler: scheduler, customError: { Failed() })  // timeout:onScheduler:
    _ = source.repeated()  // repeat
    _ = failing.retry(2)  // retry, retry:
    _ = failing.catch { _ in source }  // catch:
    _ = source.tryMap { (value: Int) throws -> Int in if value < 0 { throw Failed() } else { value } }  // try:, tryMap:
    _ = source.subscribe(on: scheduler).receive(on: MainScheduler.shared)  // deliverOn:, subscribeOn:
    _ = flags.flatMapLatest { $0 ? source : other }  // switch:cases:default:
    _ = source.groupBy { $0 % 2 }  // groupBy:
    _ = source.contains { $0 > 1 }  // any, any:
    _ = source.allSatisfy { $0 > 1 }  // all:
    _ = flags.toggle()  // not
    _ = flags.combineLatest(flags) { $0 && $1 }  // and
    _ = source.makeConnectable()  // publish
    _ = source.share(replay: 1, scope: .forever)  // replay
    source.map { "\($0)" }.assign(to: \.name, on: model, ownership: .weak).store(in: bag)  // setKeyPath:onObject:
    source.sink { _ in }.store(in: bag)  // subscribeNext:error:completed:
    _ = signal.print("signal")  // logAll
  }

  @Test("replaces the rest")
  func reactiveobjcTheRest() {
    let channel = Channel<String, Never>()  // RACChannel
    channel.following.sink { print($0) }.store(in: bag)
    channel.leading.send("ada")  // leadingTerminal, followingTerminal
    (channel.following <-> PropertyChannel(model, \.name)).store(in: bag)  // RACKVOChannel
    (field.rx.text.orEmpty <-> name).store(in: bag)  // rac_newTextChannel
    _ = ReplaySubject<Int, Never>(bufferSize: 3)  // RACReplaySubject
    _ = CurrentValueSubject<Int, Never>(1)  // RACBehaviorSubject
    source.send(1)  // sendNext:
    source.send(completion: .finished)  // sendError:, sendCompleted
    let taker = AnySubscriber<Int, Never>(receiveSubscription: { $0.request(.unlimited) })  // RACSubscriber
    other.subscribe(taker)
    let scoped = other.sink { _ in }  // RACDisposable
    scoped.cancel()
    _ = other.share()  // RACMulticastConnection
    _ = other.groupBy { $0 }.map { (group: GroupedPublisher<Int, Int, Never>) in group.key }  // RACGroupedSignal
    let event: Publishers.Event<Int, Never> = .value(1)  // RACEvent
    _ = (event, ())  // RACUnit, RACTuple
    _ = [1, 2, 3].lazy.map { $0 * 2 }.publisher  // RACSequence
    _ = other.receive(on: MainScheduler.shared)  // RACScheduler
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) {}  // schedule:, after:schedule:
    model.$name.sink { print($0) }.store(in: bag)  // RACObserve
    button.publisher(for: .touchUpInside).sink { _ in }.store(in: bag)  // rac_signalForControlEvents:
    field.textPublisher.sink { _ in }.store(in: bag)  // rac_textSignal
    label.publisher(for: .tap()).sink { _ in }.store(in: bag)  // rac_gestureSignal
    _ = NotificationCenter.default.publisher(for: Notification.Name("saved"))  // rac_addObserverForName:object:
    _ = URLSession.shared.dataTaskPublisher(for: url)  // rac_sendAsynchronousRequest:

    // RACCommand: `executing` is a relay, the errors are values, and a tap while it runs isn't asked for.
    let (executing, errors) = (BehaviorRelay(false), PublishRelay<any Error>())
    func execute() -> some Publisher<Int, Never> {
      failing.first()
        .handleEvents(
          receiveSubscription: { _ in executing.accept(true) }, receiveCompletion: { _ in executing.accept(false) },
          receiveCancel: { executing.accept(false) }
        )
        .catch { (error: any Error) -> Empty<Int, Never> in
          errors.accept(error)
          return Empty()
        }
    }
    button.rx.tap.flatMap(maxPublishers: .max(1)) { execute() }.sink { print($0) }.store(in: bag)
    executing.toggle().bind(to: button.rx.isEnabled).store(in: bag)
  }

  @Test("has CombineCocoa's publishers")
  func combinecocoa() {
    _ = button.publisher(for: .touchUpInside)  // controlEventPublisher(for:)
    let taps: ControlPublisher<Button> = button.publisher(for: .primaryActionTriggered)  // Publishers.ControlEvent
    _ = taps.map(\.title)
    let text: ControlProperty<String?> = field.rx.text  // Publishers.ControlProperty
    _ = text.orEmpty
    _ = TargetActionPublisher<Int>(add: { other.sink(receiveValue: $0.send) }, remove: { $0.cancel() })
    _ = TargetActionPublisher<Void>(add: { $0.send() }, remove: {})  // Publishers.ControlTarget
    _ = DelegatePublisher<String>()  // DelegateProxy
    _ = label.publisher(for: .tap())  // tapPublisher
    _ = label.publisher(for: .pinch()).when(.changed)  // pinchPublisher
    _ = label.publisher(for: .rotation())  // rotationPublisher
    _ = label.publisher(for: .swipe())  // swipePublisher
    _ = label.publisher(for: .pan())  // panPublisher
    _ = label.publisher(for: .longPress())  // longPressPublisher
    _ = search.textPublisher  // textDidChangePublisher
  }
}
