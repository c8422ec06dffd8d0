import Dispatch
import Foundation
import Testing
import Weir
import WeirDispatch

@Suite("A dispatch queue's time")
struct SchedulerTimeTypeTests {
  typealias Time = DispatchQueue.SchedulerTimeType

  let early = Time(DispatchTime(uptimeNanoseconds: 10000))
  let late = Time(DispatchTime(uptimeNanoseconds: 10431))
  let never = Time(.distantFuture)

  @Test("has a distance in nanoseconds to another one")
  func distance() {
    #expect(early.distance(to: late) == .nanoseconds(431))
    #expect(late.distance(to: early) == .nanoseconds(-431))
    #expect(early.distance(to: Time(DispatchTime(uptimeNanoseconds: UInt64(Int.max)))) == .nanoseconds(.max - 10000))
  }

  @Test("has the longest distance to the distant future, in both directions")
  func distanceToNever() {
    #expect(early.distance(to: never) == .nanoseconds(.max))
    #expect(never.distance(to: early) == .nanoseconds(.max))
    #expect(never.distance(to: never) == .nanoseconds(0))
  }

  @Test("advances up to the distant future and back to the start of the clock")
  func advancing() {
    #expect(early.advanced(by: .nanoseconds(431)) == late)
    #expect(late.advanced(by: .nanoseconds(-431)) == early)
    #expect(early.advanced(by: .nanoseconds(.max)) == never)
    #expect(early.advanced(by: .nanoseconds(.min)) == Time(DispatchTime(uptimeNanoseconds: 1)))
    #expect(early.advanced(by: .nanoseconds(-10000)) == Time(DispatchTime(uptimeNanoseconds: 1)))
    #expect(never.advanced(by: .seconds(-1)) == never)
  }

  @Test("is earlier than the distant future")
  func comparison() {
    #expect(early < late)
    #expect(early < never)
    #expect(!(never < early))
    #expect([never, late, early].sorted() == [early, late, never])
  }

  @Test("is hashed like Dispatch's raw value")
  func hashing() {
    #expect(early.hashValue == early.dispatchTime.rawValue.hashValue)
    #expect(Set([early, late, Time(DispatchTime(uptimeNanoseconds: 10000))]).count == 2)
  }

  @Test("is coded as one number")
  func coding() throws {
    let data = try JSONEncoder().encode([early])

    #expect(String(decoding: data, as: UTF8.self) == "[10000]")
    #expect(try JSONDecoder().decode([Time].self, from: data) == [early])
  }
}
