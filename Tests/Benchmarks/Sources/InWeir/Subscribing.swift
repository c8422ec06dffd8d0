import Weir

/// What a sink adds to: on one thread at a time, and read when everything is done.
private final class Total: @unchecked Sendable {
  var sum = 0
}

// The result leaves the function before it is cancelled, as in a program that stores it, so it can't live on the stack.

extension InWeir {
  package static func subscribingToJust(_ count: Int) -> Int {
    let total = Total()
    for value in 0..<count { make(Just(value), total).cancel() }
    return total.sum
  }

  package static func subscribing(to subject: PassthroughSubject<Int, Never>, _ count: Int) -> Int {
    let total = Total()
    for _ in 0..<count { make(subject, total).cancel() }
    return total.sum
  }

  @inline(never)
  private static func make(_ source: some Publisher<Int, Never>, _ total: Total) -> AnyCancellable {
    source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { total.sum = total.sum &+ $0 }
  }
}
