import Foundation
import Observation
import Weir
import WeirFoundation
import WeirRx
import WeirTesting

extension Table {
  private static let everySignal = "as in Combine, a subscriber that has requested anything gets all signals"

  static let subjects: [Row] = [
    .subject("PassthroughSubject", "", [.deliversNested, .holdsAtMost(0)]) {
      PassthroughSubject<Value, UpstreamFailure>()
    },
    .subject("CurrentValueSubject") {
      CurrentValueSubject<Value, UpstreamFailure>(0)
    },
    .subject("ReplaySubject", "", [.deliversNested, .holdsValues, .holdsFailure]) {
      ReplaySubject<Value, UpstreamFailure>(bufferSize: 2)
    },
    .hot("PassthroughRelay", "", [.deliversNested, .outlivesUpstream]) {
      let relay = PassthroughRelay<Value>()
      return Hot(relay, send: relay.accept, end: {})
    },
    .hot("CurrentValueRelay", "", [.deliversNested, .outlivesUpstream]) {
      let relay = CurrentValueRelay(Value(0))
      return Hot(relay, send: relay.accept, end: {})
    },
    .hot("ReplayRelay", "", [.deliversNested, .outlivesUpstream]) {
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
      // The closure retains the object, without which the channel has no value.
      return Hot(PropertyChannel(model, \.number), send: { model.number.accept($0) }, end: {})
    },
    .hot("Observed", "", [.deliversNested, .outlivesUpstream]) {
      let (model, clock) = (ObservableModel(), VirtualTimeScheduler())
      return Hot(
        model.publisher(for: \.number, on: clock, isolation: nil),
        send: {
          model.number = $0
          clock.advance()
        }, end: {})
    }
    .excusing("C15", because: "the setter compares, so a value that is set from there is the first one"),
    .hot("Published.Publisher", "", [.deliversNested, .outlivesUpstream]) {
      let model = Model()
      return Hot(model.$number, send: { model.number = $0 }, end: {})
    },
    .hot("ObservableObjectPublisher", "", [.deliversNested, .outlivesUpstream]) {
      let publisher = ObservableObjectPublisher()
      return Hot(publisher.map { Value(1) }, send: { _ in publisher.send() }, end: {})
    }
    .excusing("1.1", because: everySignal).excusing("2.11", because: everySignal).excusing("3.8", because: everySignal)
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
