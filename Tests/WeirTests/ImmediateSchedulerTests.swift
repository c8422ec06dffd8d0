import Foundation
import Testing
import Weir

@Suite("ImmediateScheduler")
struct ImmediateSchedulerTests {
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  @Test("runs each action before it returns, for every date")
  func runsAtOnce() {
    let scheduler = ImmediateScheduler.shared
    var log: [Int] = []
    scheduler.schedule {
      log.append(1)
      scheduler.schedule { log.append(2) }
      log.append(3)
    }
    scheduler.schedule(after: scheduler.now.advanced(by: 1_000)) { log.append(4) }
    scheduler.schedule(after: scheduler.now, tolerance: .seconds(1)) { log.append(5) }
    #expect(log == [1, 2, 3, 4, 5])
  }

  @Test("runs a repeating action once")
  func repeats() {
    var count = 0
    let cancellable = ImmediateScheduler.shared.schedule(
      after: ImmediateScheduler.shared.now, interval: .seconds(1)
    ) { count += 1 }
    #expect(count == 1)
    cancellable.cancel()
    #expect(count == 1)
  }

  @Test("has only one time")
  func time() {
    let now = ImmediateScheduler.shared.now
    #expect(now.distance(to: now.advanced(by: 5)) == 0)
    #expect(ImmediateScheduler.shared.minimumTolerance == 0)
    #expect(Stride.seconds(2) == 0 && Stride.seconds(2.5) == 0)
    #expect(Stride.milliseconds(2) == 0 && Stride.microseconds(2) == 0 && Stride.nanoseconds(2) == 0)
  }

  @Test("adds strides, and codes them")
  func strides() throws {
    #expect(Stride(2) + 3 == 5)
    #expect(Stride(2) - 3 == -1)
    #expect(Stride(2) * 3 == 6)
    #expect(Stride(2) < 3)
    #expect(Stride(floatLiteral: 2.9) == 2)
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(exactly: 7) == 7)
    var stride: Stride = 1
    stride += 4
    stride -= 2
    stride *= 3
    #expect(stride.magnitude == 9)
    let data = try JSONEncoder().encode([stride])
    #expect(try JSONDecoder().decode([Stride].self, from: data) == [9])
  }
}
