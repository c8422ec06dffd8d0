import Foundation
import Weir
import WeirControls
import WeirFoundation
import WeirRx
import WeirTesting

/// A source that has values before anybody asks for them, as the page on back-pressure names it.
@MainActor
struct SourceCase {
  let name: String

  /// What becomes of the values.
  let fate: @MainActor () -> Fate?

  /// A source that is sent to: 1, 2 and 3.
  init<P: Publisher>(
    _ name: String, _ make: @escaping @MainActor () -> (source: P, send: @MainActor (Int) -> Void)
  ) {
    self.name = name
    fate = {
      let (source, send) = make()
      let subscriber = TestSubscriber<P.Output, P.Failure>()
      source.subscribe(subscriber)
      for number in 1...3 { send(number) }
      subscriber.request(.unlimited)
      defer { subscriber.cancel() }
      return Fate(subscriber.values.map { String(describing: $0) }, of: ["1", "2", "3"])
    }
  }

  /// A source that has its values.
  init<P: Publisher<Int, Never>>(_ name: String, of sent: [Int], _ make: @escaping @MainActor () -> P) {
    self.name = name
    fate = {
      let subscriber = TestSubscriber<P.Output, P.Failure>()
      make().subscribe(subscriber)
      subscriber.request(.unlimited)
      return Fate(subscriber.values.map { "\($0)" }, of: sent.map { "\($0)" })
    }
  }

  /// Those that have no values, those of another publisher, and those that need a server, a task or real time, whose
  /// own tests say what they do.
  static let untried: Set<String> = [
    "Empty", "Fail", "Deferred", "AnyPublisher.using", "AnyPublisher.create", "dataTaskPublisher",
    "publisher of an asynchronous sequence", "Timer.publish", "publisher(for:) of an @Observable model", "observe",
  ]

  private final class Model: ObservableObject {
    @Published var number = 0
  }

  static let all: [SourceCase] = [
    SourceCase("publisher of a sequence", of: [1, 2, 3]) { [1, 2, 3].lazy.publisher },
    SourceCase("Record", of: [1, 2]) { Record(output: [1, 2], completion: .finished) },
    SourceCase("Just", of: [1]) { Just(1) },
    SourceCase("publisher of an optional or a result", of: [1]) { Optional(1).publisher },
    SourceCase("Future", of: [1]) { Future { $0(.success(1)) } },
    SourceCase("PassthroughSubject") {
      let subject = PassthroughSubject<Int, Never>()
      return (subject, { subject.send($0) })
    },
    SourceCase("PassthroughRelay") {
      let relay = PassthroughRelay<Int>()
      return (relay, { relay.accept($0) })
    },
    SourceCase("ObservableObjectPublisher") {
      let publisher = ObservableObjectPublisher()
      return (publisher, { _ in publisher.send() })
    },
    SourceCase("CurrentValueSubject") {
      let subject = CurrentValueSubject<Int, Never>(0)
      return (subject, { subject.send($0) })
    },
    SourceCase("CurrentValueRelay") {
      let relay = CurrentValueRelay(0)
      return (relay, { relay.accept($0) })
    },
    SourceCase("$property") {
      let model = Model()
      return (model.$number, { model.number = $0 })
    },
    SourceCase("ReplaySubject") {
      let subject = ReplaySubject<Int, Never>(bufferSize: 3)
      return (subject, { subject.send($0) })
    },
    SourceCase("ReplayRelay") {
      let relay = ReplayRelay<Int>(bufferSize: 3)
      return (relay, { relay.accept($0) })
    },
    SourceCase("share(replay:)") {
      let subject = PassthroughSubject<Int, Never>()
      return (subject.share(replay: 3), { subject.send($0) })
    },
    SourceCase("Driver") {
      let subject = PassthroughSubject<Int, Never>()
      return (subject.asDriver(), { subject.send($0) })
    },
    SourceCase("Signal") {
      let subject = PassthroughSubject<Int, Never>()
      return (subject.asSignal(), { subject.send($0) })
    },
    SourceCase("NotificationCenter.publisher") {
      let (center, name) = (NotificationCenter(), Notification.Name("number"))
      return (center.publisher(for: name).map { $0.object as? Int ?? 0 }, { center.post(name: name, object: $0) })
    },
    SourceCase("publisher(for:) of a control or gesture") {
      let slider = Slider(in: 0...9)
      return (slider.publisher(for: .valueChanged).map { _ in 0 }, { slider.slide(to: Float($0)) })
    },
    SourceCase("ControlEvent") {
      let slider = Slider(in: 0...9)
      return (slider.rx.value.changed.map { Int($0) }, { slider.slide(to: Float($0)) })
    },
    SourceCase("ControlProperty") {
      let slider = Slider(in: 0...9)
      return (slider.rx.value.map { Int($0) }, { slider.slide(to: Float($0)) })
    },
    SourceCase("TargetActionPublisher") {
      var listener: TargetActionPublisher<Int>.Listener?
      let publisher = TargetActionPublisher<Int>(add: { listener = $0 }, remove: { _ in })
      return (publisher, { listener?.send($0) })
    },
    SourceCase("DelegatePublisher") {
      let delegate = DelegatePublisher<Int>()
      return (delegate, { delegate.send($0) })
    },
    SourceCase("PropertyChannel") {
      let model = Model()
      return (PropertyChannel(model, \.number), { model.number = $0 })
    },
    SourceCase("Channel") {
      let channel = Channel<Int, Never>()
      return (channel.following, { channel.leading.send($0) })
    },
  ]
}
