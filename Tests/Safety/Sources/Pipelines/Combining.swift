// The table of the operators that combine a subject with another publisher.

import Weir
import WeirRx

/// A publisher that sends tokens and doesn't complete.
private func endless(_ numbers: [Int], _ hook: Hook) -> Tokens {
  numbers.map { hook.token($0) }.publisher.setFailureType(to: Oops.self)
    .append(Empty(completeImmediately: false)).eraseToAnyPublisher()
}

package var combinations: [Entry] {
  [
    Entry("merge", [.cancel]) { source, hook in
      source.merge(with: endless([6, 7], hook)).eraseToAnyPublisher()
    },
    Entry("zip", [.release, .cancel]) { source, hook in
      alone { source.zip(endless([6, 7, 8, 9, 10], hook)).eraseToAnyPublisher() }
    },
    Entry("zip-with-itself", [.cancel], .isUnordered) { source, _ in
      source.zip(source).eraseToAnyPublisher()
    },
    Entry("combineLatest", [.release, .cancel]) { source, hook in
      source.combineLatest(endless([6, 7], hook)).eraseToAnyPublisher()
    },
    Entry("combineLatest-to-map", [.closure], .passesSubscriptionOn) { source, hook in
      source.combineLatest(endless([6], hook)) { (token: Token, _: Token) -> Token in
        hook.reach(.closure)
        return token
      }.eraseToAnyPublisher()
    },
    Entry("withLatestFrom", [.cancel]) { source, hook in
      source.withLatestFrom(endless([6], hook)).eraseToAnyPublisher()
    },
    Entry("withLatestFrom-itself", [.release], .isUnordered) { source, hook in
      endless([6, 7], hook).withLatestFrom(source).eraseToAnyPublisher()
    },
    Entry("sample", [.release], .isUnordered) { source, _ in
      source.sample(source.dropFirst()).eraseToAnyPublisher()
    },
    Entry("prefix(untilOutputFrom:)", [.cancel]) { source, _ in
      source.prefix(untilOutputFrom: source.dropFirst(3)).eraseToAnyPublisher()
    },
    Entry("drop(untilOutputFrom:)", [.cancel], .isUnordered) { source, _ in
      source.drop(untilOutputFrom: source.dropFirst()).eraseToAnyPublisher()
    },
    Entry("amb", [.cancel]) { source, hook in
      source.amb(with: Empty<Token, Oops>(completeImmediately: false)).eraseToAnyPublisher()
    },
    Entry("prepend", [.release]) { source, hook in
      alone { source.prepend([hook.token(6), hook.token(7)]).eraseToAnyPublisher() }
    },
    Entry("concatMap", [.closure], .isUnordered) { source, hook in
      source.concatMap { (token: Token) -> Tokens in
        hook.reach(.closure)
        return Just(token).setFailureType(to: Oops.self).eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    },
    Entry("window(count:)", [.release], .letsReceiversOvertake) { source, _ in
      source.window(count: 2).flatMap { $0.collect() }.eraseToAnyPublisher()
    },
    Entry("limitRate", [.cancel], demand: .max(2), .letsReceiversOvertake) { source, _ in
      source.limitRate(2).eraseToAnyPublisher()
    },
  ]
}

// MARK: Traits

package var traits: [Entry] {
  [
    Entry("asSingle", [.cancel]) { source, _ in source.prefix(1).asSingle().asPublisher() },
    Entry("asSingle(orFailWith:)", [.closure, .cancel]) { source, hook in
      source.asSingle { (_: TraitError) -> Oops in
        hook.reach(.closure)
        return hook.error()
      }.asPublisher()
    },
    Entry("asMaybe", [.cancel]) { source, _ in source.asMaybe().asPublisher() },
    Entry("asCompletable", [.cancel], .passesSubscriptionOn) { source, _ in
      source.ignoreOutput().asCompletable().asPublisher().map { (never: Never) -> Token in }.eraseToAnyPublisher()
    },
  ]
}
