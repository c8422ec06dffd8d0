// The table of the operators that subscribe to further publishers, and of those that buffer values.

import Weir
import WeirRx

/// A publisher that sends the token and doesn't complete.
///
/// It retains the token until it is cancelled.
private func endless(_ token: Token, _ hook: Hook) -> Tokens {
  Just(token).setFailureType(to: Oops.self).append(Empty(completeImmediately: false))
    .handleEvents(receiveCancel: { withExtendedLifetime(token) { hook.reach(.cancel) } }).eraseToAnyPublisher()
}

/// A publisher that sends the token when the source completes.
private func closing(_ token: Token, _ source: Tokens, _ hook: Hook) -> Tokens {
  source.ignoreOutput().map { (never: Never) -> Token in }.append(Just(token).setFailureType(to: Oops.self))
    .handleEvents(receiveCancel: { withExtendedLifetime(token) { hook.reach(.cancel) } }).eraseToAnyPublisher()
}

private func one(_ token: Token) -> Tokens {
  Just(token).setFailureType(to: Oops.self).eraseToAnyPublisher()
}

/// A publisher that fails at the number 4.
private func failing(_ source: Tokens) -> AnyPublisher<Token, any Error> {
  source.tryMap { (token: Token) throws -> Token in
    if token.number == 4 { throw Oops() }
    return token
  }.eraseToAnyPublisher()
}

package var mergers: [Entry] {
  [
    Entry("flatMap", [.closure], .letsReceiversOvertake) { source, hook in
      source.flatMap { (token: Token) -> Tokens in
        hook.reach(.closure)
        return one(token)
      }.eraseToAnyPublisher()
    },
    Entry("flatMapFirst", [.closure]) { source, hook in
      source.flatMapFirst { (token: Token) -> Tokens in
        hook.reach(.closure)
        return endless(token, hook)
      }.eraseToAnyPublisher()
    },
    Entry("flatMapLatest", [.closure], .letsReceiversOvertake) { source, hook in
      source.flatMapLatest { (token: Token) -> Tokens in
        hook.reach(.closure)
        return endless(token, hook)
      }.eraseToAnyPublisher()
    },
    // The closure of `map` has no case, because `map` has no state. Only the last inner publisher sends: the operator
    // may skip one that a newer one replaces before it has a subscriber.
    Entry("switchToLatest", [.cancel, .release]) { source, hook in
      source.map { (token: Token) -> Tokens in closing(token, source, hook) }.switchToLatest().eraseToAnyPublisher()
    },
    // Each group first sends only its key, which shows a group that is opened twice.
    Entry("groupBy", [.closure, .hash, .equality, .release], .letsReceiversOvertake) { source, hook in
      source.groupBy { (token: Token) -> Token in
        hook.reach(.closure)
        return hook.token(token.number % 3)
      }.flatMap { (group: GroupedPublisher<Token, Token, Oops>) -> AnyPublisher<[Token], Oops> in
        let key = group.key
        return group.map { [key, $0] }.prepend([[key]]).eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    },
    Entry("append", [.release]) { source, hook in
      alone { source.append([hook.token(6), hook.token(7)]).eraseToAnyPublisher() }
    },
    Entry("catch", [.closure]) { source, hook in
      failing(source).catch { (_: any Error) -> Tokens in
        hook.reach(.closure)
        return one(hook.token(6))
      }.eraseToAnyPublisher()
    },
    Entry("tryCatch", [.closure]) { source, hook in
      failing(source).tryCatch { (_: any Error) throws -> Tokens in
        hook.reach(.closure)
        return one(hook.token(6))
      }.eraseToAnyPublisher()
    },
  ]
}

package var buffers: [Entry] {
  [
    Entry("buffer-that-drops", [.release], demand: .max(1), .letsFailureOvertake) { source, _ in
      source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Entry("buffer-that-fails", [.closure, .cancel], demand: .max(1), .letsFailureOvertake) { source, hook in
      source.buffer(
        size: 2, prefetch: .byRequest,
        whenFull: .customError {
          hook.reach(.closure)
          return Oops()
        }
      ).eraseToAnyPublisher()
    },
    Entry("onBackpressureBuffer", [.closure, .release], demand: .max(1)) { source, hook in
      source.onBackpressureBuffer(2, overflow: .dropOldest, onOverflow: { (_: Token) in hook.reach(.closure) })
        .eraseToAnyPublisher()
    },
    Entry("onBackpressureDrop", [.closure], demand: .max(1)) { source, hook in
      source.onBackpressureDrop { (_: Token) in hook.reach(.closure) }.eraseToAnyPublisher()
    },
    Entry("onBackpressureLatest", [.release], demand: .max(1)) { source, _ in
      source.onBackpressureLatest().eraseToAnyPublisher()
    },
    Entry("share(replay:)", [.release]) { source, _ in source.share(replay: 2).eraseToAnyPublisher() },
    Entry("multicast-of-a-current-value", [.release]) { source, hook in
      source.multicast(subject: CurrentValueSubject(hook.token(0))).autoconnect().eraseToAnyPublisher()
    },
  ]
}
