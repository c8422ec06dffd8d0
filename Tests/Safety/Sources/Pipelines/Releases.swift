// The table of objects that are released at a completion or a cancellation: errors, captures and subscribers.

import Weir
import WeirRx

/// A publisher that fails at the number 4, with an error that holds a value.
private func failing(_ source: Tokens, _ hook: Hook) -> AnyPublisher<Token, any Error> {
  source.tryMap { (token: Token) throws -> Token in
    if token.number == 4 { throw hook.error() }
    return token
  }.eraseToAnyPublisher()
}

// MARK: Errors

package var errors: [Entry] {
  [
    Entry("mapError-of-a-value", [.closure, .release], .passesSubscriptionOn) { source, hook in
      failing(source, hook).mapError { (_: any Error) -> Oops in
        hook.reach(.closure)
        return Oops()
      }.eraseToAnyPublisher()
    },
    Entry("catch-of-a-value", [.closure, .release], .isUnordered) { source, hook in
      failing(source, hook).catch { (_: any Error) -> Tokens in
        hook.reach(.closure)
        return source
      }.eraseToAnyPublisher()
    },
    Entry("tryCatch-that-throws", [.closure, .release]) { source, hook in
      failing(source, hook).tryCatch { (_: any Error) throws -> Tokens in
        hook.reach(.closure)
        throw hook.error()
      }.eraseToAnyPublisher()
    },
    Entry("retry", [.release]) { source, hook in failing(source, hook).retry(1).eraseToAnyPublisher() },
    Entry("retry(when:)", [.closure, .release]) { source, hook in
      failing(source, hook).retry { (failures: AnyPublisher<any Error, Never>) in
        failures.prefix(1).map { (_: any Error) -> Int in
          hook.reach(.closure)
          return 0
        }
      }.eraseToAnyPublisher()
    },
    Entry("replaceError-of-a-value", [.release]) { source, hook in
      failing(source, hook).replaceError(with: hook.token(0)).eraseToAnyPublisher()
    },
    Entry("ignoreFailure", [.release]) { source, hook in
      failing(source, hook).ignoreFailure().eraseToAnyPublisher()
    },
    Entry("materialize", [.release]) { source, hook in
      failing(source, hook).materialize().map { _ in 0 }.eraseToAnyPublisher()
    },
    Entry("flatMap-that-fails", [.release], .letsReceiversOvertake) { source, hook in
      source.mapError { (error: Oops) -> any Error in error }
        .flatMap { (token: Token) -> AnyPublisher<Token, any Error> in
          token.number == 4
            ? Fail(error: hook.error()).eraseToAnyPublisher()
            : Just(token).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    },
  ]
}

// MARK: Captures

extension Entry {
  /// Creates the entry of an operator whose closure captures a value.
  fileprivate init<Output, Failure: Error>(
    capture name: String, _ traits: Traits = [],
    _ make: @escaping (Tokens, Token) -> AnyPublisher<Output, Failure>
  ) {
    self.init("\(name)-captures", [.release], traits.union(.hasNoReceiver)) { source, hook in
      alone { make(source, hook.token(7)) }
    }
  }
}

/// Uses the captured value.
private func use<Result>(_ held: Token, _ result: Result) -> Result { withExtendedLifetime(held) { result } }

package var captures: [Entry] {
  [
    Entry(capture: "map", .passesSubscriptionOn) { source, held in
      source.map { use(held, $0) }.eraseToAnyPublisher()
    },
    Entry(capture: "filter", .passesSubscriptionOn) { source, held in
      source.filter { _ in use(held, true) }.eraseToAnyPublisher()
    },
    Entry(capture: "scan", .passesSubscriptionOn) { source, held in
      source.scan(0) { use(held, $0 + $1.number) }.eraseToAnyPublisher()
    },
    Entry(capture: "handleEvents", .passesSubscriptionOn) { source, held in
      source.handleEvents(receiveOutput: { use(held, _ = $0) }).eraseToAnyPublisher()
    },
    Entry(capture: "tryMap") { source, held in source.tryMap { use(held, $0) }.eraseToAnyPublisher() },
    Entry(capture: "removeDuplicates") { source, held in
      source.removeDuplicates { use(held, $0.number == $1.number) }.eraseToAnyPublisher()
    },
    Entry(capture: "first(where:)") { source, held in
      source.first { use(held, $0.number == 4) }.eraseToAnyPublisher()
    },
    Entry(capture: "prefix(while:)") { source, held in
      source.prefix { use(held, $0.number != 4) }.eraseToAnyPublisher()
    },
    Entry(capture: "reduce") { source, held in
      source.reduce(0) { use(held, $0 + $1.number) }.eraseToAnyPublisher()
    },
    Entry(capture: "flatMap") { source, held in source.flatMap { use(held, Just($0)) }.eraseToAnyPublisher() },
    Entry(capture: "flatMapLatest") { source, held in
      source.flatMapLatest { use(held, Just($0)) }.eraseToAnyPublisher()
    },
    Entry(capture: "groupBy") { source, held in
      source.groupBy { use(held, $0.number & 1) }.flatMap { $0 }.eraseToAnyPublisher()
    },
    Entry(capture: "catch") { source, held in
      source.catch { _ in use(held, Just(held)) }.eraseToAnyPublisher()
    },
    Entry(capture: "buffer") { source, held in
      source.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { use(held, Oops()) }).eraseToAnyPublisher()
    },
    Entry(capture: "onBackpressureDrop") { source, held in
      source.onBackpressureDrop { use(held, _ = $0) }.eraseToAnyPublisher()
    },
    Entry(capture: "multicast") { source, held in
      source.multicast { use(held, PassthroughSubject<Token, Oops>()) }.autoconnect().eraseToAnyPublisher()
    },
  ]
}

// MARK: Subscribers

extension Entry {
  /// Creates the entry of a subscriber, which sends received values to another subject with a captured value.
  fileprivate init(
    subscriber name: String, _ places: [Place], _ traits: Traits = [],
    _ make: @escaping (Tokens, PassthroughSubject<Token, Oops>, Hook) -> AnyCancellable
  ) {
    self.init(name, places, traits.union([.passesSubscriptionOn, .hasNoReceiver])) { source, hook in
      Deferred { () -> Tokens in
        let target = PassthroughSubject<Token, Oops>()
        var subscriber: AnyCancellable?
        return target.handleEvents(
          receiveCancel: { subscriber.take()?.cancel() },
          receiveRequest: { _ in if subscriber == nil { subscriber = make(source, target, hook) } }
        ).eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    }
  }
}

/// The object whose property is assigned.
private final class Target {
  let subject: PassthroughSubject<Token, Oops>
  let hook: Hook
  var token: Token {
    didSet {
      subject.send(token)
      hook.reach(.closure)
    }
  }

  init(_ subject: PassthroughSubject<Token, Oops>, _ hook: Hook) {
    self.subject = subject
    self.hook = hook
    token = hook.token(0)
  }
}

private final class PublishedModel {
  @Published var token: Token

  init(_ token: Token) { self.token = token }
}

package var subscribers: [Entry] {
  [
    Entry(subscriber: "sink", [.closure, .release]) { source, target, hook in
      let (first, second) = (hook.token(6), hook.token(7))
      return source.sink { completion in
        withExtendedLifetime(first) { target.send(completion: completion) }
        hook.reach(.closure)
      } receiveValue: { token in
        withExtendedLifetime(second) { target.send(token) }
        hook.reach(.closure)
      }
    },
    Entry(subscriber: "assign(to:on:)", [.closure, .release], .isUnordered) { source, target, hook in
      source.replaceError(with: hook.token(0)).assign(to: \.token, on: Target(target, hook))
    },
    Entry(subscriber: "assign(to:)", [.release]) { source, target, hook in
      let model = PublishedModel(hook.token(0))
      source.replaceError(with: hook.token(0)).assign(to: &model.$token)
      return model.$token.sink { token in withExtendedLifetime(model) { target.send(token) } }
    },
    Entry(subscriber: "subscribe-a-subject", [.release]) { source, target, hook in
      let subject = CurrentValueSubject<Token, Oops>(hook.token(0))
      let sink = subject.sink {
        target.send(completion: $0)
      } receiveValue: {
        target.send($0)
      }
      let subscription = source.subscribe(subject)
      return AnyCancellable {
        subscription.cancel()
        sink.cancel()
      }
    },
    Entry(subscriber: "bind", [.closure, .release]) { source, target, hook in
      let held = hook.token(7)
      return source.replaceError(with: hook.token(0)).bind { (token: Token) in
        withExtendedLifetime(held) { target.send(token) }
        hook.reach(.closure)
      }
    },
  ]
}
