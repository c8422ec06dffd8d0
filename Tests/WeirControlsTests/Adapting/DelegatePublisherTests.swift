import Foundation
import Testing
import Weir
import WeirControls

@testable import TestSupport

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A delegate that records when it is installed and removed.
private final class Calls: DelegatePublisher<Int> {
  private(set) var log: [String] = []
  var onInstall: () -> Void = {}

  override func install() {
    log.append("install")
    onInstall()
  }

  override func remove() { log.append("remove") }
}

@Suite("A delegate publisher")
struct DelegatePublisherTests {
  private let calls = Calls()

  @Test("installs one delegate for all subscribers, from the first to the last")
  func shared() {
    #expect(calls.log == [])
    let first = calls.record(demanding: .unlimited)
    let second = calls.record(demanding: .max(1))
    #expect(calls.log == ["install"])
    calls.send(1)
    calls.send(2)
    first.cancel()
    first.cancel()
    #expect(calls.log == ["install"])
    second.cancel()
    #expect(calls.log == ["install", "remove"])
    calls.send(3)
    let third = calls.record(demanding: .unlimited)
    calls.send(4)

    #expect(first.events == [.subscription, .value(1), .value(2)])
    #expect(second.events == [.subscription, .value(1)])
    #expect(third.events == [.subscription, .value(4)])
    #expect(calls.log == ["install", "remove", "install"])
    #expect(third.subscription.map { String(describing: $0) } == "DelegatePublisher")
  }

  @Test("is removed after it has finished, and completes later subscribers")
  func finish() {
    let recorder = calls.record()
    calls.finish()
    calls.finish()
    recorder.cancel()
    #expect(recorder.events == [.subscription, .finished])
    #expect(calls.record().events == [.subscription, .finished])
    #expect(calls.log == ["install", "remove"])
  }

  @Test("is removed after its installation, if it terminates meanwhile")
  func early() {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    calls.onInstall = { [calls] in
      calls.send(1)
      recorder.cancel()
      calls.send(2)
    }
    calls.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(calls.log == ["install", "remove"])

    let other = Recorder<Int, Never>()
    other.onSubscription = { $0.cancel() }
    calls.subscribe(other)
    #expect(calls.log == ["install", "remove"])
  }

  @Test("is retained only by its subscribers")
  func lifetime() {
    weak var remains: Calls?
    var recorder: Recorder<Int, Never>?
    do {
      let calls = Calls()
      recorder = calls.record(demanding: .unlimited)
      remains = calls
    }
    remains?.send(1)
    #expect(recorder?.values == [1])
    recorder?.cancel()
    recorder = nil
    #expect(remains == nil)
  }

  @Test("is installed and removed alternately by concurrent subscribers")
  func threads() {
    for _ in 0..<200 {
      let calls = Calls()
      race(
        { calls.record().cancel() }, { calls.record().cancel() }, { calls.record(demanding: .unlimited).cancel() },
        { calls.send(1) })
      #expect(calls.log.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "install" : "remove") })
      #expect(calls.log.count % 2 == 0)
    }
  }

  @Test("publishes the calls of an XML parser")
  func parser() {
    final class ElementNames: DelegatePublisher<String>, XMLParserDelegate {
      let parser: XMLParser

      init(of parser: XMLParser) { self.parser = parser }

      override func install() { parser.delegate = self }

      override func remove() { parser.delegate = nil }

      func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) { send(elementName) }

      func parserDidEndDocument(_ parser: XMLParser) { finish() }
    }
    let parser = XMLParser(data: Data("<a><b/><c/></a>".utf8))
    let recorder = ElementNames(of: parser).record(demanding: .max(2))
    #expect(parser.delegate != nil)
    #expect(parser.parse())
    #expect(recorder.events == [.subscription, .value("a"), .value("b"), .finished])
    #expect(parser.delegate == nil)
  }
}
