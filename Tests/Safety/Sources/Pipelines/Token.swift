// The values of this program. They run user code when an operator compares, hashes or releases them, and they reveal
// damaged memory.

import Weir

/// An error, which may own a value whose `deinit` is user code.
package struct Oops: Error {
  // Safety: this program has one thread.
  nonisolated(unsafe) var held: Token?

  package init(held: Token? = nil) { self.held = held }
}

/// A place where an operator runs user code.
package enum Place: String {
  /// The operator's closure.
  case closure
  /// `==` of a value.
  case equality
  /// `<` of a value.
  case order
  /// `hash(into:)` of a value.
  case hash
  /// The `deinit` of a value that only the operator retains.
  case release
  /// The cancellation of an upstream.
  case cancel
  /// A subscriber's `receive(_:)` or `receive(completion:)`.
  case receive
  /// A subscriber's `receive(subscription:)`.
  case attachment
  /// An iterator's `next()`.
  case next
  /// `encode(to:)` or `init(from:)`.
  case coding
  /// A scheduler's `schedule`.
  case schedule
}

/// A value on the heap whose witnesses and `deinit` call a hook.
package final class Token {
  let number: Int

  // Copies of the number in other memory, so that a description reveals damage.
  private let copies: [Int]
  private let hook: Hook?

  init(_ number: Int, _ hook: Hook?) {
    self.number = number
    self.hook = hook
    copies = [number, number, number]
    hook?.liveTokens += 1
  }

  deinit {
    hook?.liveTokens -= 1
    hook?.reach(.release)
  }

  func reach(_ place: Place) { hook?.reach(place) }
}

extension Token: CustomStringConvertible {
  package var description: String { copies == [number, number, number] ? "\(number)" : "damaged" }
}

extension Token: Hashable {
  package static func == (lhs: Token, rhs: Token) -> Bool {
    (lhs.hook ?? rhs.hook)?.reach(.equality)
    return lhs.number == rhs.number
  }

  // Only two hashes, so that a set must compare too.
  package func hash(into hasher: inout Hasher) {
    hook?.reach(.hash)
    hasher.combine(number & 1)
  }
}

extension Token: Comparable {
  package static func < (lhs: Token, rhs: Token) -> Bool {
    (lhs.hook ?? rhs.hook)?.reach(.order)
    return lhs.number < rhs.number
  }
}
