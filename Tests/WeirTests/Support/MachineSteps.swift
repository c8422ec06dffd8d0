import Testing

@testable import TestSupport
@testable import Weir

/// A subscription that is identified by its name.
final class NamedSubscription: Subscription {
  let name: String
  init(_ name: String) { self.name = name }
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

/// An action of a machine, in a comparable form.
enum MachineStep: Equatable {
  case announce
  case deliver(String)
  case finish
  case fail(TestError)
  case cancel(String)
  case request(Int, Subscribers.Demand)
  case effect(String)
}

/// An event of a machine.
enum MachineEvent<Input> {
  case subscribed(Int, SubscriptionObject)
  case value(Int, Input)
  case completed(Int, AnyCompletion)
  case enqueuedSignal(Int)
}

extension CoordinatorMachine where Failure == TestError {
  /// All actions of the machine until it is idle.
  mutating func steps() -> [MachineStep] {
    var steps: [MachineStep] = []
    while true {
      switch next() {
      case .nothing: return steps
      case .announce: steps.append(.announce)
      case .deliver(let output): steps.append(.deliver("\(output)"))
      case .complete(let completion):
        switch completion.typed(as: TestError.self) {
        case .finished: steps.append(.finish)
        case .failure(let error): steps.append(.fail(error))
        }
      case .cancel(let subscription): steps.append(.cancel((subscription as? NamedSubscription)?.name ?? "?"))
      case .request(let request): steps.append(.request(request.number, request.demand))
      case .effect(let effect): steps.append(.effect("\(effect)"))
      }
    }
  }

  /// The actions that follow from an event, as the coordinator performs them.
  mutating func after(_ event: MachineEvent<Input>) -> [MachineStep] {
    switch event {
    case .subscribed(let number, let subscription): following(subscribed(to: number, subscription), from: number)
    case .value(let number, let input): following(receive(input, from: number), of: number)
    case .completed(let number, let completion): following(completed(number, completion))
    case .enqueuedSignal(let number): following(enqueuedSignal(number))
    }
  }

  private mutating func following(_ outcome: EventOutcome, from number: Int = .min) -> [MachineStep] {
    switch outcome {
    case .undecided: steps()
    case .nothing: only([])
    case .request(let demand): only(demand == .none ? [] : [.request(number, demand)])
    }
  }

  private mutating func following(_ outcome: ValueOutcome<Output>, of number: Int) -> [MachineStep] {
    switch outcome {
    case .undecided: steps()
    case .nothing: only([])
    case .deliver(let output): only([.deliver("\(output)")])
    case .deliverAndReturn(let output): only([.deliver("\(output)"), .request(number, takeDemandToReturn())])
    case .deliverFirst(let output): [.deliver("\(output)")] + steps()
    }
  }

  /// These steps, after which the machine must be at rest.
  private mutating func only(_ expected: [MachineStep]) -> [MachineStep] {
    let others = steps()
    #expect(others.isEmpty, "next() has an action after \(expected)")
    return expected
  }

  mutating func afterSubscribed(_ number: Int, _ name: String) -> [MachineStep] {
    after(.subscribed(number, NamedSubscription(name)))
  }

  mutating func afterRequested(_ demand: Subscribers.Demand) -> [MachineStep] {
    requested(demand)
    return steps()
  }

  mutating func afterSignal(_ number: Int) -> [MachineStep] {
    following(signal(number))
  }

  mutating func afterCancelled() -> [MachineStep] {
    cancelled()
    return steps()
  }
}
