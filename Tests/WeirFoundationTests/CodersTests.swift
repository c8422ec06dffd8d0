import Foundation
import Testing
import Weir
import WeirFoundation

@testable import TestSupport

@Suite("Foundation's coders")
struct CodersTests {
  struct Point: Codable, Equatable {
    var x: Int
    var y: Int
  }

  let points = [Point(x: 1, y: 2), Point(x: 3, y: 4)]

  @Test("encode and decode JSON")
  func json() {
    check(JSONEncoder(), JSONDecoder())
    let texts = points.prefix(1).publisher.map(\.x).map { [$0] }.encode(encoder: JSONEncoder())
      .map { String(decoding: $0, as: UTF8.self) }.record(demanding: .unlimited)
    #expect(texts.events == [.subscription, .value("[1]"), .finished])
  }

  @Test("encode and decode property lists")
  func propertyLists() {
    check(PropertyListEncoder(), PropertyListDecoder())
  }

  private func check<Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>(_ encoder: Encoder, _ decoder: Decoder)
  where Encoder.Output == Data, Decoder.Input == Data {
    let decoded = points.publisher.encode(encoder: encoder).decode(type: Point.self, decoder: decoder)
      .map { "\($0.x), \($0.y)" }.record(demanding: .max(1), returning: .max(1))
    #expect(decoded.events == [.subscription, .value("1, 2"), .value("3, 4"), .finished])
    let broken = Just(Data("nonsense".utf8)).decode(type: Point.self, decoder: decoder).map { "\($0)" }
      .record(demanding: .unlimited)
    #expect(broken.events == [.subscription, .failed(.other)])
  }
}
