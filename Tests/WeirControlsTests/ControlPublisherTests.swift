import Dispatch
import Testing
import Weir
import WeirControls
import WeirDispatch

@Suite("A control's publisher")
@MainActor
struct ControlPublisherTests {
  let button = Button(title: "OK")

  @Test("sends the control for each of its events until the cancellable is released")
  func everyonesFirstLines() {
    var titles: [String] = []
    var bag = Set<AnyCancellable>()

    button.publisher(for: .touchUpInside).sink { titles.append($0.title) }.store(in: &bag)
    button.sendActions(for: .touchUpInside)
    #expect(titles == ["OK"])
    button.tap()
    #expect(titles == ["OK", "OK"])

    bag.removeAll()
    button.sendActions(for: .touchUpInside)
    #expect(titles == ["OK", "OK"])
    #expect(button.allTargets.isEmpty)
  }

  @Test("has the control and its events as properties")
  func properties() {
    let publisher = button.publisher(for: [.touchDown, .touchUpInside])

    #expect(publisher.control === button)
    #expect(publisher.controlEvents == [.touchDown, .touchUpInside])
    #expect(button.allTargets.isEmpty)
  }

  @Test("sends a control with its own type, also a user's control")
  func types() {
    let (field, toggle, dial) = (TextField(), Switch(), Dial())
    var log: [String] = []
    let cancellables = [
      field.publisher(for: .editingChanged).sink { log.append($0.text) },
      toggle.publisher(for: .valueChanged).sink { log.append("\($0.isOn)") },
      dial.publisher(for: .valueChanged).sink { log.append("\($0.value)") },
    ]

    field.type("ab")
    toggle.flip()
    dial.turn(to: 0.5)

    #expect(log == ["a", "ab", "true", "0.5"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("sends one value for several events of one call, and none for other events")
  func events() {
    let recorder = ControlRecorder<Button>(.unlimited)
    button.publisher(for: [.touchDown, .touchUpInside]).subscribe(recorder)

    button.sendActions(for: [.touchDown, .touchUpInside])
    button.sendActions(for: .valueChanged)

    #expect(recorder.events == ["subscription", "event"])
  }

  @Test("is called in the order of the targets")
  func order() {
    var log: [String] = []
    let target = Target()
    button.addTarget(target, action: { _ in log.append("before") }, for: .touchDown)
    let cancellable = button.publisher(for: .touchDown).sink { _ in log.append("publisher") }
    button.addTarget(target, action: { _ in log.append("after") }, for: .touchDown)

    button.sendActions(for: .touchDown)

    #expect(log == ["before", "publisher", "after"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("subscribes a second time independently of the first")
  func secondSubscription() {
    let publisher = button.publisher(for: .touchDown)
    let (first, second) = (ControlRecorder<Button>(.max(1)), ControlRecorder<Button>(.unlimited))
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(button.allTargets.count == 2)

    button.sendActions(for: .touchDown)
    button.sendActions(for: .touchDown)
    first.subscription?.cancel()
    button.sendActions(for: .touchDown)

    #expect(first.events == ["subscription", "event"])
    #expect(second.events == ["subscription", "event", "event", "event"])
    #expect(button.allTargets.count == 1)
  }

  @Test("subscribes the same subscriber to two controls")
  func twoControls() {
    let recorder = ControlRecorder<Button>(.max(1))
    recorder.name = { $0.title }
    let other = Button(title: "Cancel")
    button.publisher(for: .touchDown).subscribe(recorder)
    other.publisher(for: .touchDown).subscribe(recorder)

    other.sendActions(for: .touchDown)
    button.sendActions(for: .touchDown)
    other.sendActions(for: .touchDown)

    #expect(recorder.events == ["subscription", "subscription", "Cancel", "OK"])
  }

  @Test("retains the control, which a subscription doesn't")
  func lifetime() {
    var control: Button? = Button()
    weak let weakControl = control
    var publisher = control?.publisher(for: .touchDown)
    let cancellable = publisher?.sink { _ in }
    control = nil
    #expect(weakControl != nil)

    publisher = nil
    #expect(weakControl == nil)
    withExtendedLifetime(cancellable) {}
  }

  @Test("stops the program with advice when a subscriber attaches off the main actor")
  func offTheMainActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let button = await Button()
      await Task.detached {
        _ = button.publisher(for: .touchUpInside).sink { _ in }
      }.value
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("Button.publisher(for: [touchUpInside]) was subscribed to off the main actor"))
    #expect(message.contains("@MainActor"))
    #expect(message.contains("subscribe(on: DispatchQueue.main)"))
  }

  @Test("accepts subscribers on any thread through the main queue")
  func subscribeOnMain() async {
    let button = button
    let (cancellable, titles) = (Handover<AnyCancellable>(), Handover([String]()))
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        cancellable.content = button.publisher(for: .touchDown).subscribe(on: DispatchQueue.main)
          .sink { button in MainActor.assumeIsolated { titles.content?.append(button.title) } }
        DispatchQueue.main.async { continuation.resume() }
      }
    }

    button.sendActions(for: .touchDown)
    cancellable.content = nil

    #expect(titles.content == ["OK"])
  }

  @Test("accepts subscribers wherever the main actor runs")
  func onTheMainActor() async {
    let button = button
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        _ = button.publisher(for: .touchDown).sink { _ in }
        continuation.resume()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.main.sync { _ = button.publisher(for: .touchDown).sink { _ in } }
        continuation.resume()
      }
    }
    await Task.detached {
      await MainActor.run { _ = button.publisher(for: .touchDown).sink { _ in } }
    }.value
    #expect(button.allTargets.isEmpty)
  }
}

@Suite("A control's publisher and operators with finite demand")
@MainActor
struct ControlDemandTests {
  let button = Button(title: "Sign up")

  @Test("flatMap(maxPublishers: .max(1)) submits once at a time, however often the button is tapped")
  func submission() {
    var submissions: [PassthroughSubject<String, Never>] = []
    var results: [String] = []
    func submit() -> PassthroughSubject<String, Never> {
      submissions.append(PassthroughSubject())
      return submissions[submissions.count - 1]
    }
    let cancellable = button.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { _ in submit() }
      .sink { results.append($0) }

    for _ in 0..<3 { button.tap() }
    #expect(submissions.count == 1)

    submissions[0].send("first")
    button.tap()
    #expect(submissions.count == 1)

    submissions[0].send(completion: .finished)
    #expect(submissions.count == 1)
    for _ in 0..<3 { button.tap() }
    #expect(submissions.count == 2)

    submissions[1].send("second")
    #expect(results == ["first", "second"])
    cancellable.cancel()
    #expect(button.allTargets.isEmpty)
  }

  @Test("futures are submitted once at a time")
  func future() {
    var promises: [(Result<Int, Never>) -> Void] = []
    var results: [Int] = []
    let cancellable = button.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { _ in Future<Int, Never> { promises.append($0) } }
      .sink { results.append($0) }

    button.tap()
    button.tap()
    #expect(promises.count == 1)
    promises[0](.success(1))
    button.tap()
    button.tap()
    #expect(promises.count == 2)
    promises[1](.success(2))

    #expect(results == [1, 2])
    withExtendedLifetime(cancellable) {}
  }

  @Test("buffer keeps the events without demand")
  func buffer() {
    let recorder = ControlRecorder<Button>(.max(1))
    button.publisher(for: .touchUpInside)
      .buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .subscribe(recorder)

    for _ in 0..<5 { button.tap() }
    #expect(recorder.events == ["subscription", "event"])
    recorder.subscription?.request(.max(5))
    #expect(recorder.events == ["subscription", "event", "event", "event"])
  }

  @Test("operators forward the control's finish")
  func end() {
    var log: [String] = []
    var field: TextField? = TextField()
    let cancellable = field?.publisher(for: .editingChanged).map { $0.text }.filter { $0.count != 2 }
      .sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append($0) })

    field?.type("ada")
    field = nil

    #expect(log == ["a", "ada", "finished"])
    withExtendedLifetime(cancellable) {}
  }
}
