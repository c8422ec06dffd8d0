// The hops of operators that deliver on a scheduler arrive on several threads at the same time.

import Cases
import Dispatch
import Weir
import WeirDispatch

private struct Hops {
  let name: String
  let deliver: @Sendable (PassthroughSubject<Item, Oops>, DispatchQueue) -> AnyPublisher<Item, Oops>

  init(
    _ name: String,
    deliver: @escaping @Sendable (PassthroughSubject<Item, Oops>, DispatchQueue) -> AnyPublisher<Item, Oops>
  ) {
    self.name = name
    self.deliver = deliver
  }
}

private let operators = [
  Hops("receive(on:)") { $0.receive(on: $1).eraseToAnyPublisher() },
  Hops("receive(on:hops:)") { $0.receive(on: $1, hops: .oneForAll).eraseToAnyPublisher() },
  Hops("delay") { $0.delay(for: .zero, scheduler: $1).eraseToAnyPublisher() },
  Hops("timeout") { $0.timeout(.seconds(60), scheduler: $1).eraseToAnyPublisher() },
]

/// Describes the first fault of several rounds, each of which sends `count` items.
///
/// A round that cancels expects no completion, and any number of items.
private func fault(of hops: Hops, rounds: Int, sending count: Int, cancels: Bool) -> String? {
  for _ in 0..<rounds {
    let subject = PassthroughSubject<Item, Oops>()
    let queue = DispatchQueue(label: "hops", attributes: .concurrent)
    let watch = Watch()
    let sink = hops.deliver(subject, queue).sink(
      receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
    for number in 0..<count { subject.send(Item(number)) }
    if cancels { sink.cancel() } else { subject.send(completion: .finished) }
    if let fault = cancels ? watch.overlap : watch.fault(expecting: count) { return fault }
  }
  return nil
}

var hops: [Case] {
  operators.flatMap { hops in
    [
      Case("hops/\(hops.name)") { fault(of: hops, rounds: 10, sending: 10_000, cancels: false) },
      Case("hops/\(hops.name)-cancel") { fault(of: hops, rounds: 2_000, sending: 30, cancels: true) },
    ]
  }
}
