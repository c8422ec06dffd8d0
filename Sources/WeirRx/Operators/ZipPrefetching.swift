public import Weir

extension Publisher {
  /// Pairs the values of this publisher with those of another, by their order, and asks neither for more than so many
  /// ahead.
  ///
  ///     source                    -1-2-3   -4   -|
  ///     asked                     2----1   -1
  ///     other                     -----a   -b   -|
  ///     asked                     2----1   -1
  ///     .zip(other, prefetch: 2)  -----'1a'-'2b'-|
  ///
  /// - Demand: each is asked for `prefetch` values at first, and for one more with each pair that goes out. So no more than
  ///   that wait, however fast one side runs, and nothing is lost.
  /// - Completion and cancellation: finishes when one has finished whose values are all paired. The first failure cancels
  ///   the other and overtakes what is waiting.
  /// - Threading: values of several threads are delivered one at a time, by the thread that came first.
  ///
  /// - Parameters:
  ///   - other: the publisher whose values go with these.
  ///   - prefetch: how many values are asked for and not paired, at least 1.
  /// - Returns: a publisher of the pairs.
  public func zip<P: Publisher>(_ other: P, prefetch: Int) -> AnyPublisher<(Output, P.Output), Failure>
  where P.Failure == Failure {
    Publishers.Zip(self, other).prefetching(prefetch)
  }

  /// Groups the values of this publisher and two others, and asks none for more than so many ahead; see
  /// ``zip(_:prefetch:)``.
  public func zip<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q, prefetch: Int
  ) -> AnyPublisher<(Output, P.Output, Q.Output), Failure> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2).prefetching(prefetch)
  }

  /// Groups the values of this publisher and three others, and asks none for more than so many ahead; see
  /// ``zip(_:prefetch:)``.
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R, prefetch: Int
  ) -> AnyPublisher<(Output, P.Output, Q.Output, R.Output), Failure>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3).prefetching(prefetch)
  }
}

extension PrefetchingJoin {
  fileprivate func prefetching(_ count: Int) -> AnyPublisher<Output, Failure> {
    if count < 1 { fatalError("zip has to ask for something: give a prefetch of 1 or more, not \(count).") }
    return Prefetching(join: self, count: count).eraseToAnyPublisher()
  }
}

private struct Prefetching<Join: PrefetchingJoin>: _DirectPublisher {
  typealias Output = Join.Output
  typealias Failure = Join.Failure

  let join: Join
  let count: Int

  func _attach(_ downstream: Downstream<Output, Failure>) {
    join.attach(downstream, prefetch: count)
  }
}
