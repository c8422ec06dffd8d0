import Weir

/// A publisher that equals another with the same number, and sends it: without the shortcuts that `Just` has.
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
