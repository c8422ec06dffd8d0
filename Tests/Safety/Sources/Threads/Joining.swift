// One thread sends values, and others inside their deliveries, while another thread subscribes and cancels. A subscriber
// receives each value once that is sent after it has subscribed.

import Cases
import Synchronization
import Weir

/// A subscriber's values, and how many had been sent when it had subscribed.
private final class Joiner {
  // Safety: the subject serializes its deliveries, and they are read when both threads have finished.
  nonisolated(unsafe) var numbers: [Int] = []
  var sentBefore = 0
  var subscription: AnyCancellable?

  /// Describes a lost or repeated value.
  func fault(of sent: Int) -> String? {
    let after = numbers.filter { $0 > sentBefore }.sorted()
    let expected = Array(sentBefore + 1..<sent + 1)
    return after == expected ? nil : "received \(after.count) of the \(expected.count) values after \(sentBefore)"
  }
}

private func fault<S: Subject<Item, Oops>>(_ make: @escaping () -> S) -> String? {
  fault { helper, delay in
    // Safety: a subject may be used on any thread, and only the helper's thread uses the joiners until it has finished.
    nonisolated(unsafe) let (subject, joiners) = (make(), [Joiner(), Joiner(), Joiner()])
    let sent = Counter()
    func send() { subject.send(Item(sent.next())) }
    var depth = 0
    let nesting = subject.sink(receiveCompletion: { _ in }) { _ in
      guard depth == 0 else { return }
      depth += 1
      for _ in 0..<3 { send() }
      depth -= 1
    }
    helper.run {
      for joiner in joiners {
        subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        joiner.subscription = subject.sink(
          receiveCompletion: { _ in }, receiveValue: { joiner.numbers.append($0.number) })
        joiner.sentBefore = sent.count
      }
    }
    pause(delay)
    for _ in 0..<20 { send() }
    helper.wait()
    send()
    return withExtendedLifetime(nesting) { joiners.lazy.compactMap { $0.fault(of: sent.count) }.first }
  }
}

private final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .acquiring) }

  func next() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
}

var joining: [Case] {
  [
    Case("joining/passthrough") { fault { PassthroughSubject<Item, Oops>() } },
    Case("joining/current-value") { fault { CurrentValueSubject<Item, Oops>(Item(0)) } },
  ]
}
