import Weir

// The contexts in which an operator stands in ordinary programs: a typed chain, one that is long, erased publishers, a
// shared one, inner publishers, one subscription after another. Some are counted in debug builds, too.
//
// Each has a sum of its own and names its closures in place, as programs do: a closure that is handed over costs more.

var contexts: KeyValuePairs<String, (Int) -> Int> {
  [
    "P-W1": { count in
      var sum = 0
      (0..<count).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.sink { sum &+= $0 }.cancel()
      return sum
    },
    "P-W3": { count in
      var sum = 0
      (0..<count).publisher.map { $0 }.scan(0) { $0 &+ $1 }.removeDuplicates().sink { sum &+= $0 }.cancel()
      return sum
    },
    "P-L12": { count in
      var sum = 0
      let first = (0..<count).publisher.map { (v: Int) -> Int in v &+ 1 }.filter { (v: Int) -> Bool in v & 1 == 0 }
      let second = first.map { (v: Int) -> Int in v &* 3 }.filter { (v: Int) -> Bool in v != 7 }
      let third = second.map { (v: Int) -> Int in v &+ 1 }.scan(0) { (a: Int, v: Int) -> Int in a &+ v }
      let fourth = third.map { (v: Int) -> Int in v &* 3 }.filter { (v: Int) -> Bool in v != 9 }
      let fifth = fourth.map { (v: Int) -> Int in v &+ 1 }.removeDuplicates().map { (v: Int) -> Int in v &+ 2 }
      fifth.filter { (v: Int) -> Bool in v != 11 }.sink { sum &+= $0 }.cancel()
      return sum
    },
    "P-W9": { count in
      var sum = 0
      for value in 0..<count { Just(value).map { $0 &+ 1 }.filter { $0 != -1 }.sink { sum &+= $0 }.cancel() }
      return sum
    },
    "P-S1": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-A1": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = filtered(mapped(subject.eraseToAnyPublisher())).sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-A2": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      for _ in 0..<count {
        let subscription = counted(filtered(mapped(subject.eraseToAnyPublisher()))).sink { sum &+= $0 }
        send(1, subject, subscription)
      }
      return sum
    },
    "P-A3": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.flatMap { fetch($0) }.sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-A6": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.map { $0 }.share().eraseToAnyPublisher()
      let first = shared.sink { sum &+= $0 }
      let second = shared.sink { sum &+= $0 }
      send(count, subject, first)
      second.cancel()
      return sum
    },
    "P-A8": { count in
      let target = Target()
      let subject = PassthroughSubject<Int, Never>()
      send(count, subject, subject.assign(to: \.value, on: target))
      return target.value
    },
    "P-F1": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.flatMap { single($0) }.sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-F2": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.flatMap { Just($0).map { $0 &+ 1 } }.sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-search": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.removeDuplicates().map { fetch($0) }.switchToLatest().sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-buffer": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.buffer(size: 10, prefetch: .keepFull, whenFull: .dropOldest).sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
    "P-throttle": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let throttled = subject.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true)
      send(count, subject, throttled.sink { sum &+= $0 })
      return sum
    },
    "P-receive": { count in
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.receive(on: ImmediateScheduler.shared).sink { sum &+= $0 }
      send(count, subject, subscription)
      return sum
    },
  ]
}

let contextsInDebugBuilds = ["P-W1", "P-A1", "P-A2", "P-A3", "P-A6"]

private final class Target {
  var value = 0
}

/// Sends `count` values, then cancels.
private func send(_ count: Int, _ subject: PassthroughSubject<Int, Never>, _ subscription: AnyCancellable) {
  for value in 0..<count { subject.send(value) }
  subscription.cancel()
}

// What erases a pipeline stands in functions of their own, as it does in programs.

@inline(never)
private func mapped(_ source: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
  source.map { $0 &+ 1 }.eraseToAnyPublisher()
}

@inline(never)
private func filtered(_ source: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
  source.filter { $0 & 1 == 0 }.eraseToAnyPublisher()
}

@inline(never)
private func counted(_ source: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
  source.scan(0) { $0 &+ $1 }.removeDuplicates().eraseToAnyPublisher()
}

@inline(never)
private func fetch(_ value: Int) -> AnyPublisher<Int, Never> {
  Deferred { Future<Int, Never> { $0(.success(value &+ 1)) } }.eraseToAnyPublisher()
}

@inline(never)
private func single(_ value: Int) -> AnyPublisher<Int, Never> {
  Just(value).map { $0 &+ 1 }.eraseToAnyPublisher()
}
