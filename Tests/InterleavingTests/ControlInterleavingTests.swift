import Testing
import Weir

@testable import TestSupport
@testable import WeirControls

/// Any thread requests from and cancels a control's subscription, while the main thread delivers.
@Suite("controls, in every order of threads", .serialized)
@MainActor
struct ControlInterleavingTests {
  /// Receives a control's events as numbers, starting with 1.
  private final class ControlWitness: Subscriber {
    let witness: Witness
    private var count = 0

    init(_ witness: Witness) {
      self.witness = witness
    }

    func receive(subscription: any Subscription) { witness.receive(subscription: subscription) }

    func receive(_ input: Control) -> Subscribers.Demand {
      count += 1
      return witness.receive(count)
    }

    func receive(completion: Subscribers.Completion<Never>) { witness.receive(completion: .finished) }
  }

  private typealias Connection = ControlSubscription<Control>

  private let control = Control()
  private let targets = TargetList()

  private func connect(_ witness: Witness) -> Connection {
    let listener = ControlWitness(witness)
    let subscription = Connection(targets, downstream: Downstream(listener))
    listener.receive(subscription: subscription)
    return subscription
  }

  @Test("event ∥ cancel ∥ cancel: no later event, the subscriber released")
  func cancels() {
    explore("control: event ∥ cancel ∥ cancel") {
      let witness = Witness()
      let subscription = connect(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { subscription.deliver(control) } }, { witness.cancel() }, { witness.cancel() },
      ]) {
        let count = witness.values.count
        subscription.deliver(control)
        return witness.faults + (witness.values.count == count ? [] : ["an event after the cancel"])
      }.releasing(witness, keeping: subscription)
    }
  }

  @Test("event ∥ request ∥ request: exact demand", arguments: [0, 1])
  func requests(returned: Int) {
    explore("control: event ∥ request ∥ request, \(returned) more for each") {
      let witness = Witness(demanding: .none, returning: .max(returned))
      let subscription = connect(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { subscription.deliver(control) } }, { witness.request(.max(1)) },
        { witness.request(.max(2)) },
      ]) {
        for _ in 0..<6 { subscription.deliver(control) }
        let isRight = returned == 0 ? witness.values == [1, 2, 3] : witness.values.count >= 6
        return witness.faults + (isRight ? [] : ["got \(witness.values), having asked for three"])
      }
    }
  }

  @Test("event ∥ request ∥ cancel: all released")
  func requestsAndCancels() {
    explore("control: event ∥ request ∥ cancel") {
      let witness = Witness(demanding: .max(1), returning: .max(1))
      let subscription = connect(witness)
      return Trial(bodies: [
        { for _ in 0..<2 { subscription.deliver(control) } }, { witness.request(.unlimited) }, { witness.cancel() },
      ]) {
        let count = witness.values.count
        witness.request(.unlimited)
        subscription.deliver(control)
        return witness.faults + (witness.values.count == count ? [] : ["an event after the cancel"])
      }.releasing(witness, keeping: subscription)
    }
  }

  @Test("an event without demand ∥ cancel: only one of them accesses the subscriber")
  func drops() {
    explore("control: dropped event ∥ cancel") {
      let witness = Witness(demanding: .none)
      let subscription = connect(witness)
      return Trial(bodies: [{ subscription.deliver(control) }, { witness.cancel() }]) {
        subscription.deliver(control)
        return witness.faults
      }.releasing(witness, keeping: subscription)
    }
  }
}
