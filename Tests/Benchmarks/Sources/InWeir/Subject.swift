import Weir

extension InWeir {
  @inline(never)
  package static func subject(_ count: Int) -> Int {
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let subscription = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { sum = sum &+ $0 }
    for value in 0..<count { subject.send(value) }
    subscription.cancel()
    return sum
  }
}

// `count` sends, to two subjects in turn.

extension InWeir {
  package static func combineLatest(_ count: Int) -> Int {
    var sum = 0
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let subscription = a.combineLatest(b).sink { sum = sum &+ $0.0 &+ $0.1 }
    sendToBoth(a, b, count)
    subscription.cancel()
    return sum
  }

  package static func zip(_ count: Int) -> Int {
    var sum = 0
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let subscription = a.zip(b).sink { sum = sum &+ $0.0 &+ $0.1 }
    sendToBoth(a, b, count)
    subscription.cancel()
    return sum
  }

  package static func merge(_ count: Int) -> Int {
    var sum = 0
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let subscription = a.merge(with: b).sink { sum = sum &+ $0 }
    sendToBoth(a, b, count)
    subscription.cancel()
    return sum
  }

  @inline(never)
  private static func sendToBoth(
    _ a: PassthroughSubject<Int, Never>, _ b: PassthroughSubject<Int, Never>, _ count: Int
  ) {
    for value in 0..<count / 2 {
      a.send(value)
      b.send(value)
    }
  }
}
