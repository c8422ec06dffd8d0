import Dispatch
import Testing
import Weir
import WeirControls

@Suite("A subscription to a control", .timeLimit(.minutes(10)))
@MainActor
struct ControlSubscriptionTests {
  let button = Button()

  func subscribe(
    _ initial: Subscribers.Demand = .none,
    onValue: @escaping (ControlRecorder<Button>, Button) -> Subscribers.Demand = { _, _ in .none }
  ) -> ControlRecorder<Button> {
    let recorder = ControlRecorder(initial, onValue: onValue)
    button.publisher(for: .touchUpInside).subscribe(recorder)
    return recorder
  }

  func send(_ times: Int = 1) {
    for _ in 0..<times { button.sendActions(for: .touchUpInside) }
  }

  // MARK: Demand

  @Test("drops events without demand")
  func noDemand() {
    let recorder = subscribe()
    send(3)
    #expect(recorder.events == ["subscription"])

    recorder.subscription?.request(.max(1))
    #expect(recorder.events == ["subscription"])
    send(3)
    #expect(recorder.events == ["subscription", "event"])
  }

  @Test("sends as many events as were requested", arguments: [1, 2, 5])
  func finiteDemand(count: Int) {
    let recorder = subscribe(.max(count))

    send(count + 3)

    #expect(recorder.events == ["subscription"] + Array(repeating: "event", count: count))
  }

  @Test("accumulates the demand")
  func demandAddsUp() {
    let recorder = subscribe(.max(1))
    recorder.subscription?.request(.max(2))
    send(2)
    recorder.subscription?.request(.max(1))
    send(5)

    #expect(recorder.events.count == 1 + 4)
  }

  @Test("adds the demand that a delivery returns")
  func returnedDemand() {
    let recorder = subscribe(.max(1)) { recorder, _ in recorder.events.count < 4 ? .max(1) : .none }

    send(10)

    #expect(recorder.events.count == 1 + 3)
  }

  @Test("sends all events after unlimited demand, whatever other demand is requested")
  func unlimitedDemand() {
    let recorder = subscribe(.max(3)) { _, _ in .max(1) }
    recorder.subscription?.request(.unlimited)
    recorder.subscription?.request(.max(1))

    send(1000)

    #expect(recorder.events.count == 1 + 1000)
  }

  @Test("treats overflowing demand as unlimited")
  func overflowingDemand() {
    let recorder = subscribe(.max(.max)) { _, _ in .max(.max) }
    recorder.subscription?.request(.max(.max))
    recorder.subscription?.request(.max(.max / 4))
    recorder.subscription?.request(.max(.max / 4))

    send(10)

    #expect(recorder.events.count == 1 + 10)
  }

  @Test("treats zero demand as a programming error")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let recorder = ControlRecorder<Button>()
      Button().publisher(for: .touchDown).subscribe(recorder)
      recorder.subscription?.request(.none)
    }
  }

  // MARK: Re-entrancy

  @Test("delivers a re-entrant event nested, while there is demand")
  func nestedSend() {
    let recorder = subscribe(.max(3)) { recorder, button in
      button.sendActions(for: .touchUpInside)
      recorder.note("end")
      return .none
    }

    send()

    #expect(recorder.events == ["subscription", "event", "event", "event", "end", "end", "end"])
  }

  @Test("counts the demand that a nested delivery returns")
  func nestedReturn() {
    var isNested = false
    let recorder = subscribe(.max(2)) { _, button in
      if isNested { return .max(2) }
      isNested = true
      button.sendActions(for: .touchUpInside)
      return .max(1)
    }
    send()
    #expect(recorder.events.count == 1 + 2)

    recorder.onValue = { _, _ in .none }
    send(10)
    #expect(recorder.events.count == 1 + 2 + 3)
  }

  @Test("uses re-entrant demand immediately")
  func nestedRequest() {
    let recorder = subscribe(.max(1)) { recorder, button in
      if recorder.events.count < 4 {
        recorder.subscription?.request(.max(1))
        button.sendActions(for: .touchUpInside)
      }
      return .none
    }

    send(5)

    #expect(recorder.events == ["subscription", "event", "event", "event"])
  }

  @Test("sends no event after a cancellation during a delivery, and releases the subscriber after it")
  func nestedCancel() {
    weak var weakRecorder: ControlRecorder<Button>?
    do {
      let recorder = subscribe(.unlimited) { recorder, button in
        weak let weakRecorder = recorder
        recorder.subscription?.cancel()
        #expect(weakRecorder != nil)
        #expect(button.allTargets.isEmpty)
        button.sendActions(for: .touchUpInside)
        return .unlimited
      }
      weakRecorder = recorder
      recorder.onCompletion = { Issue.record("It was cancelled.") }
      send(2)
      #expect(recorder.events == ["subscription", "event"])
    }
    #expect(weakRecorder == nil)
  }

  @Test("a subscription during a delivery receives later events")
  func nestedSubscription() {
    var second: ControlRecorder<Button>?
    let first = subscribe(.max(2)) { _, button in
      if second == nil {
        second = ControlRecorder(.unlimited)
        if let second { button.publisher(for: .touchUpInside).subscribe(second) }
      }
      return .none
    }

    send(2)

    #expect(first.events == ["subscription", "event", "event"])
    #expect(second?.events == ["subscription", "event"])
  }

  @Test("delivers events that are sent while the subscriber receives its subscription")
  func sendDuringSubscription() {
    final class Eager: Subscriber {
      typealias Input = Button
      typealias Failure = Never
      var events: [String] = []
      let onSubscription: () -> Void

      init(onSubscription: @escaping () -> Void) { self.onSubscription = onSubscription }

      func receive(subscription: any Subscription) {
        events.append("subscription")
        subscription.request(.max(1))
        onSubscription()
        subscription.cancel()
        onSubscription()
      }

      func receive(_ input: Button) -> Subscribers.Demand {
        events.append("event")
        return .max(1)
      }

      func receive(completion: Subscribers.Completion<Never>) { events.append("\(completion)") }
    }
    let eager = Eager { send() }
    button.publisher(for: .touchUpInside).subscribe(eager)

    #expect(eager.events == ["subscription", "event"])
    #expect(button.allTargets.isEmpty)
  }

  // MARK: Cancellation

  @Test("is among the control's targets until it is cancelled")
  func target() {
    let recorder = subscribe()
    #expect(button.allTargets.map { "\($0)" } == ["ControlSubscription"])
    #expect(button.allControlEvents == .touchUpInside)
    #expect(button.actions(forTarget: nil, forControlEvent: .touchUpInside) == ["ControlSubscription"])

    recorder.subscription?.cancel()
    #expect(button.allTargets.isEmpty)
    #expect(button.allControlEvents == [])
    #expect(button.actions(forTarget: nil, forControlEvent: .touchUpInside) == nil)
  }

  @Test("sends no event after cancellation, also when it is cancelled or requested again")
  func cancellation() {
    let recorder = subscribe(.unlimited)
    send()
    recorder.subscription?.cancel()
    recorder.subscription?.cancel()
    recorder.subscription?.request(.unlimited)
    send()

    #expect(recorder.events == ["subscription", "event"])
  }

  @Test("releases the subscriber and itself at cancellation, while the control lives")
  func releaseByCancel() {
    weak var weakRecorder: ControlRecorder<Button>?
    weak var weakSubscription: AnyObject?
    do {
      let recorder = subscribe(.unlimited)
      weakRecorder = recorder
      weakSubscription = recorder.subscription as AnyObject
      send()
    }
    #expect(weakRecorder != nil)
    #expect(weakSubscription != nil)

    // From here on, only the control references them.
    weakRecorder?.subscription?.cancel()
    #expect(weakRecorder == nil)
    #expect(weakSubscription == nil)
  }

  @Test("keeps its position when another subscription is cancelled")
  func cancelOfAnother() {
    var recorders: [ControlRecorder<Button>] = []
    recorders.append(
      subscribe(.unlimited) { _, _ in
        recorders[1].subscription?.cancel()
        return .none
      })
    recorders.append(subscribe(.unlimited))
    recorders.append(subscribe(.unlimited))

    send(2)

    #expect(recorders.map(\.events.count) == [3, 1, 3])
  }

  @Test("many subscriptions can be cancelled in any order, without affecting the others")
  func cancelAmongMany() {
    var generator = SystemRandomNumberGenerator()
    let recorders = (0..<200).map { _ in subscribe(.unlimited) }
    let cancelled = Set((0..<200).shuffled(using: &generator).prefix(150))
    for index in cancelled.shuffled(using: &generator) { recorders[index].subscription?.cancel() }

    send()

    #expect(button.allTargets.count == 50)
    for (index, recorder) in recorders.enumerated() {
      #expect(recorder.events.count == (cancelled.contains(index) ? 1 : 2))
    }
  }

  @Test("leaves no entry that the next event could reach")
  func gap() {
    var log: [String] = []
    var cancellables = ["first", "second", "third"].map { name in
      button.publisher(for: .touchUpInside).sink { _ in log.append(name) }
    }
    cancellables.removeFirst()
    send()

    #expect(log == ["second", "third"])
  }

  @Test("finishes when it is removed like any other target")
  func removal() {
    let (first, second) = (subscribe(.unlimited), subscribe())
    let both = ControlRecorder<Button>(.unlimited)
    button.publisher(for: [.touchDown, .touchUpInside]).subscribe(both)

    button.removeTarget(nil, action: nil, for: .touchUpInside)
    button.sendActions(for: [.touchDown, .touchUpInside])

    #expect(first.events == ["subscription", "finished"])
    #expect(second.events == ["subscription", "finished"])
    #expect(both.events == ["subscription", "event"])
    button.removeTarget(both.subscription as AnyObject, action: nil, for: .touchDown)
    #expect(both.events == ["subscription", "event", "finished"])
  }

  @Test("finishes when it is removed during its own delivery, and releases the subscriber after it")
  func removalDuringDelivery() {
    weak var weakRecorder: ControlRecorder<Button>?
    var log: [String] = []
    do {
      let recorder = subscribe(.unlimited) { _, button in
        log.append("event")
        button.removeTarget(nil, action: nil, for: .allEvents)
        log.append(weakRecorder == nil ? "released too early" : "end")
        return .unlimited
      }
      recorder.onCompletion = { log.append("finished") }
      recorder.forget()
      weakRecorder = recorder
    }
    send(2)

    #expect(log == ["event", "finished", "end"])
    #expect(weakRecorder == nil)
  }

  @Test("may lose its last reference during its own delivery")
  func releaseDuringDelivery() {
    let count = 10
    var log: [String] = []
    var cancellables: [AnyCancellable?] = []
    for index in 0..<count {
      cancellables.append(
        button.publisher(for: .touchUpInside).sink { button in
          cancellables[index] = nil
          button.sendActions(for: .touchDown)
          log.append("\(index)")
        })
    }
    send(2)

    #expect(log == (0..<count).map(String.init))
    #expect(button.allTargets.isEmpty)
  }

  // MARK: Deallocation of the control

  @Test(
    "finishes when the control is deallocated, with demand and without",
    arguments: [Subscribers.Demand.none, .max(2), .unlimited])
  func controlGoes(demand: Subscribers.Demand) {
    let recorder = ControlRecorder<Button>(demand)
    var control: Button? = Button()
    weak let weakControl = control
    control?.publisher(for: .touchDown).subscribe(recorder)
    control = nil

    #expect(weakControl == nil)
    #expect(recorder.events == ["subscription", "finished"])
    recorder.subscription?.request(.max(1))
    recorder.subscription?.cancel()
    #expect(recorder.events == ["subscription", "finished"])
  }

  @Test("releases the subscriber and itself when the control is deallocated")
  func releaseByControl() {
    var control: Button? = Button()
    weak var weakRecorder: ControlRecorder<Button>?
    weak var weakSubscription: AnyObject?
    do {
      let recorder = ControlRecorder<Button>(.unlimited)
      control?.publisher(for: .touchDown).subscribe(recorder)
      weakRecorder = recorder
      weakSubscription = recorder.subscription as AnyObject
    }
    #expect(weakRecorder != nil)

    // The subscriber still has its subscription, so one of the two must release the other.
    control = nil
    #expect(weakRecorder == nil)
    #expect(weakSubscription == nil)
  }

  @Test("doesn't finish if it was cancelled before the control is deallocated")
  func cancelBeforeControlGoes() {
    let recorder = ControlRecorder<Button>(.unlimited)
    do {
      let control = Button()
      control.publisher(for: .touchDown).subscribe(recorder)
      recorder.subscription?.cancel()
    }

    #expect(recorder.events == ["subscription"])
  }

  @Test("subscriptions finish one after the other, unless the first cancels the second")
  func cancelWhileControlGoes() {
    let (first, second, third) = (ControlRecorder<Button>(), ControlRecorder<Button>(), ControlRecorder<Button>())
    first.onCompletion = { second.subscription?.cancel() }
    do {
      let control = Button()
      for recorder in [first, second, third] { control.publisher(for: .touchDown).subscribe(recorder) }
    }

    #expect(first.events == ["subscription", "finished"])
    #expect(second.events == ["subscription"])
    #expect(third.events == ["subscription", "finished"])
  }

  @Test("sends the last event before it finishes, when the control is deallocated during a delivery")
  func controlGoesDuringDelivery() {
    var control: Button? = Button()
    let recorder = ControlRecorder<Button>(.unlimited) { recorder, _ in
      control = nil
      recorder.note("end")
      return .none
    }
    control?.publisher(for: .touchDown).subscribe(recorder)

    control?.sendActions(for: .touchDown)

    #expect(recorder.events == ["subscription", "event", "end", "finished"])
  }

  @Test("finishes on the main actor when another thread deallocates the control")
  func controlGoesElsewhere() async {
    let recorder = ControlRecorder<Button>()
    let box = Handover(Button())
    box.content?.publisher(for: .touchDown).subscribe(recorder)
    await withCheckedContinuation { continuation in
      recorder.onCompletion = {
        MainActor.preconditionIsolated()
        continuation.resume()
      }
      DispatchQueue.global().async { box.content = nil }
    }

    #expect(recorder.events == ["subscription", "finished"])
  }

  // MARK: Other threads

  @Test("releases the subscriber immediately when another thread cancels, and leaves the control later")
  func cancelElsewhere() async {
    weak var weakRecorder: ControlRecorder<Button>?
    weak var weakSubscription: AnyObject?
    var subscription: (any Subscription)?
    do {
      let recorder = subscribe(.unlimited)
      subscription = recorder.subscription
      weakSubscription = subscription as AnyObject
      weakRecorder = recorder
      recorder.forget()
    }
    // The main actor is busy here, so only the cancellation itself can have released the subscriber.
    runElsewhere { [subscription] in subscription?.cancel() }
    #expect(weakRecorder == nil)
    #expect(button.allTargets.isEmpty)
    send()

    subscription = nil
    for _ in 0..<1000 where weakSubscription != nil { await Task.yield() }
    #expect(weakSubscription == nil)
  }

  @Test("the delivery releases the subscriber when another thread cancels meanwhile")
  func cancelElsewhereDuringDelivery() {
    weak var weakRecorder: ControlRecorder<Button>?
    do {
      let recorder = subscribe(.unlimited) { recorder, button in
        nonisolated(unsafe) let subscription = recorder.subscription
        runElsewhere { subscription?.cancel() }
        recorder.forget()
        button.sendActions(for: .touchUpInside)
        recorder.note("end")
        return .max(1)
      }
      weakRecorder = recorder
      send(2)
      #expect(recorder.events == ["subscription", "event", "end"])
    }
    #expect(weakRecorder == nil)
  }

  @Test("other threads may cancel while the control sends: each event arrives once or not at all")
  func cancelRaces() async {
    for round in 0..<1000 {
      cancelRace(sending: round % 50)
      // Sometimes the main actor removes them from the list.
      if round % 10 == 0 { await Task.yield() }
    }
    #expect(button.allTargets.isEmpty)
  }

  private func cancelRace(sending count: Int) {
    let tally = Tally()
    weak var weakRecorder: ControlRecorder<Button>?
    do {
      let recorder = subscribe(.max(2)) { _, button in
        tally.deliver()
        if tally.count % 3 == 0 { button.sendActions(for: .touchUpInside) }
        return .max(1)
      }
      weakRecorder = recorder
      nonisolated(unsafe) let subscription = recorder.subscription
      recorder.forget()
      let group = DispatchGroup()
      for thread in 0..<3 {
        DispatchQueue.global().async(group: group) {
          if thread == 2 { subscription?.request(.max(1)) } else { subscription?.cancel() }
        }
      }
      send(count)
      group.wait()
    }
    let before = tally.count
    send()
    #expect(tally.isWhole && tally.count == before)
    #expect(weakRecorder == nil)
  }

  @Test("other threads may request while the control sends: each request is used exactly once")
  func requestRaces() {
    let recorder = subscribe(.max(1))
    nonisolated(unsafe) let subscription = recorder.subscription
    let group = DispatchGroup()
    for _ in 0..<2 {
      DispatchQueue.global().async(group: group) {
        for _ in 0..<1000 { subscription?.request(.max(1)) }
      }
    }
    send(500)
    group.wait()
    send(3000)

    #expect(recorder.events.count == 1 + 2001)
  }

  @Test("a cancellation that races with the control's deallocation allows at most one finish")
  func cancelRacesWithControl() {
    for _ in 0..<1000 {
      let recorder = ControlRecorder<Button>()
      let group = DispatchGroup()
      do {
        let control = Button()
        control.publisher(for: .touchDown).subscribe(recorder)
        nonisolated(unsafe) let subscription = recorder.subscription
        DispatchQueue.global().async(group: group) { subscription?.cancel() }
      }
      group.wait()
      #expect(recorder.events == ["subscription"] || recorder.events == ["subscription", "finished"])
    }
  }

  @Test("reports an event without demand while another thread cancels, with the subscriber or without")
  func reportRaces() async {
    // A hook affects the whole program, so the test runs in its own process.
    await #expect(processExitsWith: .success) { @MainActor in
      Tracing.onReport = { (_: Tracing.Report) in }
      for round in 0..<2000 {
        let control = Button()
        weak var weakRecorder: ControlRecorder<Button>?
        let group = DispatchGroup()
        do {
          let recorder = ControlRecorder<Button>()
          control.publisher(for: .touchDown).subscribe(recorder)
          nonisolated(unsafe) let subscription = recorder.subscription
          recorder.forget()
          weakRecorder = recorder
          DispatchQueue.global().async(group: group) { subscription?.cancel() }
        }
        for _ in 0..<round % 50 { control.sendActions(for: .touchDown) }
        group.wait()
        #expect(weakRecorder == nil)
      }
    }
  }

  @Test("retains the subscriber during a report in which another thread cancels")
  func cancelInsideReport() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let control = Button()
      nonisolated(unsafe) weak var weakRecorder: ControlRecorder<Button>?
      nonisolated(unsafe) var isThere: [Bool] = []
      do {
        let recorder = ControlRecorder<Button>()
        control.publisher(for: .touchDown).subscribe(recorder)
        nonisolated(unsafe) let subscription = recorder.subscription
        recorder.forget()
        weakRecorder = recorder
        Tracing.onReport = { (_: Tracing.Report) in
          runElsewhere { subscription?.cancel() }
          isThere.append(weakRecorder != nil)
        }
      }
      control.sendActions(for: .touchDown)
      control.sendActions(for: .touchDown)
      #expect(isThere == [true])
      #expect(weakRecorder == nil)
    }
  }

  // MARK: Names

  @Test("describes itself by its name")
  func description() throws {
    let subscription: Any = try #require(subscribe().subscription)

    #expect("\(subscription)" == "ControlSubscription")
    #expect(Mirror(reflecting: subscription).children.isEmpty)
    let described = subscription as? any CustomPlaygroundDisplayConvertible
    #expect(described?.playgroundDescription as? String == "ControlSubscription")
  }
}

/// Runs a closure on another thread and waits for it.
private func runElsewhere(_ body: @escaping () -> Void) {
  // The caller waits, so it has the closure back before it continues.
  nonisolated(unsafe) let body = body
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    body()
    done.signal()
  }
  done.wait()
}

/// Counts deliveries in a way that loses concurrent ones.
///
/// It has no lock, so that the sanitizer detects them.
private final class Tally {
  private(set) var count = 0
  private var echo = 0

  var isWhole: Bool { count == echo }

  func deliver() {
    count += 1
    echo += 1
  }
}
