import Foundation
import Testing
import Weir

/// The expected demand, computed with numbers that can't overflow; `nil` is unlimited.
struct DemandModel: Equatable, CustomTestStringConvertible {
  let count: Int128?

  init(_ count: Int128?) {
    self.count = count.flatMap { $0 > Int.max ? nil : $0 }
  }

  init(_ demand: Subscribers.Demand) {
    self.init(demand.max.map { Int128($0) })
  }

  var demand: Subscribers.Demand { count.map { .max(Int($0)) } ?? .unlimited }
  var testDescription: String { demand.description }

  /// Greater than every count if unlimited.
  var rank: Int128 { count ?? .max }

  static let edges = [0, 1, Int128(Int.max) - 1, Int128(Int.max), nil].map { DemandModel($0) }
}

private let counts = [Int.min, Int.min + 1, -2, -1, 0, 1, 2, Int.max - 1, Int.max]

@Suite("Demand")
struct DemandTests {
  @Test(
    "adds and saturates: an overflow is unlimited, and unlimited stays unlimited", arguments: DemandModel.edges,
    DemandModel.edges)
  func adds(_ lhs: DemandModel, _ rhs: DemandModel) {
    let sum = lhs.count.flatMap { lhs in rhs.count.map { lhs + $0 } }
    #expect(DemandModel(lhs.demand + rhs.demand) == DemandModel(sum))
    var changing = lhs.demand
    changing += rhs.demand
    #expect(changing == lhs.demand + rhs.demand)
  }

  @Test("subtracts: unlimited stays, a count minus unlimited is none", arguments: DemandModel.edges, DemandModel.edges)
  func subtracts(_ lhs: DemandModel, _ rhs: DemandModel) {
    guard lhs.rank >= rhs.rank || rhs.count == nil else { return }
    let difference = lhs.count.map { lhs in rhs.count.map { lhs - $0 } ?? 0 }
    #expect(DemandModel(lhs.demand - rhs.demand) == DemandModel(difference))
    var changing = lhs.demand
    changing -= rhs.demand
    #expect(changing == lhs.demand - rhs.demand)
  }

  @Test("adds, subtracts and multiplies counts with saturation", arguments: DemandModel.edges, counts)
  func countsWithSaturation(_ lhs: DemandModel, _ rhs: Int) {
    let sum = lhs.count.map { $0 + Int128(rhs) }
    let difference = lhs.count.map { $0 - Int128(rhs) }
    let product = lhs.count.map { $0 * Int128(rhs) }
    if (sum ?? 0) >= 0 {
      #expect(DemandModel(lhs.demand + rhs) == DemandModel(sum))
      var changing = lhs.demand
      changing += rhs
      #expect(changing == lhs.demand + rhs)
    }
    if (difference ?? 0) >= 0 {
      // A difference with a negative count may overflow. It is none then, as in Combine.
      let fitting = difference.map { $0 > Int128(Int.max) ? 0 : $0 }
      #expect(DemandModel(lhs.demand - rhs) == DemandModel(fitting))
      var changing = lhs.demand
      changing -= rhs
      #expect(changing == lhs.demand - rhs)
    }
    if (product ?? 0) >= 0 {
      #expect(DemandModel(lhs.demand * rhs) == DemandModel(product))
      var changing = lhs.demand
      changing *= rhs
      #expect(changing == lhs.demand * rhs)
    }
  }

  @Test("compares with another demand: unlimited is the greatest", arguments: DemandModel.edges, DemandModel.edges)
  func compares(_ lhs: DemandModel, _ rhs: DemandModel) {
    #expect((lhs.demand < rhs.demand) == (lhs.rank < rhs.rank))
    #expect((lhs.demand <= rhs.demand) == (lhs.rank <= rhs.rank))
    #expect((lhs.demand > rhs.demand) == (lhs.rank > rhs.rank))
    #expect((lhs.demand >= rhs.demand) == (lhs.rank >= rhs.rank))
    #expect((lhs.demand == rhs.demand) == (lhs.rank == rhs.rank))
    #expect((lhs.demand != rhs.demand) == (lhs.rank != rhs.rank))
    #expect((lhs.demand.hashValue == rhs.demand.hashValue) == (lhs.rank == rhs.rank))
  }

  @Test("compares with a count, on both sides: unlimited is greater than each", arguments: DemandModel.edges, counts)
  func comparesWithCounts(_ demand: DemandModel, _ count: Int) {
    let rank = Int128(count)
    #expect((demand.demand < count) == (demand.rank < rank))
    #expect((demand.demand <= count) == (demand.rank <= rank))
    #expect((demand.demand > count) == (demand.rank > rank))
    #expect((demand.demand >= count) == (demand.rank >= rank))
    #expect((demand.demand == count) == (demand.rank == rank))
    #expect((demand.demand != count) == (demand.rank != rank))
    #expect((count < demand.demand) == (rank < demand.rank))
    #expect((count <= demand.demand) == (rank <= demand.rank))
    #expect((count > demand.demand) == (rank > demand.rank))
    #expect((count >= demand.demand) == (rank >= demand.rank))
    #expect((count == demand.demand) == (rank == demand.rank))
    #expect((count != demand.demand) == (rank != demand.rank))
  }

  @Test("none is a demand of 0 values, and describes its count")
  func names() {
    #expect(Subscribers.Demand.none == .max(0))
    #expect(Subscribers.Demand.none.max == 0)
    #expect(Subscribers.Demand.max(3).max == 3)
    #expect(Subscribers.Demand.unlimited.max == nil)
    #expect(Subscribers.Demand.max(3).description == "max(3)")
    #expect(Subscribers.Demand.max(Int.max).max == Int.max)
    #expect(Subscribers.Demand.unlimited.description == "unlimited")
  }

  @Test("is coded as a single number, greater than every count for unlimited")
  func coding() throws {
    let demands: [Subscribers.Demand] = [.none, .max(1), .max(.max), .unlimited]
    let data = try JSONEncoder().encode(demands)
    #expect(String(decoding: data, as: UTF8.self) == "[0,1,9223372036854775807,9223372036854775808]")
    #expect(try JSONDecoder().decode([Subscribers.Demand].self, from: data) == demands)
    let greater = Data("[18446744073709551615]".utf8)
    #expect(try JSONDecoder().decode([Subscribers.Demand].self, from: greater) == [.unlimited])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Subscribers.Demand].self, from: Data("[-1]".utf8))
    }
  }

  @Test("is never negative")
  func preconditions() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - 2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) + -2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) * -1 }
  }
}
