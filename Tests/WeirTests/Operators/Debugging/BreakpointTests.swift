import Testing
import Weir

@testable import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("breakpoint")
struct BreakpointTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.breakpoint(receiveOutput: { (_: Int) -> Bool in withExtendedLifetime(token) { false } })
    }
  }

  @Test("forwards all events while its closures return false; they see each event first")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    var seen: [String] = []
    let recorder = source.breakpoint(
      receiveSubscription: { (subscription: any Subscription) -> Bool in
        seen.append("\(subscription)")
        return false
      },
      receiveOutput: { (value: Int) -> Bool in
        seen.append("\(value)")
        return false
      },
      receiveCompletion: { (completion: Subscribers.Completion<TestError>) -> Bool in
        seen.append("\(completion)")
        return false
      }
    ).record(demanding: .max(2), returning: .max(3))
    #expect(seen == ["Manual"])
    #expect(String(describing: source.subscribers[0]) == "Breakpoint")
    #expect(source.send(1) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(2))])
    #expect(seen == ["Manual", "1", "finished"])
  }

  @Test("on error, stops at no other event")
  func onErrorPassesOn() {
    let breakpoint = [1, 2].publisher.breakpointOnError()
    #expect(breakpoint.receiveSubscription == nil)
    #expect(breakpoint.receiveOutput == nil)
    #expect(breakpoint.record(demanding: .unlimited).events == [.subscription, .value(1), .value(2), .finished])
  }

  #if !os(Windows)
  @Test("raises a trap at the event for which its closure returns true")
  func stops() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = NumberPublisher(1).breakpoint(receiveSubscription: { _ in true }).record()
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = NumberPublisher(1).breakpoint(receiveOutput: { $0 == 1 }).record(demanding: .max(1))
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = NumberPublisher(1).breakpoint(receiveCompletion: { _ in true }).record(demanding: .max(1))
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = Fail<Int, TestError>(error: .oops).breakpointOnError().record()
    }
  }
  #endif
}
