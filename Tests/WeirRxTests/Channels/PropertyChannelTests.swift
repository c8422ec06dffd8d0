import Dispatch
import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("PropertyChannel")
struct PropertyChannelTests {
  let account = Account()

  @Test("sends a published property's value, then changes by other code after they are stored")
  func published() {
    let channel = PropertyChannel(account, \.username)
    account.username = "ada"
    let recorder = channel.record(demanding: .unlimited)
    var seen: [String] = []
    let account = account
    recorder.onValue = { _ in
      seen.append(account.username)
      return .none
    }
    account.username = "bob"
    account.age = 3
    #expect(recorder.events == [.subscription, .value("ada"), .value("bob")])
    #expect(seen == ["bob"])
  }

  @Test("sends its own changes to all subscribers but those of the channel")
  func ownChanges() {
    let (channel, other) = (PropertyChannel(account, \.username), PropertyChannel(account, \.username))
    let (own, others) = (channel.record(demanding: .unlimited), other.record(demanding: .unlimited))
    channel.send("ada")
    #expect(account.username == "ada")
    #expect(own.values == [""])
    #expect(others.values == ["", "ada"])
    account.username = "bob"
    #expect(own.values == ["", "bob"])
  }

  @Test("sends a setter's correction back once")
  func corrections() {
    let (trimmed, stored) = (Trimmed(), StoredTrimmed())
    let (one, other) = (PropertyChannel(trimmed, \.text), PropertyChannel(stored, \.text))
    let (ones, others) = (one.record(demanding: .unlimited), other.record(demanding: .unlimited))
    one.send(" a ")
    other.send(" a ")
    #expect(ones.values == ["", "a"])
    #expect(others.values == ["", "a"])
    one.send("b")
    other.send("b")
    #expect(ones.values == ["", "a"])
    #expect(others.values == ["", "a"])
  }

  @Test("a subscriber without demand receives the current value at its next request")
  func demand() {
    let recorder = PropertyChannel(account, \.age).record()
    for age in 1...3 { account.age = age }
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [3])
    for age in 4...5 { account.age = age }
    recorder.request(.max(5))
    #expect(recorder.values == [3, 5])
  }

  @Test("observes a property that is computed from published ones")
  func computed() {
    let recorder = PropertyChannel(account, \.greeting).record(demanding: .unlimited)
    account.username = "ada"
    account.age = 36
    #expect(recorder.values == [", 0", "ada, 0", "ada, 36"])
  }

  @Test("observes the value of a relay or subject, directly or in an object")
  func holders() {
    let channels = [
      PropertyChannel(account.city, \.value), PropertyChannel(account, \.city),
      PropertyChannel(account.street, \.value),
      PropertyChannel(account, \.street),
    ]
    let recorders = channels.map { $0.record(demanding: .unlimited) }
    account.city.accept("Turin")
    account.street.send("Turin")
    channels[0].send("Genoa")
    channels[2].send("Genoa")
    #expect(account.city.value == "Genoa")
    #expect(
      recorders.map(\.values) == [["", "Turin"], ["", "Turin", "Genoa"], ["", "Turin"], ["", "Turin", "Genoa"]])
  }

  @Test("observes any property, with a publisher that announces its changes")
  func notifier() {
    let changes = PassthroughSubject<Void, Never>()
    let channel = PropertyChannel(account, \.plain, changes: changes)
    let recorder = channel.record(demanding: .unlimited)
    account.plain = "a"
    changes.send(())
    changes.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(""), .value("a"), .finished])
  }

  @Test("replaces nil with a default value")
  func nilValue() {
    let channel = PropertyChannel(account, \.nickname, nilValue: "–")
    let recorder = channel.record(demanding: .unlimited)
    channel.send("ady")
    #expect(account.nickname == "ady")
    account.nickname = "addy"
    account.nickname = nil
    #expect(recorder.values == ["–", "addy", "–"])
  }

  @Test("holds the object weakly, and finishes when it is deallocated")
  func finishes() {
    var account: Account? = Account()
    weak let remains = account
    guard let channel = account.map({ PropertyChannel($0, \.username) }) else { return }
    let recorder = channel.record(demanding: .unlimited)
    account = nil
    #expect(remains == nil)
    #expect(recorder.events == [.subscription, .value(""), .finished])
    #expect(channel.currentValue == nil)
    channel.send("nobody")
    #expect(channel.record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("detects a deallocated object when it sends, if no publisher announces that")
  func finishesLater() {
    var settings: Settings? = Settings()
    guard let channel = settings.map({ PropertyChannel($0, \.name, on: ImmediateScheduler.shared) }) else { return }
    let recorder = channel.record(demanding: .unlimited)
    settings = nil
    channel.send("nobody")
    #expect(recorder.events == [.subscription, .value(""), .finished])
  }

  @Test("a subscription retains the channel, and releases everything at its cancellation")
  func releases() {
    weak var remains: PropertyChannel<String>?
    #expect(
      isReleased { token in
        let channel = PropertyChannel(account, \.username)
        remains = channel
        let cancellable = channel.sink { _ in withExtendedLifetime(token) {} }
        account.username = "ada"
        cancellable.cancel()
      })
    #expect(remains == nil)
    var values: [String] = []
    let cancellable = PropertyChannel(account, \.username).sink { values.append($0) }
    account.username = "bob"
    #expect(values == ["ada", "bob"])
    withExtendedLifetime(cancellable) {}
  }

  // MARK: Observation

  @Test("an observable property sends each change once, a hop later")
  func observable() {
    let (settings, scheduler) = (Settings(), VirtualTimeScheduler())
    let channel = PropertyChannel(settings, \.name, on: scheduler)
    let recorder = channel.record(demanding: .unlimited)
    for name in ["a", "b"] {
      settings.name = name
      #expect(recorder.values.last != name)
      scheduler.runDue()
    }
    settings.volume = 11
    #expect(scheduler.pendingCount == 0)
    #expect(recorder.events == [.subscription, .value(""), .value("a"), .value("b")])
  }

  @Test("an observable property coalesces changes before the hop; the channel's own changes need no hop")
  func observableTogether() {
    let (settings, scheduler) = (Settings(), VirtualTimeScheduler())
    let channel = PropertyChannel(settings, \.name, on: scheduler)
    let recorder = channel.record(demanding: .unlimited)
    for name in ["a", "b", "c"] { settings.name = name }
    #expect(scheduler.pendingCount == 1)
    scheduler.runDue()
    channel.send("d")
    #expect(scheduler.pendingCount == 0)
    settings.name = "e"
    scheduler.runDue()
    #expect(recorder.values == ["", "c", "e"])
    recorder.cancel()
    settings.name = "f"
    scheduler.runDue()
    #expect(recorder.values == ["", "c", "e"])
  }

  @Test("reads an observable property of the main actor there")
  @MainActor
  func observableOnMainActor() async {
    let settings = Settings()
    let channel = PropertyChannel(settings, \.name)
    let recorder = channel.record(demanding: .unlimited)
    settings.name = "a"
    while recorder.values.count < 2 { await Task.yield() }
    #expect(recorder.values == ["", "a"])
  }

  // MARK: Properties of actors

  /// Records where its number is set.
  final class Located: ObservableObject {
    var numbers: [Int] = []
    @Published var number = 0 {
      didSet {
        dispatchPrecondition(condition: .onQueue(.main))
        numbers.append(number)
      }
    }
  }

  @Test("sets a property where the channel was created, in order, and delivers there what another thread announces")
  @MainActor
  func onMainActor() async {
    let (model, changes) = (Located(), PassthroughSubject<Void, Never>())
    nonisolated(unsafe) let channel = PropertyChannel(model, \.number, changes: changes)
    var received: [Int] = []
    let cancellable = channel.sink { received.append($0) }
    let send: @Sendable () -> Void = {
      for number in 1...5 { channel.send(number) }
      #expect(channel.currentValue == nil)
    }
    onAnotherThread(send)
    #expect(model.numbers == [])
    channel.send(6)
    #expect(model.numbers == Array(1...6))
    let announce: @Sendable () -> Void = { changes.send(()) }
    onAnotherThread(announce)
    #expect(received == [0])
    while received.count < 2 { await Task.yield() }
    #expect(received == [0, 6])
    withExtendedLifetime(cancellable) {}
  }

  @Test("a binding sets a main-actor model on the main actor, whatever thread the other side changes on")
  @MainActor
  func boundOnMainActor() async {
    let (model, relay) = (Located(), CurrentValueRelay(7))
    let binding = bind(relay, to: model, \.number)
    #expect(relay.value == 0)
    let send: @Sendable () -> Void = { for number in 1...100 { relay.accept(number) } }
    onAnotherThread(send)
    while model.number < 100 { await Task.yield() }
    #expect(model.numbers == model.numbers.sorted())
    model.number = 101
    #expect(relay.value == 101)
    relay.accept(102)
    #expect(model.number == 102)
    withExtendedLifetime(binding) {}
  }

  @Test("a subscription off the actor of the channel stops the program")
  func leavesActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let channel = await MainActor.run { Carried(value: PropertyChannel(Account(), \.age)) }
      onAnotherThread { _ = channel.value.sink { @Sendable _ in } }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("A PropertyChannel was subscribed to off MainActor"), "\(message)")
  }

  // Safety: one thread after the other uses the value.
  private struct Carried<Value>: @unchecked Sendable {
    let value: Value
  }

  // MARK: Unsupported properties

  @Test("stops the program for a property that can't be observed")
  func unobservable() async {
    await #expect(processExitsWith: .failure) { _ = PropertyChannel(Account(), \.plain) }
  }
}
