import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("bind and <->")
struct BindTwoWayTests {
  let account = Account()

  @Test("starts with the right side's value, then propagates each change to the other side once")
  func relays() {
    let (left, right) = (CurrentValueRelay(1), CurrentValueRelay(2))
    let (lefts, rights) = (left.record(demanding: .unlimited), right.record(demanding: .unlimited))
    let binding = left <-> right
    #expect(lefts.values == [1, 2])
    left.accept(3)
    right.accept(4)
    right.accept(4)
    #expect(lefts.values == [1, 2, 3, 4, 4])
    #expect(rights.values == [2, 3, 4, 4])
    binding.cancel()
    left.accept(5)
    right.accept(6)
    #expect(lefts.values == [1, 2, 3, 4, 4, 5])
    #expect(rights.values == [2, 3, 4, 4, 6])
  }

  @Test("binds a relay and a published property")
  func published() {
    account.username = "ada"
    let relay = CurrentValueRelay("")
    let recorder = relay.record(demanding: .unlimited)
    let binding = bind(relay, to: account, \.username)
    relay.accept("bob")
    #expect(account.username == "bob")
    account.username = "eve"
    #expect(recorder.values == ["", "ada", "bob", "eve"])
    withExtendedLifetime(binding) {}
  }

  @Test("replaces nil with a default value")
  func nilValue() {
    let relay = CurrentValueRelay("x")
    let binding = bind(relay, to: account, \.nickname, nilValue: "")
    #expect(relay.value == "")
    #expect(account.nickname == nil)
    relay.accept("ady")
    #expect(account.nickname == "ady")
    account.nickname = nil
    #expect(relay.value == "")
    withExtendedLifetime(binding) {}
  }

  @Test("binds channel ends: the following one starts with the latest value, the leading one with none")
  func terminals() {
    let channel = Channel<Int, TestError>()
    channel.leading.send(7)
    channel.following.send(8)
    let (model, view) = (CurrentValueRelay(1), CurrentValueRelay(2))
    let bindings = [view <-> channel.following, model <-> channel.leading]
    #expect(view.value == 7)
    #expect(model.value == 1)
    model.accept(9)
    #expect(view.value == 9)
    view.accept(10)
    #expect(model.value == 10)
    channel.leading.send(completion: .failure(.oops))
    model.accept(11)
    #expect(view.value == 10)
    withExtendedLifetime(bindings) {}
  }

  @Test("binds an observable property on a scheduler")
  func observable() {
    let (settings, scheduler) = (Settings(), VirtualTimeScheduler())
    settings.name = "a"
    let relay = CurrentValueRelay("")
    let recorder = relay.record(demanding: .unlimited)
    let binding = bind(relay, to: settings, \.name, on: scheduler)
    relay.accept("b")
    #expect(settings.name == "b")
    #expect(scheduler.pendingCount == 0)
    settings.name = "c"
    scheduler.runDue()
    #expect(recorder.values == ["", "a", "b", "c"])
    withExtendedLifetime(binding) {}
  }

  @Test("propagates each change once between two observable properties of one object or two")
  func observables() {
    let (one, other, scheduler) = (Settings(), Settings(), VirtualTimeScheduler())
    let binding =
      PropertyChannel(one, \.name, on: scheduler) <-> PropertyChannel(other, \.name, on: scheduler)
    let names = PropertyChannel(other, \.name, on: scheduler).record(demanding: .unlimited)
    for name in ["a", "b"] {
      one.name = name
      scheduler.runDue()
      #expect(scheduler.pendingCount == 0)
      #expect(other.name == name)
    }
    other.name = "c"
    scheduler.runDue()
    #expect(one.name == "c")
    #expect(names.values == ["", "a", "b", "c"])
    withExtendedLifetime(binding) {}
  }

  // MARK: Corrections

  @Test("a text that trims itself appears trimmed on both sides", arguments: [true, false])
  func trims(_ fromRelay: Bool) {
    let (model, relay) = (Trimmed(), CurrentValueRelay(""))
    let recorder = relay.record(demanding: .unlimited)
    let binding = relay <-> PropertyChannel(model, \.text)
    if fromRelay { relay.accept(" a ") } else { model.text = " a " }
    #expect(relay.value == "a")
    #expect(model.text == "a")
    #expect(recorder.values == ["", "", " a ", "a"])
    withExtendedLifetime(binding) {}
  }

  @Test("handles a text that always sets itself, is not Equatable, or is trimmed before it is stored")
  func trimsInOtherWays() {
    let (always, relay) = (AlwaysTrimmed(), CurrentValueRelay(Opaque("")))
    var values: [String] = []
    let cancellable = relay.dropFirst(2).sink { values.append($0.text) }
    let binding = relay <-> PropertyChannel(always, \.text)
    relay.accept(Opaque(" a "))
    #expect(values == [" a ", "a"])
    #expect(always.text.text == "a")
    let (stored, texts) = (StoredTrimmed(), CurrentValueRelay(""))
    let recorder = texts.record(demanding: .unlimited)
    let other = PropertyChannel(stored, \.text) <-> texts
    texts.accept(" b ")
    #expect(recorder.values == ["", " b ", "b"])
    #expect(stored.text == "b")
    withExtendedLifetime((binding, cancellable, other)) {}
  }

  @Test("propagation stops if both sides correct and never agree")
  func disagree() {
    let (loud, trimmed) = (Loud(), Trimmed())
    let binding = PropertyChannel(loud, \.text) <-> PropertyChannel(trimmed, \.text)
    for text in [" a ", " b "] {
      loud.text = text
      #expect(loud.text == text.trimmed.uppercased())
      #expect(trimmed.text == loud.text)
      trimmed.text = text + text
      #expect(loud.text == (text + text).trimmed.uppercased())
      #expect(trimmed.text == loud.text)
    }
    binding.cancel()
    let quiet = Quiet()
    let other = PropertyChannel(loud, \.text) <-> PropertyChannel(quiet, \.text)
    quiet.text = "A"
    loud.text = "b"
    #expect(loud.text == "B")
    #expect(quiet.text == "b")
    #expect(quiet.sets < 50)
    withExtendedLifetime(other) {}
  }

  // MARK: Several

  @Test("a cycle of bindings settles: each side receives each change once")
  func ring() {
    let relays = (0..<3).map { _ in CurrentValueRelay(0) }
    let bindings = (0..<3).map { relays[$0] <-> relays[($0 + 1) % 3] }
    let recorders = relays.map { $0.record(demanding: .unlimited) }
    for value in 1...3 { relays[value - 1].accept(value) }
    #expect(recorders.map(\.values) == Array(repeating: [0, 1, 2, 3], count: 3))
    withExtendedLifetime(bindings) {}
  }

  @Test("a cycle of values that are not Equatable, one of which trims itself, settles trimmed")
  func trimmingRing() {
    let model = AlwaysTrimmed()
    let relays = (0..<3).map { _ in CurrentValueRelay(Opaque("")) }
    var sets = 0
    let cancellables = relays.map { $0.sink { _ in sets += 1 } }
    var bindings = (0..<2).map { relays[$0] <-> relays[$0 + 1] }
    bindings.append(PropertyChannel(model, \.text) <-> relays[0])
    bindings.append(PropertyChannel(model, \.text) <-> relays[2])
    for (index, relay) in relays.enumerated() {
      relay.accept(Opaque(" \(index) "))
      #expect(relays.map(\.value.text) == Array(repeating: "\(index)", count: 3))
      #expect(model.text.text == "\(index)")
    }
    model.text = Opaque(" m ")
    #expect(relays.map(\.value.text) == ["m", "m", "m"])
    #expect(sets < 150)
    withExtendedLifetime((bindings, cancellables)) {}
  }

  @Test("a cycle of channels and properties settles")
  func mixedRing() {
    let channel = Channel<String, Never>()
    let relay = CurrentValueRelay("")
    let sets = relay.record(demanding: .unlimited)
    let bindings = [
      relay <-> channel.leading, bind(channel.following, to: account, \.username),
      bind(relay, to: account, \.username),
    ]
    relay.accept("a")
    #expect(account.username == "a")
    account.username = "b"
    #expect(relay.value == "b")
    #expect(channel.leading.currentValue == "b")
    #expect(sets.values.count < 10)
    withExtendedLifetime(bindings) {}
  }

  @Test("a change during a propagation reaches all sides, and an outdated one reaches none")
  func nested() {
    let relays = (0..<3).map { _ in CurrentValueRelay(0) }
    let cancellable = relays[0].sink { [relays] value in if value == 1 { relays[0].accept(2) } }
    let bindings = [relays[0] <-> relays[1], relays[0] <-> relays[2]]
    relays[0].accept(1)
    #expect(relays.map(\.value) == [2, 2, 2])
    relays[1].accept(1)
    #expect(relays.map(\.value) == [2, 2, 2])
    withExtendedLifetime((bindings, cancellable)) {}
  }

  // MARK: Conversions

  @Test("converts in both directions")
  func converts() {
    let (text, number) = (CurrentValueRelay(""), CurrentValueRelay(3))
    let binding = bind(text, to: number, map: { (text: String) -> Int in text.count }, unmap: { "\($0)" })
    #expect(text.value == "3")
    text.accept("12345")
    #expect(number.value == 5)
    #expect(text.value == "12345")
    number.accept(7)
    #expect(text.value == "7")
    withExtendedLifetime(binding) {}
  }

  @Test("a failed conversion keeps the other side's value, and is reported")
  func failures() {
    let (text, number) = (CurrentValueRelay(""), CurrentValueSubject<Int, Never>(3))
    let binding = bind(
      text, to: number,
      tryMap: { (text: String) throws -> Int in
        guard let number = Int(text) else { throw TestError.oops }
        return number
      }, tryUnmap: { "\($0)" })
    let failures = binding.failures.map { $0 as? TestError == .oops }.record(demanding: .unlimited)
    text.accept("4x")
    #expect(number.value == 3)
    text.accept("4")
    #expect(number.value == 4)
    number.send(5)
    #expect(text.value == "5")
    #expect(failures.events == [.subscription, .value(true)])
    number.send(completion: .finished)
    text.accept("6")
    #expect(number.value == 5)
    #expect(failures.isFinished)
  }

  // MARK: Restricted access

  @Test("a side with restricted access receives the value at the time of the access")
  func access() {
    let (relay, scheduler) = (CurrentValueRelay(1), VirtualTimeScheduler())
    let distant = Distant(2, on: scheduler)
    let binding = relay <-> distant
    #expect(relay.value == 1)
    scheduler.runDue()
    #expect(relay.value == 2)
    relay.accept(3)
    relay.accept(4)
    #expect(distant.relay.value == 2)
    #expect(scheduler.pendingCount == 1)
    distant.relay.accept(5)
    scheduler.runDue()
    #expect(relay.value == 5)
    #expect(distant.relay.value == 5)
    relay.accept(6)
    binding.cancel()
    scheduler.runDue()
    #expect(distant.relay.value == 5)
  }

  // MARK: Termination

  @Test("holds objects weakly, and terminates when one is deallocated")
  func ends() {
    let relay = CurrentValueRelay("")
    var account: Account? = Account()
    weak let remains = account
    let binding = account.map { bind(relay, to: $0, \.username) }
    account = nil
    #expect(remains == nil)
    relay.accept("nobody")
    withExtendedLifetime(binding) {}
  }

  @Test("doesn't mistake a new object for a deallocated one")
  func reusedMemory() {
    let never = PassthroughSubject<Void, Never>()
    let (left, right) = (CurrentValueRelay(1), CurrentValueRelay(2))
    func bindToRight(_ account: Account) -> AnyCancellable {
      bind(PropertyChannel(account, \.age, changes: never), to: right)
    }
    var bindings = [left <-> right, bindToRight(Account())]
    let accounts = (0..<100).map { (_: Int) in Account() }
    bindings += accounts.map(bindToRight)
    left.accept(5)
    #expect(accounts.map(\.age) == Array(repeating: 5, count: 100))
    withExtendedLifetime(bindings) {}
  }

  @Test("binds the property of a new object to that of a deallocated one")
  func deallocated() {
    let never = PassthroughSubject<Void, Never>()
    let channels = (0..<100).map { (_: Int) in PropertyChannel(Account(), \.age, changes: never) }
    let accounts = channels.map { (_: PropertyChannel<Int>) in Account() }
    let new = accounts.map { PropertyChannel($0, \.age, changes: never) }
    #expect(Set(channels.map(\.identity)).isDisjoint(with: new.map(\.identity)))
  }

  @Test("releases both sides and the conversions when it is released")
  func releases() {
    let (left, right) = (CurrentValueRelay(0), CurrentValueRelay(0))
    #expect(
      isReleased { token in
        let binding = bind(
          left, to: right, map: { value in withExtendedLifetime(token) { value } }, unmap: { $0 })
        left.accept(1)
        withExtendedLifetime(binding) {}
      })
    weak var remains: CurrentValueRelay<Int>?
    do {
      let other = CurrentValueRelay(0)
      remains = other
      let binding = other <-> right
      right.accept(2)
      withExtendedLifetime(binding) {}
    }
    #expect(remains == nil)
  }

  @Test("binds a side to itself")
  func itself() async {
    await #expect(processExitsWith: .failure) {
      let relay = CurrentValueRelay(1)
      _ = relay <-> relay
    }
    await #expect(processExitsWith: .failure) {
      let account = Account()
      _ = PropertyChannel(account, \.age) <-> PropertyChannel(account, \.age)
    }
    await #expect(processExitsWith: .failure) {
      let channel = Channel<Int, Never>()
      _ = channel.leading <-> channel.following
    }
  }

  // MARK: Threads

  @Test("two threads that write concurrently leave both sides equal", .timeLimit(.minutes(10)))
  func races() {
    for round in 0..<300 {
      let (left, right) = (CurrentValueRelay(0), CurrentValueRelay(0))
      let binding = left <-> right
      race(
        { for value in 1...20 { left.accept(value) } },
        { for value in 1...20 { right.accept(-value) } })
      #expect(left.value == right.value)
      left.accept(100 + round)
      #expect(right.value == 100 + round)
      withExtendedLifetime(binding) {}
    }
  }

  @Test("also with published properties, values that are not Equatable, and a cycle", .timeLimit(.minutes(10)))
  func racesElsewhere() {
    for _ in 0..<150 {
      let (one, other) = (Account(), Account())
      let relays = (0..<3).map { _ in CurrentValueRelay(Opaque("")) }
      let bindings =
        [PropertyChannel(one, \.age) <-> PropertyChannel(other, \.age)]
        + (0..<3).map { relays[$0] <-> relays[($0 + 1) % 3] }
      race(
        {
          for value in 1...20 {
            one.age = value
            relays[0].accept(Opaque("\(value)"))
          }
        },
        {
          for value in 1...20 {
            other.age = -value
            relays[1].accept(Opaque("\(-value)"))
          }
        })
      #expect(one.age == other.age)
      #expect(Set(relays.map(\.value.text)).count == 1)
      withExtendedLifetime(bindings) {}
    }
  }
}

/// A side that is accessible only on a scheduler.
private final class Distant: TwoWayBindable {
  let relay: CurrentValueRelay<Int>
  let scheduler: VirtualTimeScheduler

  init(_ value: Int, on scheduler: VirtualTimeScheduler) {
    relay = CurrentValueRelay(value)
    self.scheduler = scheduler
  }

  var currentValue: Int? { relay.value }
  var changes: AnyPublisher<Int, Never> { relay.dropFirst().eraseToAnyPublisher() }
  func set(_ value: Int) { relay.accept(value) }
  func access(_ body: @escaping () -> Void) { scheduler.schedule(body) }
}
