public import Combine

// The overloads of a library that adds a parameter with a default value to Combine's methods, and calls those.

/// The overloads that were called.
public nonisolated(unsafe) var calls: [String] = []

private func note(_ name: String) {
  precondition(!calls.contains(name), "the overload of \(name) has called itself")
  calls.append(name)
}

/// How an object is retained.
public enum Ownership: Sendable { case strong, weak }

extension Publisher where Failure == Never {
  /// An overload of `assign`.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: Ownership = .strong
  ) -> AnyCancellable {
    note("assign")
    return assign(to: keyPath, on: object)
  }
}

extension Publisher {
  /// An overload of `share`.
  public func share(label: String = "") -> AnyPublisher<Output, Failure> {
    note("share")
    return share().eraseToAnyPublisher()
  }

  /// An overload of `retry`.
  public func retry(_ retries: Int, label: String = "") -> AnyPublisher<Output, Failure> {
    note("retry")
    return retry(retries).eraseToAnyPublisher()
  }

  /// An overload of `merge`.
  public func merge<P: Publisher<Output, Failure>>(with other: P, label: String = "") -> AnyPublisher<Output, Failure> {
    note("merge")
    return merge(with: other).eraseToAnyPublisher()
  }

  /// An overload of `zip`.
  public func zip<P: Publisher>(_ other: P, label: String = "") -> AnyPublisher<(Output, P.Output), Failure>
  where P.Failure == Failure {
    note("zip")
    return zip(other).eraseToAnyPublisher()
  }
}
