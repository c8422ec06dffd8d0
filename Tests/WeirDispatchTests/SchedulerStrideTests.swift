import Dispatch
import Foundation
import Testing
import Weir
import WeirDispatch

@Suite("A stride of a dispatch queue's time")
struct SchedulerStrideTests {
  typealias Stride = DispatchQueue.SchedulerTimeType.Stride

  @Test("is measured in nanoseconds")
  func units() {
    #expect(Stride.seconds(2).magnitude == 2_000_000_000)
    #expect("\(Stride.seconds(2))" == "Stride(_nanoseconds: 2000000000)")
    #expect(Stride.seconds(1.2).magnitude == 1_200_000_000)
    #expect(Stride.milliseconds(2).magnitude == 2_000_000)
    #expect(Stride.microseconds(2).magnitude == 2000)
    #expect(Stride.nanoseconds(2).magnitude == 2)
  }

  @Test("interprets a literal as seconds")
  func literals() {
    #expect((2 as Stride).magnitude == 2_000_000_000)
    #expect((0.29 as Stride).magnitude == 290_000_000)
    #expect(-(2 as Stride) == .seconds(-2))
  }

  @Test("is nil if a number of seconds doesn't fit")
  func exactly() {
    #expect(Stride(exactly: 2 as UInt64) == .seconds(2))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(exactly: Int.max) == nil)
  }

  @Test("saturates at the longest stride instead of overflowing")
  func saturation() {
    #expect(Stride.seconds(Int.max).magnitude == .max)
    #expect(Stride.seconds(Int.min).magnitude == .min)
    #expect(Stride.seconds(.greatestFiniteMagnitude).magnitude == .max)
    #expect(Stride.seconds(-.greatestFiniteMagnitude).magnitude == .min)
    #expect(Stride.seconds(Double(Int.max) / 1_000_000_000).magnitude == .max)
    #expect(Stride.milliseconds(.min).magnitude == .min)
    #expect(Stride.microseconds(.max).magnitude == .max)
    #expect(Stride.nanoseconds(.max) + .nanoseconds(1) == .nanoseconds(.max))
    #expect(Stride.nanoseconds(.min) + .nanoseconds(-1) == .nanoseconds(.min))
    #expect(Stride.nanoseconds(.min) - .nanoseconds(1) == .nanoseconds(.min))
    #expect(Stride.nanoseconds(.max) - .nanoseconds(-1) == .nanoseconds(.max))
    #expect(-Stride.nanoseconds(.min) == .nanoseconds(.max))
    #expect(Stride.nanoseconds(.max) * .seconds(2) == .nanoseconds(.max))
    #expect(Stride.nanoseconds(.max) * .seconds(-2) == .nanoseconds(.min))
    #expect(Stride.nanoseconds(.max) * .seconds(1) == .nanoseconds(.max))
    #expect(Stride.nanoseconds(.min) * .seconds(1) == .nanoseconds(.min))
    #expect(Stride.nanoseconds(.min) * .seconds(-1) == .nanoseconds(.max))
  }

  @Test("of an infinite number of seconds stops the program")
  func infinite() async {
    await #expect(processExitsWith: .failure) { _ = DispatchQueue.SchedulerTimeType.Stride.seconds(.infinity) }
    await #expect(processExitsWith: .failure) { _ = DispatchQueue.SchedulerTimeType.Stride.seconds(-.infinity) }
    await #expect(processExitsWith: .failure) { _ = DispatchQueue.SchedulerTimeType.Stride.seconds(.nan) }
  }

  @Test("is added, subtracted and multiplied like seconds")
  func arithmetic() {
    #expect(Stride.nanoseconds(7) + .nanoseconds(-12) == .nanoseconds(-5))
    #expect(Stride.nanoseconds(0) - .microseconds(2) == .nanoseconds(-2000))
    #expect(2 * Stride.seconds(3) == .seconds(6))
    #expect(0.5 * Stride.milliseconds(-3) == .microseconds(-1500))
    #expect(Stride.microseconds(-3) * .nanoseconds(10) == .nanoseconds(0))

    var stride: Stride = 1
    stride += .milliseconds(500)
    stride -= .milliseconds(300)
    stride *= 10
    #expect(stride == .seconds(12))
  }

  @Test("is compared by its length")
  func comparison() {
    #expect(Stride.nanoseconds(-2) > .microseconds(-10))
    #expect(Stride.milliseconds(2) < .seconds(2))
    #expect(Set<Stride>([.milliseconds(2000), .seconds(2), 2]).count == 1)
  }

  @Test("is created from every interval of Dispatch")
  func fromInterval() {
    #expect(Stride(.seconds(2)) == .seconds(2))
    #expect(Stride(.milliseconds(-2)) == .milliseconds(-2))
    #expect(Stride(.microseconds(2)) == .microseconds(2))
    #expect(Stride(.nanoseconds(2)) == .nanoseconds(2))
    #expect(Stride(.never) == .nanoseconds(.max))
    #expect(Stride(.seconds(.max)) == .nanoseconds(.max))
    #expect(Stride(.microseconds(.min)) == .nanoseconds(.min))
  }

  @Test("converts to an interval in nanoseconds")
  func toInterval() {
    #expect(Stride.milliseconds(2).timeInterval == .nanoseconds(2_000_000))
    #expect(Stride.nanoseconds(.max).timeInterval == .nanoseconds(.max))
  }

  @Test("is coded as its nanoseconds")
  func coding() throws {
    let data = try JSONEncoder().encode(Stride.nanoseconds(419_872))

    #expect(String(decoding: data, as: UTF8.self) == #"{"_nanoseconds":419872}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: data) == .nanoseconds(419_872))
  }
}
