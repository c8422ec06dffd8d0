// The table of sources that run user code, of subjects, and of shared publishers.

import Weir
import WeirRx

// MARK: Sources

/// An iterator whose `next()` is user code.
private struct HookedSequence: Sequence, IteratorProtocol {
  let hook: Hook
  var number = 0

  mutating func next() -> Token? {
    number += 1
    let found = number
    hook.reach(.next)
    return found > 5 ? nil : hook.token(found)
  }
}

/// A sequence that owns its tokens.
private struct HeldTokens: Sequence, IteratorProtocol {
  var tokens: [Token]

  mutating func next() -> Token? { tokens.popLast() }
}

private func source<Output, Failure: Error>(_ publisher: AnyPublisher<Output, Failure>) -> Stage {
  Stage(publisher: shown(publisher))
}

package var sources: [Entry] {
  [
    Entry("Deferred", [.closure]) { source, hook in
      Deferred { () -> Tokens in
        hook.reach(.closure)
        return source
      }.eraseToAnyPublisher()
    },
    Entry("Future", [.closure]) { source, hook in
      Deferred {
        Future<Token, Oops> { promise in
          hook.reach(.closure)
          promise(.success(hook.token(1)))
          hook.reach(.closure)
        }
      }.append(source).eraseToAnyPublisher()
    },
    Entry(
      "Future-that-waits", [.release], deeds: Deed.feeding,
      stage: { hook in
        var promise: Future<Token, Oops>.Promise?
        let future = Future<Token, Oops> { promise = $0 }
        return Stage(
          publisher: shown(future.eraseToAnyPublisher()), send: { promise?(.success($0)) },
          complete: { if case .failure(let error) = $0 { promise?(.failure(error)) } })
      }),
    Entry("sequence", [.next], deeds: Deed.asking) { hook in
      source(HookedSequence(hook: hook).publisher.eraseToAnyPublisher())
    },
    Entry("lazy-sequence", [.next, .closure, .release], deeds: Deed.asking) { hook in
      source(
        HookedSequence(hook: hook).lazy.map { (token: Token) -> Token in
          hook.reach(.closure)
          return token
        }.publisher.eraseToAnyPublisher())
    },
    Entry("sequence-of-held-values", [.release], deeds: Deed.asking) { hook in
      source(
        alone { HeldTokens(tokens: (1...5).map { hook.token($0) }).publisher.map { $0.number }.eraseToAnyPublisher() })
    },
    Entry("Record", [.release], deeds: Deed.asking) { hook in
      source(
        alone {
          Record<Token, Oops>(output: (1...5).map { hook.token($0) }, completion: .failure(hook.error()))
            .map { $0.number }.eraseToAnyPublisher()
        })
    },
    Entry("Just", [.release], deeds: Deed.asking) { hook in
      source(alone { Just(hook.token(1)).map { $0.number }.eraseToAnyPublisher() })
    },
    Entry("Optional", [.release], deeds: Deed.asking) { hook in
      source(alone { Optional(hook.token(1)).publisher.map { $0.number }.eraseToAnyPublisher() })
    },
    Entry("Result", [.release], deeds: Deed.asking) { hook in
      source(alone { Result<Token, Oops>.success(hook.token(1)).publisher.map { $0.number }.eraseToAnyPublisher() })
    },
    Entry("Fail", [.release], deeds: Deed.asking) { hook in
      source(alone { Fail<Int, Oops>(error: hook.error()).eraseToAnyPublisher() })
    },
    Entry("create", [.closure, .cancel]) { source, hook in
      Tokens.create { emitter in
        hook.reach(.closure)
        let inner = source.sink {
          emitter.send(completion: $0)
        } receiveValue: {
          emitter.send($0)
        }
        hook.reach(.closure)
        return AnyCancellable {
          hook.reach(.cancel)
          inner.cancel()
        }
      }.eraseToAnyPublisher()
    },
    Entry("create-that-drops", [.release], demand: .max(1)) { source, hook in
      Tokens.create(.latest) { emitter in
        source.sink {
          emitter.send(completion: $0)
        } receiveValue: {
          emitter.send($0)
        }
      }.eraseToAnyPublisher()
    },
    Entry("using", [.closure, .release], .passesSubscriptionOn) { source, hook in
      Publishers.Using { () -> AnyCancellable in
        hook.reach(.closure)
        let held = hook.token(7)
        return AnyCancellable { withExtendedLifetime(held) { hook.reach(.closure) } }
      } _: { (_: AnyCancellable) -> Tokens in
        hook.reach(.closure)
        return source
      }.eraseToAnyPublisher()
    },
  ]
}

// MARK: Subjects

/// The operations of a subject with tokens.
private func stage<S: Subject>(_ subject: S) -> Stage where S.Output == Token, S.Failure == Oops {
  Stage(
    publisher: shown(subject.eraseToAnyPublisher()), send: { subject.send($0) },
    complete: { subject.send(completion: $0) })
}

private final class Model: ObservableObject {
  @Published var token: Token

  init(_ token: Token) { self.token = token }
}

package var subjects: [Entry] {
  [
    Entry("PassthroughSubject", []) { (_: Hook) in stage(PassthroughSubject<Token, Oops>()) },
    Entry("CurrentValueSubject", [.release]) { (hook: Hook) in
      stage(CurrentValueSubject<Token, Oops>(hook.token(0)))
    },
    Entry("CurrentValueSubject.value", [.release], deeds: Deed.endless) { (hook: Hook) in
      let subject = CurrentValueSubject<Token, Oops>(hook.token(0))
      return Stage(publisher: shown(subject.eraseToAnyPublisher()), send: { subject.value = $0 })
    },
    Entry("ReplaySubject", [.release]) { (_: Hook) in stage(ReplaySubject<Token, Oops>(bufferSize: 2)) },
    Entry("PassthroughRelay", [], deeds: Deed.endless) { (_: Hook) in
      let relay = PassthroughRelay<Token>()
      return Stage(publisher: shown(relay.eraseToAnyPublisher()), send: { relay.accept($0) })
    },
    Entry("CurrentValueRelay", [.release], deeds: Deed.endless) { (hook: Hook) in
      let relay = CurrentValueRelay(hook.token(0))
      return Stage(publisher: shown(relay.eraseToAnyPublisher()), send: { relay.accept($0) })
    },
    Entry("ReplayRelay", [.release], deeds: Deed.endless) { (_: Hook) in
      let relay = ReplayRelay<Token>(bufferSize: 2)
      return Stage(publisher: shown(relay.eraseToAnyPublisher()), send: { relay.accept($0) })
    },
    Entry("Published", [.release], deeds: Deed.endless) { (hook: Hook) in
      let model = Model(hook.token(0))
      return Stage(publisher: shown(model.$token.eraseToAnyPublisher()), send: { model.token = $0 })
    },
    Entry("objectWillChange", [.release], deeds: Deed.endless) { (hook: Hook) in
      let model = Model(hook.token(0))
      let changes = model.objectWillChange.map { _ in "change" }
      return Stage(publisher: shown(changes.eraseToAnyPublisher()), send: { model.token = $0 })
    },
    Entry("Channel", [.release]) { (_: Hook) in
      let channel = Channel<Token, Oops>()
      return Stage(
        publisher: shown(channel.following.eraseToAnyPublisher()), send: { channel.leading.send($0) },
        complete: { channel.leading.send(completion: $0) })
    },
    Entry("PropertyChannel", [.release], deeds: Deed.endless, .letsReceiversOvertake) { (hook: Hook) in
      let holder = Holder(hook.token(0))
      let channel = PropertyChannel(holder, \.relay)
      return Stage(publisher: shown(channel.eraseToAnyPublisher()), send: { holder.relay.accept($0) })
    },
  ]
}

private final class Holder {
  let relay: CurrentValueRelay<Token>

  init(_ token: Token) { relay = CurrentValueRelay(token) }
}

// MARK: What is shared

private final class Connections {
  var list: [any Cancellable] = []

  func cancel() {
    let cancelled = list
    list = []
    for connection in cancelled { connection.cancel() }
  }
}

/// A publisher that a subject feeds, and that requires a connection.
private func connecting<C: ConnectablePublisher>(
  _ subject: PassthroughSubject<Token, Oops>, _ publisher: C
) -> Stage where C.Output == Token, C.Failure == Oops {
  let connections = Connections()
  return Stage(
    publisher: shown(publisher.eraseToAnyPublisher()), send: { subject.send($0) },
    complete: { subject.send(completion: $0) }, connect: { connections.list.append(publisher.connect()) },
    disconnect: { connections.cancel() })
}

package var shares: [Entry] {
  [
    Entry("share", [.cancel]) { source, _ in source.share().eraseToAnyPublisher() },
    Entry("share(replay:)-for-ever", [.release]) { source, _ in
      source.share(replay: 2, scope: .forever).eraseToAnyPublisher()
    },
    Entry("multicast", [.closure, .cancel]) { source, hook in
      source.multicast { () -> PassthroughSubject<Token, Oops> in
        hook.reach(.closure)
        return PassthroughSubject()
      }.autoconnect().eraseToAnyPublisher()
    },
    Entry("multicast-to-connect", [.closure], deeds: Deed.allCases, .sharesLater) { (hook: Hook) in
      let subject = PassthroughSubject<Token, Oops>()
      let source = subject.scan(hook.token(0)) { (_: Token, token: Token) -> Token in
        hook.reach(.closure)
        return token
      }
      return connecting(subject, source.multicast { CurrentValueSubject(hook.token(0)) })
    },
    Entry("makeConnectable", [.closure, .release], deeds: Deed.allCases, .sharesLater) { (hook: Hook) in
      let subject = PassthroughSubject<Token, Never>()
      let source = subject.scan(hook.token(0)) { (_: Token, token: Token) -> Token in
        hook.reach(.closure)
        return token
      }
      let connectable = source.makeConnectable()
      let connections = Connections()
      return Stage(
        publisher: shown(connectable.eraseToAnyPublisher()), send: { subject.send($0) },
        complete: { _ in subject.send(completion: .finished) },
        connect: { connections.list.append(connectable.connect()) }, disconnect: { connections.cancel() })
    },
  ]
}
