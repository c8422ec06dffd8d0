import Foundation
import Testing
import Weir

@testable import TestSupport

@Suite("Record")
struct RecordTests {
  typealias Sut = Record<Int, TestError>

  @Test("sends the requested values, and its completion right after the last", arguments: [nil, TestError.oops])
  func demand(failure: TestError?) {
    let end: Event<Int> = failure.map { .failed($0) } ?? .finished
    let record = Sut(output: [1, 2, 3], completion: failure.map { .failure($0) } ?? .finished)
    let recorder = record.record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(recorder.subscription.map { String(describing: $0) } == "[1, 2, 3]")
    recorder.request(.max(2))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), end])
    recorder.request(.unlimited)
    recorder.cancel()
    #expect(recorder.events.count == 5)
    #expect(record.record(demanding: .unlimited).events == recorder.events)
  }

  @Test("is like any publisher of one value for one value")
  func singleValue() {
    checkSendsSevenAndFinishes(named: "[7]", Sut { $0.receive(7) })
  }

  @Test("completes immediately without a value, with any demand")
  func empty() {
    #expect(Sut { _ in }.record().events == [.subscription, .finished])
    #expect(Sut(output: [], completion: .finished).record().events == [.subscription, .finished])
    let failed = Sut { (recording: inout Sut.Recording) in recording.receive(completion: .failure(.oops)) }
    #expect(failed.record().events == [.subscription, .failed(.oops)])
  }

  @Test("sends neither a value nor a completion after a cancellation")
  func cancels() {
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] value in
      if value == 2 { recorder.cancel() }
      return .none
    }
    Sut(output: [1, 2], completion: .failure(.oops)).subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
  }

  @Test("contains the recorded events")
  func recording() {
    var recording = Sut.Recording()
    #expect(recording.output == [])
    #expect(recording.completion == .finished)
    recording.receive(1)
    let soFar = Sut(recording: recording)
    recording.receive(2)
    recording.receive(completion: .failure(.oops))
    #expect(recording.output == [1, 2])
    #expect(recording.completion == .failure(.oops))
    #expect(
      Sut(recording: recording).record(demanding: .unlimited).events == [
        .subscription, .value(1), .value(2), .failed(.oops),
      ])
    #expect(soFar.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
    #expect(soFar.recording.output == [1])
  }

  @Test("records no event after the completion")
  func afterTheEnd() async {
    await #expect(processExitsWith: .failure) {
      _ = Sut {
        $0.receive(completion: .finished); $0.receive(1)
      }
    }
    await #expect(processExitsWith: .failure) {
      _ = Sut {
        $0.receive(completion: .finished); $0.receive(completion: .finished)
      }
    }
    await #expect(processExitsWith: .failure) {
      var recording = Sut.Recording(output: [1])
      recording.receive(2)
    }
  }

  enum Problem: String, Error, Codable {
    case oops
  }

  @Test("is coded as its recording: values and completion")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let record = Record<Int, Problem>(output: [1, 2], completion: .failure(.oops))
    let form = #"{"completion":{"error":"oops","success":false},"output":[1,2]}"#
    #expect(String(decoding: try encoder.encode(record), as: UTF8.self) == #"{"recording":\#(form)}"#)
    #expect(String(decoding: try encoder.encode(Into(recording: record.recording)), as: UTF8.self) == form)
    let decoded = try JSONDecoder().decode(Record<Int, Problem>.self, from: encoder.encode(record))
    #expect(decoded.recording.output == [1, 2])
    #expect(decoded.recording.completion == .failure(.oops))
    for form in [#"{"output":[1]}"#, #"{"completion":{"success":true}}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Record<Int, Problem>.Recording.self, from: Data(form.utf8))
      }
    }
  }

  private struct Into: Encodable {
    let recording: Record<Int, Problem>.Recording

    func encode(to encoder: any Encoder) throws {
      try recording.encode(into: encoder)
    }
  }

  @Test("records no event after it has been decoded")
  func decoded() async {
    await #expect(processExitsWith: .failure) {
      let form = Data(#"{"completion":{"success":true},"output":[]}"#.utf8)
      var recording = try JSONDecoder().decode(Record<Int, Problem>.Recording.self, from: form)
      recording.receive(1)
    }
  }
}
