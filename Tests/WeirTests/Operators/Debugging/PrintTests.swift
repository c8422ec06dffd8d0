import Testing
import Weir

@testable import TestSupport

@Suite("print")
struct PrintTests {
  /// A stream whose lines a test can read.
  final class Lines: TextOutputStream {
    private(set) var text = ""
    var onWrite: () -> Void = {}

    func write(_ string: String) {
      text += string
      onWrite()
    }

    func clear() { text = "" }
  }

  @Test("conforms to the operator contract")
  func commonRules() {
    let lines = Lines()
    checkCommonRules(named: "Print", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.print(to: lines)
    }
  }

  @Test("prints a line for each event before it forwards it")
  func events() {
    let lines = Lines()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.request(.max(2)) }
    recorder.onValue = { $0 == 1 ? .max(3) : $0 == 2 ? .unlimited : .none }
    source.print("p", to: lines).subscribe(recorder)
    source.send(1)
    source.send(2)
    source.send(3)
    recorder.request(.unlimited)
    source.send(completion: .finished)
    recorder.cancel()
    #expect(
      lines.text == """
        p: receive subscription: (Manual)
        p: request max: (2)
        p: receive value: (1)
        p: request max: (3) (synchronous)
        p: receive value: (2)
        p: request unlimited (synchronous)
        p: receive value: (3)
        p: request unlimited
        p: receive finished
        p: receive cancel

        """)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("prints a second subscription too, which is cancelled")
  func secondSubscription() {
    let lines = Lines()
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.print(to: lines).record()
    #expect(source.sendSubscription().events == [.cancelled])
    #expect(lines.text == "receive subscription: (Manual)\nreceive subscription: (Manual)\n")
    #expect(recorder.events == [.subscription])
  }

  @Test("prints a failure and a cancellation, and no colon without a prefix")
  func endings() {
    let lines = Lines()
    let source = ManualPublisher<Int, TestError>()
    let publisher = source.print(to: lines)
    _ = publisher.record()
    source.send(completion: .failure(.oops))
    publisher.record(demanding: .max(1)).cancel()
    #expect(
      lines.text == """
        receive subscription: (Manual)
        receive error: (oops)
        receive subscription: (Manual)
        request max: (1)
        receive cancel

        """)
  }

  @Test("prints requests and cancellations after the end, which have no effect", arguments: [true, false])
  func afterTheEnd(finishes: Bool) {
    let lines = Lines()
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.print(to: lines).record(demanding: .max(1))
    if finishes { source.send(completion: .finished) } else { recorder.cancel() }
    let upstreamEvents = source.subscriptions.map(\.events)
    lines.clear()
    recorder.request(.max(2))
    recorder.cancel()
    recorder.cancel()
    #expect(lines.text == "request max: (2)\nreceive cancel\nreceive cancel\n")
    #expect(source.subscriptions.map(\.events) == upstreamEvents)
  }

  /// A stream that stores its calls, and copies them if another copy of it exists.
  struct Calls: TextOutputStream {
    final class Storage {
      var calls: [String] = []
      var copies = 0
    }

    /// Shows a test the calls of the latest copy.
    final class Window {
      weak var latest: Storage?
    }

    let window = Window()
    private var storage = Storage()

    mutating func write(_ string: String) {
      if !isKnownUniquelyReferenced(&storage) {
        let copy = Storage()
        copy.calls = storage.calls
        copy.copies = storage.copies + 1
        storage = copy
      }
      storage.calls.append(string)
      window.latest = storage
    }
  }

  @Test("calls a stream as Swift's print does, and copies it once")
  func calls() {
    let stream = Calls()
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.print(to: stream).record(demanding: .max(2))
    source.send(1)
    source.send(2)
    var expected = Calls()
    for line in ["receive subscription: (Manual)", "request max: (2)", "receive value: (1)", "receive value: (2)"] {
      Swift.print(line, to: &expected)
    }
    #expect(stream.window.latest?.calls == expected.window.latest?.calls)
    #expect(stream.window.latest?.copies == 1)
    #expect(recorder.values == [1, 2])
  }

  @Test("prints whole lines, also if the stream sends events itself")
  func reentrancy() {
    let lines = Lines()
    let subject = PassthroughSubject<Int, Never>()
    var sent = 0
    lines.onWrite = {
      if sent < 3, lines.text.contains("value") {
        sent += 1
        subject.send(sent + 1)
      }
    }
    let recorder = subject.print(to: lines).record(demanding: .unlimited)
    subject.send(1)
    #expect(
      lines.text == """
        receive subscription: (PassthroughSubject)
        request unlimited
        receive value: (1)
        receive value: (2)
        receive value: (3)
        receive value: (4)

        """)
    #expect(recorder.values.sorted() == [1, 2, 3, 4])
  }

  @Test("prints whole lines from several threads")
  func threads() {
    let lines = Lines()
    let publisher = (0..<500).publisher.print("t", to: lines)
    let all = { _ = publisher.record(demanding: .unlimited) }
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.print("s", to: lines).record(demanding: .unlimited)
    all()
    race({ for value in 0..<500 { subject.send(value) } }, { for value in 500..<1000 { subject.send(value) } })
    let written = lines.text.split(separator: "\n").filter { $0.hasPrefix("s: receive value: (") && $0.hasSuffix(")") }
    #expect(written.count == 1000)
    #expect(recorder.values.sorted() == Array(0..<1000))
  }
}
