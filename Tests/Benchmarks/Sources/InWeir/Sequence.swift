import Weir

extension InWeir {
  /// The general operators: a function generic over `some Publisher` takes no shortcut that a sequence might offer.
  package static func sequence(_ count: Int) -> Int {
    total(Publishers.Sequence(sequence: 0..<count))
  }

  @inline(never)
  private static func total(_ source: some Publisher<Int, Never>) -> Int {
    var sum = 0
    let subscription = source.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.sink { sum = sum &+ $0 }
    withExtendedLifetime(subscription) {}
    return sum
  }

  /// Half of what `scan` makes of the numbers are duplicates; the rest is gathered by the hundred.
  package static func collectGroups(_ count: Int) -> Int {
    groups(Publishers.Sequence(sequence: 0..<count))
  }

  @inline(never)
  private static func groups(_ source: some Publisher<Int, Never>) -> Int {
    var sum = 0
    let subscription =
      source
      .scan(0) { $0 &+ ($1 & 1 ^ 1) }.removeDuplicates().prefix { $0 >= 0 }.collect(100)
      .sink { sum = sum &+ $0.count &+ $0[$0.count - 1] }
    withExtendedLifetime(subscription) {}
    return sum
  }

  /// The same, all in one array.
  package static func collectAll(_ count: Int) -> Int {
    collected(Publishers.Sequence(sequence: 0..<count))
  }

  @inline(never)
  private static func collected(_ source: some Publisher<Int, Never>) -> Int {
    var sum = 0
    let subscription =
      source
      .scan(0) { $0 &+ ($1 & 1 ^ 1) }.removeDuplicates().prefix { $0 >= 0 }.collect()
      .sink { sum = sum &+ $0.count &+ $0[$0.count - 1] }
    withExtendedLifetime(subscription) {}
    return sum
  }
}
