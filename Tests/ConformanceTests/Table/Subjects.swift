import Foundation
import Observation
import Synchronization
import Weir
import WeirFoundation
import WeirRx
import WeirTesting

extension Table {
  private static let notBeforeDemand = "its closure runs at the first demand, and nothing can end before"
  private static let everySignal = "as in Combine, who has asked for anything gets every signal"

  static let subjects: [Row] = [
    .subject("PassthroughSubject", "", [.deliversNested, .holdsAtMost(0)]) {
      PassthroughSubject<Value, UpstreamFailure>()
    },
    .subject("CurrentValueSubject", "", [.deliversNested, .keepsLatest, .holdsAtMost(1)]) {
      CurrentValueSubject<Value, UpstreamFailure>(0)
    },
    .subject("ReplaySubject", "", [.deliversNested, .holdsValues, .holdsFailure, .holdsAtMost(2)]) {
      ReplaySubject<Value, UpstreamFailure>(bufferSize: 2)
    },
    .subject("Create", "a strategy that drops", [.deliversNested, .dropsValues, .servesOne, .holdsAtMost(2)]) {
      Emitting(.buffer(size: 2, whenFull: .dropOldest))
    }
    .excusing("1.4", because: notBeforeDemand).excusing("1.5", because: notBeforeDemand)
    .excusing("2.9", because: notBeforeDemand).excusing("2.10", because: notBeforeDemand)
    .excusing("C17", because: "the emitter is a program's, and is kept here"),
    .hot("PassthroughRelay", "", [.deliversNested, .outlivesUpstream, .holdsAtMost(0)]) {
      let relay = PassthroughRelay<Value>()
      return Hot(relay, send: relay.accept, end: {})
    },
    .hot("CurrentValueRelay", "", [.deliversNested, .outlivesUpstream, .keepsLatest, .holdsAtMost(1)]) {
      let relay = CurrentValueRelay(Value(0))
      return Hot(relay, send: relay.accept, end: {})
    },
    .hot("ReplayRelay", "", [.deliversNested, .outlivesUpstream, .holdsAtMost(2)]) {
      let relay = ReplayRelay<Value>(bufferSize: 2)
      return Hot(relay, send: relay.accept, end: {})
    },
    .hot("Terminal", "", [.deliversNested, .holdsValues]) {
      let channel = Channel<Value, Never>()
      return Hot(
        channel.leading, send: channel.following.send, end: { channel.following.send(completion: .finished) })
    },
    .hot("PropertyChannel", "", [.deliversNested, .outlivesUpstream]) {
      let model = RelayModel()
      return Hot(PropertyChannel(model, \.number), send: model.number.accept, end: {})
    },
    .hot("Observed", "", [.deliversNested, .outlivesUpstream, .isSentOnOneThread]) {
      let (model, clock) = (ObservableModel(), VirtualTimeScheduler())
      return Hot(
        model.publisher(for: \.number, on: clock),
        send: {
          model.number = $0
          clock.advance()
        }, end: {})
    }
    .excusing("C15", because: "the setter of the model calls user code, too"),
    .hot("Published.Publisher", "", [.deliversNested, .outlivesUpstream, .isSentOnOneThread]) {
      let model = Model()
      return Hot(model.$number, send: { model.number = $0 }, end: {})
    },
    .hot("ObservableObjectPublisher", "", [.deliversNested, .outlivesUpstream]) {
      let publisher = ObservableObjectPublisher()
      return Hot(publisher.map { Value(1) }, send: { _ in publisher.send() }, end: {})
    }
    .excusing("1.1", because: everySignal).excusing("2.11", because: everySignal)
    .excusing("C15", because: everySignal).excusing("C16", because: everySignal),
    .hot("NotificationCenter.Publisher", "", [.deliversNested, .outlivesUpstream]) {
      let center = NotificationCenter()
      let name = Notification.Name("number")
      return Hot(
        center.publisher(for: name).map { $0.userInfo?["number"] as? Value ?? 0 },
        send: { center.post(name: name, object: nil, userInfo: ["number": $0]) }, end: {})
    },
  ]
}

private final class Model {
  @Published var number = Value(0)
}

private final class RelayModel {
  let number = CurrentValueRelay(Value(0))
}

@Observable
private final class ObservableModel {
  var number = Value(0)
}

/// A publisher that `create` makes, and its emitter.
private final class Emitting: Subject, @unchecked Sendable {  // An emitter may be sent to on any thread.
  typealias Output = Value
  typealias Failure = UpstreamFailure

  private let strategy: BackpressureStrategy<UpstreamFailure>
  private let emitter = Mutex<Publishers.Create<Value, UpstreamFailure>.Emitter?>(nil)

  init(_ strategy: BackpressureStrategy<UpstreamFailure>) {
    self.strategy = strategy
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == UpstreamFailure {
    AnyPublisher<Value, UpstreamFailure>.create(strategy) { emitter in
      self.emitter.withLock { $0 = emitter }
      return AnyCancellable {}
    }.receive(subscriber: subscriber)
  }

  func send(_ value: Value) { emitter.withLock { $0 }?.send(value) }
  func send(completion: Subscribers.Completion<UpstreamFailure>) {
    emitter.withLock { $0 }?.send(completion: completion)
  }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }
}
