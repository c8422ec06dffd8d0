import Testing
import Weir

@testable import TestSupport

/// Introspectors observe the whole program, so each test has its own process.
@Suite struct IntrospectionTests {
  /// Records its calls with the descriptions of the participants.
  final class Witness: _Introspection {
    private(set) var steps: [String] = []

    func clear() { steps = [] }

    func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
    where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {
      steps.append("\(name(subscriber)) will be attached")
    }

    func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
    where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {
      steps.append("\(name(subscriber)) is attached")
    }

    func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {
      steps.append("\(name(subscriber)) will get \(subscription)")
    }

    func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {
      steps.append("\(name(subscriber)) has \(subscription)")
    }

    func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input) {
      steps.append("\(name(subscriber)) will get \(input)")
    }

    func didReceive<Downstream: Subscriber>(
      subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand
    ) {
      steps.append("\(name(subscriber)) has \(input) and asks for \(resultingDemand)")
    }

    func willReceive<Downstream: Subscriber>(
      subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
    ) {
      steps.append("\(name(subscriber)) will end")
    }

    func didReceive<Downstream: Subscriber>(
      subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
    ) {
      steps.append("\(name(subscriber)) has ended")
    }

    func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
      steps.append("\(subscription) will be asked for \(demand)")
    }

    func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
      steps.append("\(subscription) was asked for \(demand)")
    }

    func willCancel(subscription: any Subscription) {
      steps.append("\(subscription) will be cancelled")
    }

    func didCancel(subscription: any Subscription) {
      steps.append("\(subscription) was cancelled")
    }

    private func name(_ subscriber: some Subscriber) -> String {
      subscriber is Recorder<Int, Never> ? "Recorder" : "\(subscriber)"
    }
  }

  /// An introspector that records no calls.
  final class Sleeper: _Introspection {}

  @Test func seesEachStepOnItsWay() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      let source = ManualPublisher<Int, Never>()
      let recorder = Recorder<Int, Never>(returning: .max(2))
      witness.enable()
      source.filter { (value: Int) in value > 1 }.removeDuplicates().subscribe(recorder)
      #expect(
        witness.steps == [
          "Recorder will be attached", "RemoveDuplicates will be attached", "Filter will be attached",
          "Filter will get Manual", "RemoveDuplicates will get Manual", "Recorder will get RemoveDuplicates",
          "Recorder has RemoveDuplicates", "RemoveDuplicates has Manual", "Filter has Manual",
          "Filter is attached", "RemoveDuplicates is attached", "Recorder is attached",
        ])
      witness.clear()
      recorder.request(.max(1))
      #expect(
        witness.steps == [
          "RemoveDuplicates will be asked for max(1)", "Manual will be asked for max(1)",
          "Manual was asked for max(1)", "RemoveDuplicates was asked for max(1)",
        ])
      witness.clear()
      #expect(source.send(1) == .max(1))
      #expect(source.send(2) == .max(2))
      #expect(
        witness.steps == [
          "Filter will get 1", "Filter has 1 and asks for max(1)",
          "Filter will get 2", "RemoveDuplicates will get 2", "Recorder will get 2",
          "Recorder has 2 and asks for max(2)", "RemoveDuplicates has 2 and asks for max(2)",
          "Filter has 2 and asks for max(2)",
        ])
      witness.clear()
      source.send(completion: .finished)
      #expect(
        witness.steps == [
          "Filter will end", "RemoveDuplicates will end", "Recorder will end",
          "Recorder has ended", "RemoveDuplicates has ended", "Filter has ended",
        ])
      #expect(recorder.events == [.subscription, .value(2), .finished])
    }
  }

  @Test func isToldOfNothingOnceDisabled() async {
    await #expect(processExitsWith: .success) {
      let (witness, other) = (Witness(), Witness())
      let source = ManualPublisher<Int, Never>()
      let recorder = Recorder<Int, Never>(returning: .max(1))
      #expect(!witness.isEnabled)
      witness.enable()
      witness.enable()
      #expect(witness.isEnabled && !other.isEnabled)
      source.subscribe(recorder)
      other.enable()
      witness.clear()
      #expect(source.send(1) == .max(1))
      witness.disable()
      #expect(source.send(2) == .max(1))
      recorder.cancel()
      other.disable()
      #expect(source.send(3) == .max(1))
      #expect(witness.steps == ["Recorder will get 1", "Recorder has 1 and asks for max(1)"])
      #expect(
        other.steps == [
          "Recorder will get 1", "Recorder has 1 and asks for max(1)",
          "Recorder will get 2", "Recorder has 2 and asks for max(1)",
          "Manual will be cancelled", "Manual was cancelled",
        ])
      #expect(source.isCancelledOnce)
      #expect(!witness.isEnabled && !other.isEnabled)
    }
  }

  @Test func isNotTheSubscriberTwiceBehindAnErasure() async {
    await #expect(processExitsWith: .success) {
      let (witness, sleeper) = (Witness(), Sleeper())
      let source = ManualPublisher<Int, Never>()
      let recorder = Recorder<Int, Never>()
      witness.enable()
      sleeper.enable()
      source.eraseToAnyPublisher().subscribe(recorder)
      #expect(witness.steps.filter { $0 == "Recorder will get Manual" }.count == 1)
      witness.clear()
      source.send(1)
      #expect(witness.steps == ["Recorder will get 1", "Recorder has 1 and asks for max(0)"])
    }
  }

  @Test func seesNoSubscriptionFromBefore() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      let source = ManualPublisher<Int, Never>()
      let recorder = source.record()
      witness.enable()
      source.send(1)
      recorder.cancel()
      #expect(witness.steps.isEmpty)
    }
  }
}
