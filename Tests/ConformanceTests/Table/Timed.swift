import Weir
import WeirTesting

extension Table {
  /// The operators with a scheduler.
  static let timed: [Row] = [
    .timed("ReceiveOn", "receive(on:)") { $0.receive(on: $1) },
    .timed("ReceiveOn", "receive(on:hops:)") { $0.receive(on: $1, hops: .oneForAll) },
    .timed("SubscribeOn") { $0.subscribe(on: $1) },
    .timed("Delay") { $0.delay(for: 0.01, scheduler: $1) },
    .timed("Debounce", "", [.dropsValues, .holdsAtMost(1)]) { $0.debounce(for: 1, scheduler: $1) },
    .timed("Throttle", "latest", [.dropsValues, .holdsAtMost(1)]) { $0.throttle(for: 1, scheduler: $1, latest: true) },
    .timed("Throttle", "first", [.dropsValues, .holdsAtMost(1)]) { $0.throttle(for: 1, scheduler: $1, latest: false) },
    .timed("Timeout", "", .endsEarly) { $0.timeout(5, scheduler: $1) },
    .timed("Timeout", "with an error", [.endsEarly, .failsByItself]) {
      $0.timeout(5, scheduler: $1) { UpstreamFailure() }
    },
    .timed("CollectByTime", "by time", [.holdsValues, .dropsValues]) { $0.collect(.byTime($1, 1)) },
    .timed("CollectByTime", "by time or count", [.holdsValues, .dropsValues]) {
      $0.collect(.byTimeOrCount($1, 1, 2))
    },
    .timed("MeasureInterval", "", .dependsOnTiming) { $0.measureInterval(using: $1) },
    // A scheduler that runs actions inside the call, so also while the subscriber receives its subscription.
    .op("ReceiveOn", "immediately") { $0.receive(on: ImmediateScheduler.shared) },
    .op("ReceiveOn", "immediately, with one hop for all") {
      $0.receive(on: ImmediateScheduler.shared, hops: .oneForAll)
    },
    .op("SubscribeOn", "immediately") { $0.subscribe(on: ImmediateScheduler.shared) },
    .op("Delay", "immediately") { $0.delay(for: 0, scheduler: ImmediateScheduler.shared) },
    .op("Debounce", "immediately", .dropsValues) { $0.debounce(for: 0, scheduler: ImmediateScheduler.shared) },
    .op("Throttle", "immediately", .dropsValues) {
      $0.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true)
    },
  ]
}
