import Dispatch
import Testing
import Weir
import WeirControls
import WeirRx

@testable import TestSupport

@Suite("A binder")
@MainActor
struct BinderTests {
  let label = Label()

  @Test("exists for every settable property of an object")
  func properties() {
    let (button, toggle, progress) = (Button(), Switch(), ProgressView())
    let text = PassthroughSubject<String, Never>()
    let flag = PassthroughSubject<Bool, Never>()
    let cancellables: [AnyCancellable] = [
      text.bind(to: label.rx.text), text.bind(to: button.rx.title), flag.bind(to: button.rx.isEnabled),
      flag.bind(to: button.rx.isSelected), flag.bind(to: label.rx.isHidden), flag.bind(to: toggle.rx.isOn),
      [0.5].publisher.bind(to: label.rx.alpha), [Float(0.25)].publisher.bind(to: progress.rx.progress),
      text.bind(to: TextField().rx.placeholder),
    ]
    text.send("a")
    flag.send(true)
    #expect(label.text == "a" && button.title == "a" && label.isHidden && toggle.isOn && button.isSelected)
    flag.send(false)
    #expect(!label.isHidden && !toggle.isOn && !button.isEnabled)
    #expect(label.alpha == 0.5 && progress.progress == 0.25)
    withExtendedLifetime(cancellables) {}
  }

  @Test("exists for plain classes that conform")
  func plainClass() {
    final class Model: ReactiveCompatible {
      var count = 0
    }
    let model = Model()
    [1, 2].publisher.subscribe(model.rx.count)
    #expect(model.count == 2)
  }

  @Test("requests unlimited demand, and holds its target weakly")
  func demand() {
    var label: Label? = Label()
    weak let weakLabel = label
    let manual = ManualPublisher<String, Never>()
    if let label { manual.subscribe(label.rx.text) }
    #expect(manual.events == [.requested(.unlimited)])
    #expect(manual.send("a") == .none)
    #expect(label?.text == "a")
    label = nil
    #expect(weakLabel == nil)
    manual.send("b")
    manual.send(completion: .finished)
  }

  @Test("sets values of other threads on the main actor, and keeps the order of all values")
  func order() async {
    final class Log {
      var values: [Int] = []
    }
    let log = Log()
    let binder = Binder<Int>(log) { log, value in log.values.append(value) }
    // The main actor is busy here, so the first two are pending.
    onAnotherThread {
      _ = binder.receive(1)
      _ = binder.receive(2)
    }
    #expect(log.values == [])
    _ = binder.receive(3)
    #expect(log.values == [1, 2, 3])

    await withCheckedContinuation { continuation in
      let last = Binder<Int>(log) { log, value in
        log.values.append(value)
        continuation.resume()
      }
      DispatchQueue.global().async { _ = last.receive(4) }
    }
    #expect(log.values == [1, 2, 3, 4])
  }

  @Test("a cancelled binding sets no pending value, and leaves those of other bindings pending")
  func cancel() async {
    final class Log {
      var values: [String] = []
    }
    let log = Log()
    let field = TextField()
    let binder = Binder<String>(log) { log, value in log.values.append(value) }
    let (old, other) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
    let oldBinding = old.bind(to: binder)
    let otherBinding = other.bind(to: binder)
    let propertyBinding = old.bind(to: field.rx.text.orEmpty)
    onAnotherThread {
      old.send("old")
      other.send("other")
      other.send(completion: .finished)
      old.send("older")
    }
    oldBinding.cancel()
    propertyBinding.cancel()
    // Pending values are set before a value that arrives on the main actor.
    let newBindings = [Just("new").bind(to: binder), Just("new").bind(to: field.rx.text.orEmpty)]
    #expect(log.values == ["other", "new"])
    await withCheckedContinuation { later in DispatchQueue.main.schedule { later.resume() } }
    #expect(field.text == "new")
    withExtendedLifetime((otherBinding, newBindings)) {}
  }

  @Test("sets a nested value after the pending ones")
  func nested() {
    final class Log {
      var values: [Int] = []
      var binder: Binder<Int>?
    }
    let log = Log()
    let binder = Binder<Int>(log) { log, value in
      log.values.append(value)
      if value == 1 { _ = log.binder?.receive(9) }
    }
    log.binder = binder
    onAnotherThread { for value in 1...3 { _ = binder.receive(value) } }
    _ = binder.receive(4)
    #expect(log.values == [1, 2, 3, 4, 9])
    log.binder = nil
  }

  #if DEBUG
  @Test("stops a debug build with advice when it receives a failure")
  func failure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = Fail<String, TestError>(error: .oops).bind(to: Label().rx.text)
    }
    expectAdvice(in: try #require(result))
  }
  #else
  @Test("reports a failure in a release build with advice, without its contents")
  func failure() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
      let label = Label()
      label.text = "as it was"
      _ = Fail<String, TestError>(error: .oops).bind(to: label.rx.text)
      precondition(label.text == "as it was")
    }
    expectAdvice(in: try #require(result))
  }
  #endif

  private func expectAdvice(in result: ExitTest.Result) {
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("dropped a failure, which a Binder<String> can't receive: oops"))
    #expect(message.contains("replaceError(with:)"))
  }
}
