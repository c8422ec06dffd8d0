import Testing
import WeirTesting

@Suite struct VirtualTimeTests {
  typealias Stride = VirtualTime.Stride

  @Test func numbersCountSeconds() {
    let two: Stride = 2
    #expect(two == .seconds(2))
    #expect(two * 3 == .seconds(6))
    #expect(0.25 == Stride.milliseconds(250))
    #expect(Stride.milliseconds(5) == .microseconds(5000))
    #expect(Stride.microseconds(5) == .nanoseconds(5000))
    #expect(Stride(exactly: 3) == .seconds(3))
    #expect(Stride(exactly: Int.max) == nil)
  }

  @Test func arithmeticSaturates() {
    let longest = Stride(nanoseconds: .max)
    #expect(longest + 1 == longest)
    #expect(Stride(nanoseconds: .min) - 1 == Stride(nanoseconds: .min))
    #expect(longest * 2 == longest)
    #expect(longest * -2 == Stride(nanoseconds: .min))
    #expect(Stride.seconds(.max) == longest)
    #expect(Stride.seconds(Double.infinity) == longest)
    #expect(VirtualTime.seconds(1).advanced(by: longest) == VirtualTime(nanoseconds: .max))
    #expect(VirtualTime(nanoseconds: .min).distance(to: .seconds(1)) == longest)
  }

  @Test func timesAreOrderedAndMeasured() {
    #expect(VirtualTime.seconds(1) < .milliseconds(1001))
    #expect(VirtualTime.seconds(1).distance(to: .seconds(0.5)) == .milliseconds(-500))
    #expect(VirtualTime(nanoseconds: .min) < VirtualTime(nanoseconds: .max))
  }

  @Test(arguments: [
    (VirtualTime.zero, "0 s"), (.seconds(2), "2 s"), (.milliseconds(1500), "1.5 s"), (.milliseconds(20), "20 ms"),
    (.microseconds(20500), "20.5 ms"), (.nanoseconds(1001), "1.001 µs"), (.nanoseconds(7), "7 ns"),
    (.milliseconds(-1050), "-1.05 s"),
  ])
  func describesItselfInTheLargestUnit(_ example: (VirtualTime, String)) {
    #expect(example.0.description == example.1)
  }
}
