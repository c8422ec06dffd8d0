// One thread sends to an upstream while another attaches, and then sends to a second upstream. That value has demand
// when the call that attaches has returned.

import Cases
import Weir
import WeirRx

private typealias Source = PassthroughSubject<Item, Oops>
private typealias Items = AnyPublisher<Item, Oops>

/// Describes the first round in which the value of the second upstream is lost.
private func fault(_ make: @escaping (_ busy: Source, _ second: Source) -> Items) -> String? {
  fault { helper, delay in
    let (busy, second, watch) = (Source(), Source(), Watch())
    helper.run { for number in 0..<500 { busy.send(Item(number)) } }
    pause(delay)
    let sink = make(busy, second).sink(
      receiveCompletion: { _ in watch.complete() }, receiveValue: { item in if item.number < 0 { watch.enter() } })
    second.send(Item(-1))
    helper.wait()
    busy.send(Item(500))
    second.send(completion: .finished)
    busy.send(completion: .finished)
    return withExtendedLifetime(sink) { watch.fault(expecting: 1) }
  }
}

private let first = Just(Item(0)).setFailureType(to: Oops.self)

var attaching: [Case] {
  [
    Case("attaching/merge") { fault { $0.merge(with: $1).eraseToAnyPublisher() } },
    Case("attaching/flatMap") { fault { [$0, $1].publisher.flatMap { $0 }.eraseToAnyPublisher() } },
    Case("attaching/zip") { fault { $0.zip($1) { $1 }.eraseToAnyPublisher() } },
    Case("attaching/combineLatest") {
      fault { busy, second in
        first.append(busy).combineLatest(second) { $1 }.removeDuplicates { $0 === $1 }.eraseToAnyPublisher()
      }
    },
    Case("attaching/withLatestFrom") {
      fault { busy, second in second.withLatestFrom(first.append(busy)) { item, _ in item }.eraseToAnyPublisher() }
    },
  ]
}
