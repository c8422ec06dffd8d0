public import Weir

extension Publisher {
  /// Pairs the values of two publishers by position, and requests at most `prefetch` values ahead from each.
  ///
  ///     source                    -1-2-3   -4   -|
  ///     asked                     2----1   -1
  ///     other                     -----a   -b   -|
  ///     asked                     2----1   -1
  ///     .zip(other, prefetch: 2)  -----'1a'-'2b'-|
  ///
  /// - Demand: requests `prefetch` values from each publisher at first, and one more with each delivered pair. So at
  ///   most `prefetch` values of each are buffered, however fast one side runs, and none is dropped.
  /// - Completion and cancellation: finishes when a publisher has finished and all its values are paired. The first
  ///   failure cancels the other publisher and drops buffered values.
  /// - Threading: delivery is serialized: the thread that is delivering also delivers what other threads send
  ///   meanwhile.
  ///
  /// - Parameters:
  ///   - other: The publisher whose values are paired with these.
  ///   - prefetch: The maximum number of values that are requested and not paired, at least 1.
  /// - Returns: A publisher of the pairs.
  @inlinable
  public func zip<P: Publisher>(_ other: P, prefetch: Int) -> AnyPublisher<(Output, P.Output), Failure>
  where P.Failure == Failure {
    Publishers.Zip(self, other).prefetching(prefetch)
  }

  /// Groups the values of this publisher and two others, with limited prefetch; see ``zip(_:prefetch:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q, prefetch: Int
  ) -> AnyPublisher<(Output, P.Output, Q.Output), Failure> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2).prefetching(prefetch)
  }

  /// Groups the values of this publisher and three others, with limited prefetch; see ``zip(_:prefetch:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R, prefetch: Int
  ) -> AnyPublisher<(Output, P.Output, Q.Output, R.Output), Failure>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3).prefetching(prefetch)
  }
}

extension PrefetchingZip {
  @inlinable
  func prefetching(_ count: Int) -> AnyPublisher<Output, Failure> {
    if count < 1 { fatalError("zip(_:prefetch:) requires a prefetch of at least 1, not \(count).") }
    return Prefetching(zip: self, count: count).eraseToAnyPublisher()
  }
}

@usableFromInline
struct Prefetching<Zip: PrefetchingZip>: _DirectPublisher {
  @usableFromInline
  typealias Output = Zip.Output

  @usableFromInline
  typealias Failure = Zip.Failure

  @usableFromInline
  let zip: Zip

  @usableFromInline
  let count: Int

  @inlinable
  init(zip: Zip, count: Int) {
    self.zip = zip
    self.count = count
  }

  @inlinable
  func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    zip.attach(downstream, prefetch: count)
  }
}
