// A program with operators of its own that have the names of those in WeirRx, as one that is migrated file by file.

import Weir
import WeirRx

/// The program's own operators that have been called.
@MainActor private var calls: [String] = []

private func note(_ name: String = #function) {
  MainActor.assumeIsolated { calls.append(name) }
}

extension Publisher {
  /// Calls the operator of this name, which isn't the library's.
  private func own<P: Publisher>(_ publisher: P, _ name: String = #function) -> AnyPublisher<P.Output, P.Failure> {
    note(name)
    return publisher.eraseToAnyPublisher()
  }

  func asCompletable() -> AnyPublisher<Never, Failure> { own(ignoreOutput()) }

  func asDriver() -> AnyPublisher<Output, Never> { own(self.catch { _ in Empty() }) }

  func asMaybe() -> AnyPublisher<Output?, Failure> { own(map { $0 }) }

  func asObservable() -> AnyPublisher<Output, Failure> { own(self) }

  func asSignal() -> AnyPublisher<Output, Never> { own(self.catch { _ in Empty() }) }

  func asSingle() -> AnyPublisher<Output, Failure> { own(first()) }

  func asyncMap<T: Sendable>(_ transform: @escaping @Sendable (Output) async -> T) -> AnyPublisher<T, Failure> {
    own(Empty<T, Failure>())
  }

  func dematerialize<T, E: Error>() -> AnyPublisher<T, E> where Output == Publishers.Event<T, E>, Failure == Never {
    own(Empty<T, E>())
  }

  func distinct() -> AnyPublisher<Output, Failure> where Output: Hashable { own(self) }

  func enumerated() -> AnyPublisher<(Int, Output), Failure> { own(map { (0, $0) }) }

  func groupBy<Key: Hashable>(_ key: @escaping (Output) -> Key) -> AnyPublisher<(Key, Output), Failure> {
    own(map { (key($0), $0) })
  }

  func limitRate(_ count: Int) -> AnyPublisher<Output, Failure> { own(self) }

  func materialize() -> AnyPublisher<Result<Output, Failure>, Never> {
    own(map { .success($0) }.catch { Just(.failure($0)) })
  }

  func onBackpressureBuffer() -> AnyPublisher<Output, Failure> { own(self) }

  func onBackpressureLatest() -> AnyPublisher<Output, Failure> { own(self) }

  func pairwise() -> AnyPublisher<(Output, Output), Failure> { own(map { ($0, $0) }) }

  func repeated() -> AnyPublisher<Output, Failure> { own(self) }

  func share(replay count: Int) -> AnyPublisher<Output, Failure> { own(share()) }

  func subscribe(onNext: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never {
    note()
    return sink(receiveValue: onNext)
  }

  func toggle() -> AnyPublisher<Bool, Failure> where Output == Bool { own(map { !$0 }) }

  func tryAsyncMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) async throws -> T
  ) -> AnyPublisher<T, any Error> { own(Empty<T, any Error>()) }

  func window(count: Int) -> AnyPublisher<[Output], Failure> { own(collect(count)) }

  func bind(onNext: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never {
    note()
    return sink(receiveValue: onNext)
  }
}

/// More general forms of the library's operators, which call those.
extension Publisher where Failure == Never {
  func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) throws -> P
  ) -> AnyPublisher<P.Output, Never> where P.Failure == Never {
    note()
    return flatMapLatest { (value: Output) -> AnyPublisher<P.Output, Never> in
      (try? transform(value).eraseToAnyPublisher()) ?? Empty().eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }

  func sample<P: Publisher>(_ trigger: P?) -> AnyPublisher<Output, Never> where P.Failure == Never {
    note()
    guard let trigger else { return eraseToAnyPublisher() }
    return sample(trigger).eraseToAnyPublisher()
  }

  func nwise(_ size: Int?) -> AnyPublisher<[Output], Never> {
    note()
    guard let size else { return Empty().eraseToAnyPublisher() }
    return nwise(size).eraseToAnyPublisher()
  }
}

@main
enum OwnOperators {
  static func main() {
    let numbers = PassthroughSubject<Int, Never>()
    _ = numbers.asCompletable().sink { _ in }
    _ = numbers.asDriver().sink { print($0) }
    _ = numbers.asMaybe().sink { print($0 ?? 0) }
    _ = numbers.asObservable().sink { print($0) }
    _ = numbers.asSignal().sink { print($0) }
    _ = numbers.asSingle().sink { print($0) }
    _ = numbers.asyncMap { $0 }.sink { print($0) }
    _ = Empty<Publishers.Event<Int, Never>, Never>().dematerialize().sink { print($0) }
    _ = numbers.distinct().sink { print($0) }
    _ = numbers.enumerated().sink { print($0.1) }
    _ = numbers.groupBy { $0 }.sink { print($0) }
    _ = numbers.limitRate(3).sink { print($0) }
    _ = numbers.materialize().sink { print($0) }
    _ = numbers.onBackpressureBuffer().sink { print($0) }
    _ = numbers.onBackpressureLatest().sink { print($0) }
    _ = numbers.pairwise().sink { print($0) }
    _ = numbers.repeated().sink { print($0) }
    _ = numbers.share(replay: 1).sink { print($0) }
    _ = numbers.subscribe(onNext: { print($0) })
    _ = numbers.subscribe { print($0) }
    _ = numbers.map { $0 > 1 }.toggle().sink { print($0) }
    _ = numbers.tryAsyncMap { $0 }.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
    _ = numbers.window(count: 3).sink { print($0) }
    _ = numbers.bind { print($0) }
    _ = numbers.bind(onNext: { print($0) })
    _ = numbers.flatMapLatest { (value: Int) throws -> Just<Int> in Just(value) }.sink { print($0) }
    _ = numbers.sample(Optional(Just(1))).sink { print($0) }
    _ = numbers.nwise(Optional(2)).sink { print($0) }
    print(calls.joined(separator: "\n"))
  }
}
