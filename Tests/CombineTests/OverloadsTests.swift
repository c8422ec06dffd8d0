import Combine
import Testing

// A library's overloads, which have a parameter more than Combine's methods, with a default value, and call those.

private enum Ownership { case strong, weak }

/// How often each overload was called.
private nonisolated(unsafe) var calls: [String: Int] = [:]

private func note(_ name: String) {
  calls[name, default: 0] += 1
  precondition(calls[name] == 1, "The overload of \(name) has called itself.")
}

extension Publisher where Failure == Never {
  fileprivate func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: Ownership = .strong
  ) -> AnyCancellable {
    note("assign")
    return assign(to: keyPath, on: object)
  }
}

extension Publisher {
  fileprivate func share(label: String = "") -> AnyPublisher<Output, Failure> {
    note("share")
    return share().eraseToAnyPublisher()
  }

  fileprivate func retry(_ retries: Int, label: String = "") -> AnyPublisher<Output, Failure> {
    note("retry")
    return retry(retries).eraseToAnyPublisher()
  }

  fileprivate func merge<P: Publisher>(with other: P, label: String = "") -> AnyPublisher<Output, Failure>
  where P.Output == Output, P.Failure == Failure {
    note("merge")
    return merge(with: other).eraseToAnyPublisher()
  }

  fileprivate func zip<P: Publisher>(_ other: P, label: String = "") -> AnyPublisher<(Output, P.Output), Failure>
  where P.Failure == Failure {
    note("zip")
    return zip(other).eraseToAnyPublisher()
  }
}

@Suite("overloads with defaulted parameters more than Combine's methods", .serialized)
struct OverloadsTests {
  private final class Model {
    var number = 0
  }

  @Test("call Combine's methods, and not themselves")
  func callCombine() {
    calls = [:]
    let model = Model()
    var values: [Int] = []
    var bag: Set<AnyCancellable> = []
    let numbers = [1, 2].publisher
    numbers.assign(to: \.number, on: model, ownership: .strong).store(in: &bag)
    numbers.share(label: "c").sink { (value: Int) in values.append(value) }.store(in: &bag)
    numbers.retry(1, label: "d").sink { (value: Int) in values.append(value) }.store(in: &bag)
    numbers.merge(with: Empty(), label: "e").sink { (value: Int) in values.append(value) }.store(in: &bag)
    numbers.zip(Just(3), label: "f").sink { (pair: (Int, Int)) in values.append(pair.0 * pair.1) }.store(in: &bag)
    #expect(model.number == 2)
    #expect(values == [1, 2, 1, 2, 1, 2, 3])
    #expect(calls.count == 5)
  }

  @Test("leave calls without those parameters to Combine")
  func leaveCallsToCombine() {
    calls = [:]
    let model = Model()
    let numbers = [1, 2].publisher
    let cancellables = [
      numbers.assign(to: \.number, on: model), numbers.share().sink { _ in },
      numbers.retry(1).sink { _ in }, numbers.merge(with: Empty()).sink { _ in },
      numbers.zip(Just(3)).sink { (_: (Int, Int)) in },
    ]
    withExtendedLifetime(cancellables) {}
    #expect(calls == [:])
  }
}
