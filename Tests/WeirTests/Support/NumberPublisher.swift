import Weir

/// A publisher that sends a number, and equals another with the same number.
///
/// Unlike `Just` it has no fast paths.
struct NumberPublisher: Publisher, Equatable {
  typealias Output = Int
  typealias Failure = Never

  let number: Int

  init(_ number: Int) {
    self.number = number
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Just(number).subscribe(subscriber)
  }
}
