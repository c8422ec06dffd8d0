import Foundation
import Testing
import Weir

@testable import TestSupport

@Suite("Completion")
struct CompletionTests {
  enum Problem: String, Error, Codable {
    case oops
  }

  @Test("is coded as a success flag and the error")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let forms: [(Subscribers.Completion<Problem>, String)] = [
      (.finished, #"{"success":true}"#), (.failure(.oops), #"{"error":"oops","success":false}"#),
    ]
    for (completion, form) in forms {
      let data = try encoder.encode(completion)
      #expect(String(decoding: data, as: UTF8.self) == form)
      #expect(try JSONDecoder().decode(Subscribers.Completion<Problem>.self, from: data) == completion)
    }
  }

  @Test("can't be decoded without a failure's error")
  func malformed() {
    for form in ["{}", #"{"success":false}"#, #"{"error":"oops"}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Subscribers.Completion<Problem>.self, from: Data(form.utf8))
      }
    }
  }

  @Test("is equal and hashed by its case and error")
  func equality() {
    let all: [Subscribers.Completion<TestError>] = [.finished, .failure(.oops), .failure(.other)]
    #expect(Set(all).count == 3)
    #expect(all[0] == .finished)
    #expect(all[1] != all[2])
  }
}
