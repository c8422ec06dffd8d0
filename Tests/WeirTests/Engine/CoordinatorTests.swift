import Testing

@testable import TestSupport
@testable import Weir

/// Forwards each value and returns the demand that the test sets.
///
/// Records its events.
struct EchoMachine: CoordinatorMachine {
  typealias Input = Int
  typealias Output = Int
  typealias Failure = TestError
  typealias Effect = String

  var heard: [String] = []
  var actions = CircularBuffer<Action>()
  var isCancelled = false

  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    heard.append("subscribed \(number)")
    actions.append(.announce)
    return .undecided
  }

  mutating func receive(_ value: Int, from number: Int) -> ValueOutcome<Int> {
    heard.append("value \(value)")
    actions.append(.deliver(value))
    actions.append(.request(UpstreamRequest(number, Subscriptions.empty._object, .max(value))))
    actions.append(.effect("\(value)"))
    return .undecided
  }

  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    heard.append("completed")
    actions.append(.complete(completion))
    return .undecided
  }

  /// A user's closure that a machine runs.
  var onSignal: () -> Void = {}

  mutating func signal(_ number: Int) -> EventOutcome {
    onSignal()
    heard.append("signal \(number)")
    return .undecided
  }

  mutating func requested(_ demand: Subscribers.Demand) { heard.append("requested \(demand)") }

  mutating func cancelled() {
    heard.append("cancelled")
    actions.removeAll()
  }

  mutating func next() -> Action { actions.popFirst() ?? .nothing }
}

@Suite("Coordinator")
struct CoordinatorTests {
  typealias Subject = Coordinator<EchoMachine>

  let recorder = Recorder<Int, TestError>()

  func coordinator(perform: @escaping (String) -> Void = { _ in }) -> Subject {
    Coordinator("Echo", EchoMachine(), downstream: Downstream(recorder)) { perform($1) }
  }

  @Test("passes itself downstream with the operator's name")
  func announces() {
    let coordinator = coordinator()
    coordinator.subscribed(to: 0, Subscriptions.empty)
    #expect(recorder.events == [.subscription])
    #expect(recorder.subscription?.combineIdentifier == coordinator.combineIdentifier)
    #expect(String(describing: coordinator) == "Echo")
  }

  @Test("returns the sending upstream's demand")
  func answers() {
    let coordinator = coordinator()
    #expect(coordinator.receive(5, from: 3) == .max(5))
  }

  @Test("passes the demand that a subscriber returns to the machine")
  func returnedDemand() {
    recorder.onValue = { .max($0) }
    let coordinator = coordinator()
    _ = coordinator.receive(2, from: 0)
    #expect(coordinator.machine.heard == ["value 2", "requested max(2)"])
    coordinator.request(.none)
    #expect(coordinator.machine.heard == ["value 2", "requested max(2)"])
  }

  @Test("handles a re-entrant event after the delivery has returned")
  func nested() {
    var depth = 0
    let coordinator = coordinator()
    recorder.onValue = { value in
      depth += 1
      #expect(depth == 1)
      if value < 3 { _ = coordinator.receive(value + 1, from: 0) }
      coordinator.request(.max(1))
      depth -= 1
      return .none
    }
    _ = coordinator.receive(1, from: 0)
    #expect(recorder.events == [.value(1), .value(2), .value(3)])
    #expect(
      coordinator.machine.heard == [
        "value 1", "requested max(1)", "value 2", "requested max(1)", "value 3", "requested max(1)",
      ])
  }

  @Test("enqueues an event of another thread for the owner, without blocking that thread")
  func otherThread() {
    var onSender = false
    let coordinator = coordinator()
    recorder.onValue = { value in
      if value == 1 {
        onAnotherThread {
          onSender = true
          #expect(coordinator.receive(2, from: 0) == .none)
          coordinator.completed(0, .finished)
          onSender = false
        }
      }
      #expect(!onSender)
      return .none
    }
    _ = coordinator.receive(1, from: 0)
    #expect(recorder.events == [.value(1), .value(2), .finished])
  }

  @Test("passes a re-entrant event to the machine immediately, but not before a pending value")
  func nestedOrder() {
    let coordinator = coordinator()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      coordinator.request(.max(3))
      coordinator.signal(7)
      _ = coordinator.receive(2, from: 0)
      coordinator.completed(0, .finished)
      coordinator.signal(8)
      #expect(coordinator.machine.heard == ["value 1", "requested max(3)", "signal 7"])
      return .none
    }
    _ = coordinator.receive(1, from: 0)
    #expect(recorder.events == [.value(1), .value(2), .finished])
    #expect(
      coordinator.machine.heard == [
        "value 1", "requested max(3)", "signal 7", "value 2", "completed", "signal 8",
      ])
  }

  @Test("re-entrant events of a machine's closure are pending until the machine has finished")
  func closureInside() {
    let coordinator = coordinator()
    coordinator.machine.onSignal = { [unowned coordinator] in
      coordinator.request(.max(2))
      coordinator.completed(0, .finished)
    }
    recorder.onValue = { _ in
      coordinator.signal(7)
      #expect(coordinator.machine.heard == ["value 1", "signal 7"])
      return .none
    }
    _ = coordinator.receive(1, from: 0)
    #expect(coordinator.machine.heard == ["value 1", "signal 7", "requested max(2)", "completed"])
    #expect(recorder.events == [.value(1), .finished])
  }

  @Test("performs effects and requests when the gate is released")
  func effects() {
    var performed: [String] = []
    let box = Box<Subject?>(nil)
    let coordinator = coordinator { effect in
      performed.append(effect)
      if effect == "1" { _ = box.value?.receive(2, from: 0) }
    }
    box.value = coordinator
    _ = coordinator.receive(1, from: 0)
    #expect(performed == ["1", "2"])
    #expect(recorder.events == [.value(1), .value(2)])
    box.value = nil
  }

  @Test("delivers no event after a cancellation during a delivery, and notifies the machine once")
  func cancels() {
    let coordinator = coordinator()
    recorder.onValue = { _ in
      _ = coordinator.receive(2, from: 0)
      coordinator.cancel()
      coordinator.cancel()
      return .max(1)
    }
    _ = coordinator.receive(1, from: 0)
    _ = coordinator.receive(3, from: 0)
    coordinator.cancel()
    #expect(recorder.events == [.value(1)])
    #expect(coordinator.machine.heard.filter { $0 == "cancelled" }.count == 1)
    #expect(coordinator.isCancelled)
  }

  @Test("doesn't notify the machine of a cancellation after the completion")
  func cancelAfterTheEnd() {
    let coordinator = coordinator()
    coordinator.completed(0, .finished)
    coordinator.cancel()
    #expect(recorder.events == [.finished])
    #expect(coordinator.machine.heard == ["completed"])
  }

  @Test("attaches to no upstream after its cancellation")
  func unlessCancelled() {
    let coordinator = coordinator()
    var attached: [Int] = []
    func upstream(_ number: Int) -> Deferred<Empty<Int, TestError>> {
      Deferred {
        attached.append(number)
        return Empty(completeImmediately: false)
      }
    }
    coordinator.attach(to: upstream(1))
    coordinator.attach(to: upstream(2), as: 2) { $0 }
    coordinator.attach(toSignals: upstream(3), as: 3) { $0.erased }
    coordinator.attach(to: upstream(4), opening: { Just($0).setFailureType(to: TestError.self) })
    coordinator.cancel()
    coordinator.attach(to: upstream(5))
    coordinator.attach(to: upstream(6), as: 6) { $0 }
    coordinator.attach(toSignals: upstream(7), as: 7) { $0.erased }
    coordinator.attach(to: upstream(8), opening: { Just($0).setFailureType(to: TestError.self) })
    #expect(attached == [1, 2, 3, 4])
  }

  @Test("releases the subscriber at completion and at cancellation")
  func releases() {
    for ends in [true, false] {
      var coordinator: Coordinator<EchoMachine>?
      #expect(
        isReleased { token in
          let subscriber = AnySubscriber<Int, TestError>(receiveCompletion: { _ in withExtendedLifetime(token) {} })
          coordinator = Coordinator("Echo", EchoMachine(), downstream: Downstream(subscriber))
          if ends { coordinator?.completed(0, .finished) } else { coordinator?.cancel() }
        })
      #expect(coordinator != nil)
    }
  }

  @Test("serializes the deliveries of several threads")
  func races() {
    let coordinator = coordinator()
    var sum = 0
    recorder.onValue = {
      sum += $0
      return .none
    }
    let work: () -> Void = { for _ in 0..<5_000 { _ = coordinator.receive(1, from: 0) } }
    race(work, work, work, { for _ in 0..<5_000 { coordinator.request(.max(1)) } })
    #expect(sum == 15_000)
    #expect(recorder.events.count == 15_000)
  }
}
