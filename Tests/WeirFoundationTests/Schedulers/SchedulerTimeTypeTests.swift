import Foundation
import Testing
import Weir
import WeirFoundation

/// The common interface of the times of both schedulers.
///
/// Both can conform because they are separate types.
protocol TimeByDate: Strideable, Hashable, Codable, Sendable where Stride: StrideInSeconds {
  init(_ date: Date)
  var date: Date { get set }
}

protocol StrideInSeconds: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, ExpressibleByFloatLiteral,
  Codable, Sendable
where Magnitude == TimeInterval {
  init(_ timeInterval: TimeInterval)
  var timeInterval: TimeInterval { get }
}

extension RunLoop.SchedulerTimeType: TimeByDate {}
extension RunLoop.SchedulerTimeType.Stride: StrideInSeconds {}
extension OperationQueue.SchedulerTimeType: TimeByDate {}
extension OperationQueue.SchedulerTimeType.Stride: StrideInSeconds {}

@Suite("The time of a run loop and of an operation queue")
struct SchedulerTimeTypeTests {
  static let types: [any TimeByDate.Type] = [RunLoop.SchedulerTimeType.self, OperationQueue.SchedulerTimeType.self]

  @Test("has a distance in seconds to another one", arguments: types)
  func distance(type: any TimeByDate.Type) { checkDistance(type) }

  private func checkDistance<Time: TimeByDate>(_: Time.Type) {
    let early = Time(Date(timeIntervalSinceReferenceDate: 10000))
    let late = Time(Date(timeIntervalSinceReferenceDate: 10431.5))
    let never = Time(Date(timeIntervalSinceReferenceDate: .infinity))
    #expect(early.distance(to: late).timeInterval == 431.5)
    #expect(late.distance(to: early).timeInterval == -431.5)
    #expect(early.distance(to: never).timeInterval == .infinity)
    #expect(never.distance(to: never).timeInterval == 0)
    #expect(early < late && late < never && early != never)
    #expect(never == never)
  }

  @Test("advances forwards and backwards", arguments: types)
  func advancing(type: any TimeByDate.Type) { checkAdvancing(type) }

  private func checkAdvancing<Time: TimeByDate>(_: Time.Type) {
    let time = Time(Date(timeIntervalSinceReferenceDate: 10000))
    #expect(time.advanced(by: 431).date.timeIntervalSinceReferenceDate == 10431)
    #expect(time.advanced(by: .seconds(-220)).date.timeIntervalSinceReferenceDate == 9780)
    #expect(time.advanced(by: .nanoseconds(.max)).date.timeIntervalSinceReferenceDate == 9223382036.854776)
    let never = time.advanced(by: .seconds(Double.infinity))
    #expect(never.date.timeIntervalSinceReferenceDate == .infinity)
    #expect(never.advanced(by: .seconds(-Double.infinity)).date.timeIntervalSinceReferenceDate == 0)
    #expect(Set([time, time.advanced(by: 0), time.advanced(by: 1)]).count == 2)
  }

  @Test("is coded as its date", arguments: types)
  func coding(type: any TimeByDate.Type) throws { try checkCoding(type) }

  private func checkCoding<Time: TimeByDate>(_: Time.Type) throws {
    let time = Time(Date(timeIntervalSinceReferenceDate: 1024.75))
    let data = try JSONEncoder().encode(time)
    #expect(String(decoding: data, as: UTF8.self) == #"{"date":1024.75}"#)
    #expect(try JSONDecoder().decode(Time.self, from: data) == time)
  }

  static let strides: [any StrideInSeconds.Type] = [
    RunLoop.SchedulerTimeType.Stride.self, OperationQueue.SchedulerTimeType.Stride.self,
  ]

  @Test("has strides of any unit", arguments: strides)
  func units(type: any StrideInSeconds.Type) { checkUnits(type) }

  private func checkUnits<Stride: StrideInSeconds>(_: Stride.Type) {
    #expect(Stride.seconds(2).timeInterval == 2)
    #expect(Stride.seconds(2.2).timeInterval == 2.2)
    #expect(Stride.milliseconds(2).timeInterval == 0.002)
    #expect(Stride.microseconds(2).timeInterval == 0.000_002)
    #expect(Stride.nanoseconds(2).timeInterval == 0.000_000_002)
    #expect((2 as Stride).magnitude == 2)
    #expect((1.2 as Stride).magnitude == 1.2)
    #expect(Stride(-1.5).magnitude == -1.5)
    #expect(Stride(exactly: 871 as UInt64)?.magnitude == 871)
    #expect(Stride(exactly: UInt64.max) == nil)
  }

  @Test("has strides that are added, subtracted, multiplied and compared like seconds", arguments: strides)
  func arithmetic(type: any StrideInSeconds.Type) { checkArithmetic(type) }

  private func checkArithmetic<Stride: StrideInSeconds>(_: Stride.Type) {
    var stride: Stride = 1
    stride += .milliseconds(500)
    stride -= .milliseconds(250)
    stride *= 10
    #expect(stride == .seconds(12.5))
    #expect(2 * Stride.seconds(3) == 6)
    #expect(-(2 as Stride) == .seconds(-2))
    #expect(Stride.nanoseconds(-2) > .microseconds(-10))
    #expect(Stride.milliseconds(2) < .seconds(2))
  }

  @Test("has strides that become infinite instead of overflowing", arguments: strides)
  func saturation(type: any StrideInSeconds.Type) { checkSaturation(type) }

  private func checkSaturation<Stride: StrideInSeconds>(_: Stride.Type) {
    let never: Stride = .seconds(.infinity)
    let longest: Stride = .seconds(Double.greatestFiniteMagnitude)
    #expect(longest + longest == never)
    #expect(0 - longest - longest == -never)
    #expect(longest * 2 == never)
    #expect(never - never == 0)
    #expect(never + -never == 0)
    #expect(never * 0 == 0)
    #expect(never - 1 == never)
    #expect(Stride.seconds(Int.max).timeInterval == 0x1p63)
  }

  @Test("has strides that are coded as their magnitude", arguments: strides)
  func strideCoding(type: any StrideInSeconds.Type) throws { try checkStrideCoding(type) }

  private func checkStrideCoding<Stride: StrideInSeconds>(_: Stride.Type) throws {
    let data = try JSONEncoder().encode(Stride.seconds(1024.5))
    #expect(String(decoding: data, as: UTF8.self) == #"{"magnitude":1024.5}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: data) == .seconds(1024.5))
  }

  @Test("has no stride of NaN")
  func notANumber() async {
    await #expect(processExitsWith: .failure) { _ = RunLoop.SchedulerTimeType.Stride(.nan) }
    await #expect(processExitsWith: .failure) { _ = OperationQueue.SchedulerTimeType.Stride.seconds(.nan) }
  }
}
